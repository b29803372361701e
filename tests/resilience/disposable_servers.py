"""Servers that a test starts, kills, freezes and restarts."""

import atexit
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from tests.game_contract.ports import free_port
from tests.service import servers
from tests.service.databases import address_of


def children(of: int) -> set[int]:
    """Return the descendants of a process."""
    try:
        found = Path(f"/proc/{of}/task/{of}/children").read_text().split()
    except FileNotFoundError:
        return set()
    return {int(pid) for pid in found} | {g for pid in found for g in children(int(pid))}


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def dies_with_us() -> None:
    """Bind the process to its parent, as ``preexec_fn``.

    The system kills it when the thread that started it ends, also when the tests are killed and
    cannot clean up.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Server:
    """A server on its own port."""

    running: "subprocess.Popen[bytes] | None" = None

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="own-")

    def command(self) -> list[str]:
        """Return the command line that starts it."""
        raise NotImplementedError

    def wait(self) -> None:
        """Wait until it answers."""
        raise NotImplementedError

    user: str | None = None

    def start(self) -> None:
        """Start it, also after a kill."""
        quiet = subprocess.DEVNULL
        self.running = subprocess.Popen(
            self.command(),
            stdout=quiet,
            stderr=quiet,
            cwd=self.folder,
            user=self.user,
            preexec_fn=dies_with_us,
        )
        self.wait()

    def kill(self) -> None:
        """Kill all of its processes at once, as in a power failure."""
        self._signal(signal.SIGKILL)
        assert self.running is not None
        self.running.wait(20)

    def freeze(self) -> None:
        """Stop it without closing connections: nobody answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue after a freeze."""
        self._signal(signal.SIGCONT)

    def _signal(self, which: signal.Signals) -> None:
        assert self.running is not None
        for pid in [self.running.pid, *children(self.running.pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, which)

    def close(self) -> None:
        """Stop it and delete its folder."""
        if self.running is not None and self.running.poll() is None:
            self.thaw()
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def _empty_cluster(user: str | None) -> str:
    """Return a folder with a new cluster of PostgreSQL in ``data``, which is only copied."""
    folder = tempfile.mkdtemp(prefix="cluster-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if user:
        shutil.chown(folder, user, user)
    made = [servers._postgres_binary("initdb"), "-D", f"{folder}/data", "-U", "postgres"]
    quiet = subprocess.DEVNULL
    subprocess.run(
        [*made, "-A", "trust", "--no-sync"],
        check=True,
        user=user,
        stdout=quiet,
        stderr=quiet,
        cwd=folder,
    )
    return folder


class Postgres(Server):
    """PostgreSQL with one empty database; raises `servers.Missing` if it is not installed."""

    host = "127.0.0.1"

    def __init__(self, password: str = "") -> None:
        super().__init__()
        if os.geteuid() == 0:
            pwd.getpwnam("postgres")
            shutil.chown(self.folder, "postgres", "postgres")
            self.user = "postgres"
        copy = ["cp", "-a", f"{_empty_cluster(self.user)}/data", self.folder]
        subprocess.run(copy, check=True)

    @property
    def url(self) -> str:
        """Return its address, also before it starts."""
        return f"postgresql://postgres@{self.host}:{self.port}/postgres"

    def command(self) -> list[str]:
        binary = servers._postgres_binary("postgres")
        data = f"{self.folder}/data"
        own = ["-h", self.host, "-p", str(self.port), "-k", self.folder, "-F"]
        return [binary, "-D", data, *own]

    def wait(self) -> None:
        assert servers._postgres_answers(self.url, 30)


class Redis(Server):
    """An empty Redis server."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.binary = shutil.which("redis-server")
        if self.binary is None:
            raise servers.Missing("Redis is not installed")

    def command(self) -> list[str]:
        assert self.binary is not None
        own = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        return [self.binary, *own]

    def wait(self) -> None:
        assert servers._redis_answers(self.url, 10)


_Own = TypeVar("_Own", Postgres, Redis)


@contextmanager
def started(kind: type[_Own]) -> Iterator[_Own]:
    """Yield a server that runs while the block does; skip, or fail in CI, if it is not
    installed."""
    made: list[_Own] = []

    def start() -> str:
        made.append(kind())
        made[0].start()
        return made[0].url

    try:
        address_of(start)
        yield made[0]
    finally:
        for each in made:
            each.close()
