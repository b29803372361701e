"""The real service in a process of its own, as people run it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
PORT = 8799


@contextmanager
def service(data: str, **settings: str) -> Iterator[str]:
    """Serves on SQLite in a folder while the block runs, without limits; gives the address."""
    given = {"DATA": data, "PORT": str(PORT), "HOST": "127.0.0.1", "LOG_LEVEL": "error"}
    limits = {"PLAY_LIMIT": "100000000", "CREATE_LIMIT": "100000000"}
    running = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        env={**os.environ, **given, **limits, **settings},
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        _wait_for_port()
        yield f"http://127.0.0.1:{PORT}"
    finally:
        running.terminate()
        running.wait(20)


def _wait_for_port() -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", PORT), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the service did not start")
