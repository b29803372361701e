"""The real service in its own process, with given settings."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.game_contract.ports import free_port

ROOT = Path(__file__).parents[2]


@contextmanager
def process(data: Path, cwd: Path = ROOT, **settings: object) -> Iterator[str]:
    """Serve on 127.0.0.1 while the block runs; yield the address."""
    port = free_port()
    given = {"HOST": "127.0.0.1", "PORT": port, "DATA": data, "LOG_LEVEL": "error", **settings}
    running = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        env={
            **os.environ,
            "PYTHONPATH": str(cwd),
            **{name.upper(): str(value) for name, value in given.items()},
        },
        stdout=subprocess.DEVNULL,
        cwd=cwd,
    )
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(20)


def wait_for(port: int) -> None:
    """Wait until the port accepts connections."""
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.1)
