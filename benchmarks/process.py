"""The real service, run in separate processes as in production."""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

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


def run_client(module: str, *arguments: object) -> Any:
    """Run a benchmark module as a separate client process; return the JSON that it prints."""
    command = [sys.executable, "-m", module, "load", *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout)


def new_player(base: str, name: str = "Bench") -> tuple[httpx.Client, dict[str, Any]]:
    """Create a player; return a client that sends its token, and what the service answered."""
    client = httpx.Client(base_url=base, timeout=60)
    made = client.post("/api/players", json={"name": name}).json()
    client.cookies.clear()
    client.headers["Authorization"] = f"Bearer {made['token']}"
    return client, made


class MissingPrerequisite(Exception):
    """Error if something that a benchmark needs is missing on this machine."""


def install_npm_packages(name: str, *packages: str) -> Path:
    """Install npm packages into a temporary folder if necessary; return the folder."""
    folder = Path(tempfile.gettempdir()) / f"caravanserai-{name}"
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise MissingPrerequisite("there is no npm on this machine")
    if not (folder / "node_modules").exists():
        given = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        done = subprocess.run([*given, *packages], capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingPrerequisite(f"npm could not install it: {done.stderr.strip()[-300:]}")
    return folder


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
