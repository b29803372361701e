"""The real service, run in separate processes as in production."""

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from service.settings import Settings

ROOT = Path(__file__).parent.parent
PORT = int(os.environ.get("BENCH_PORT", "8799"))
"""Port of the first worker; set ``BENCH_PORT`` to run two benchmarks at the same time."""


def raise_file_limit() -> None:
    """Raise the limit on open files to the maximum, for this process and its children."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def run_service(data: str, port: int = PORT, **settings: str) -> Iterator[str]:
    """Run the service, with raised rate limits, during the block; yield its address.

    ``data``: folder of the SQLite store. ``settings``: further environment variables.
    """
    given = {"DATA": data, "PORT": str(port), "HOST": "127.0.0.1", "LOG_LEVEL": "error"}
    limits = {"PLAY_LIMIT": "100000000", "CREATE_LIMIT": "100000000"}
    running = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        env={**os.environ, **given, **limits, **settings},
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        _wait_for_port(port, running)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(20)


@contextmanager
def run_workers(settings: Settings, count: int, **more: str) -> Iterator[list[int]]:
    """Run ``count`` workers on one store during the block; yield their ports.

    ``more``: further environment variables.
    """
    ports = [PORT + number for number in range(count)]
    with ExitStack() as stack:
        for port in ports:
            where = {"DATABASE_URL": settings.database_url, **more}
            stack.enter_context(run_service(settings.data, port, **where))
        yield ports


def _wait_for_port(port: int, running: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if running.poll() is not None:
                break
            time.sleep(0.1)
    raise SystemExit("the service did not start")
