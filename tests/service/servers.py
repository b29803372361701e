"""Database servers for tests: running ones, else ones started from installed binaries.

Raises `Missing` with the reason if there is neither. Started servers end with the tests.
"""

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import psycopg
import redis

from tests.game_contract.ports import free_port

RUNNING_POSTGRES = "postgresql://postgres@localhost:5432/test"
RUNNING_REDIS = "redis://localhost:6379/0"
PATIENCE = 60
"""Seconds that a busy machine may take to open a connection. Where no server runs it is refused at
once."""


class Missing(Exception):
    """The server is neither running nor installed."""


def _answers(ask: Callable[[], object], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            ask()
        except (psycopg.OperationalError, redis.RedisError):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        else:
            return True


def _postgres_answers(url: str, seconds: float = 0) -> bool:
    def ask() -> None:
        psycopg.connect(url, connect_timeout=PATIENCE).close()

    return _answers(ask, seconds)


def _redis_answers(url: str, seconds: float = 0) -> bool:
    def ask() -> None:
        redis.Redis.from_url(url, socket_connect_timeout=PATIENCE).ping()

    return _answers(ask, seconds)


def _postgres_binary(name: str) -> str:
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(debian[-1]) if debian else None)
    if found is None:
        raise Missing("PostgreSQL neither runs on port 5432 nor is it installed")
    return found


@cache
def postgres() -> str:
    """Return the address of a PostgreSQL database in which tests may create schemas."""
    if _postgres_answers(RUNNING_POSTGRES):
        return RUNNING_POSTGRES
    folder = tempfile.mkdtemp(prefix="postgres-")
    port = free_port()
    user: dict[str, str] = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root; Debian's package creates this account.
        pwd.getpwnam("postgres")
        shutil.chown(folder, "postgres", "postgres")
        user = {"user": "postgres"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    data = f"{folder}/data"
    init = [_postgres_binary("initdb"), "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"]
    subprocess.run(init, check=True, **quiet, **user)  # type: ignore[call-overload]
    serve = [_postgres_binary("postgres"), "-D", data, "-p", str(port), "-k", folder, "-F"]
    server = subprocess.Popen(serve, **quiet, **user)  # type: ignore[call-overload]
    atexit.register(_end, server, folder)
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    if not _postgres_answers(url, 30):
        raise Missing("PostgreSQL is installed but did not start")
    return url


@cache
def redis_url() -> str:
    """Return the address of a Redis server whose keys tests may write."""
    if _redis_answers(RUNNING_REDIS):
        return RUNNING_REDIS
    binary = shutil.which("redis-server")
    if binary is None:
        raise Missing("Redis neither runs on port 6379 nor is it installed")
    folder = tempfile.mkdtemp(prefix="redis-")
    port = free_port()
    serve = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    server = subprocess.Popen(serve, stdout=subprocess.DEVNULL)
    atexit.register(_end, server, folder)
    url = f"redis://127.0.0.1:{port}/0"
    if not _redis_answers(url, 10):
        raise Missing("Redis is installed but did not start")
    return url


def _end(server: "subprocess.Popen[bytes]", folder: str) -> None:
    server.terminate()
    server.wait(20)
    shutil.rmtree(folder, ignore_errors=True)
