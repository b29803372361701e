"""Test servers end with the tests, however the tests end."""

import subprocess
import sys
import time

import pytest

from tests.resilience.test_generations import runs
from tests.security.process import ROOT

_TEST = """
import sys, time
from tests.resilience.disposable_servers import Postgres, Redis, started

with started(getattr(sys.modules["tests.resilience.disposable_servers"], sys.argv[1])) as server:
    print(server.running.pid, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["Postgres", "Redis"])
def test_a_server_ends_when_its_test_is_killed(kind: str) -> None:
    command = [sys.executable, "-c", _TEST, kind]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as test:
        assert test.stdout is not None
        first = test.stdout.readline()
        test.kill()
    if not first:
        pytest.skip(f"{kind} is not installed")
    until = time.monotonic() + 10
    while runs(int(first)):
        assert time.monotonic() < until
        time.sleep(0.05)
