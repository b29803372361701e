"""Service workers as processes, and the load balancing of a proxy in front of them."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec

from service.settings import Settings
from tests.game_contract.ports import free_port
from tests.resilience.disposable_servers import dies_with_us
from tests.security.process import ROOT, wait_for

LOOK = 0.2
"""Seconds between two looks of the proxy whether a worker takes requests."""


class Worker:
    """A process on its own port that can be restarted on it.

    ``program``: the module that Python runs, with arguments before the command.
    """

    def __init__(
        self, settings: Settings, log: Path, program: tuple[str, ...] = ("service.cli",)
    ) -> None:
        self._program = program
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = log
        self._http = httpx.Client(timeout=5, verify=False)
        given = {**msgspec.to_builtins(settings), "host": "127.0.0.1", "port": self.port}
        own = {name.upper(): str(value) for name, value in given.items()}
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), **own}

    def start(self) -> None:
        """Start it and wait until it is ready."""
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                [sys.executable, "-m", *self._program, "serve"],
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=ROOT,
                preexec_fn=dies_with_us,
            )
        deadline = time.monotonic() + 60
        while self.health("ready") != 200:
            assert self._running.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, "the worker did not start"
            time.sleep(0.1)

    def health(self, which: str) -> int:
        """Return the status of a health check, or 0 without an answer."""
        try:
            return self._http.get(f"{self.address}/health/{which}").status_code
        except httpx.TransportError:
            return 0

    def tell_to_stop(self) -> None:
        """Send the signal that systemd and container engines send."""
        self._running.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it (signal 9) at an arbitrary moment."""
        self._running.kill()
        self._running.wait(20)

    def ended(self) -> int:
        """Wait for its end and return the exit status."""
        return self._running.wait(40)

    def close(self) -> None:
        """Stop it in any case."""
        with suppress(AttributeError):
            self.kill()


class Proxy:
    """Checks which workers are healthy and rotates among them.

    As in ``deploy/Caddyfile``, the next worker is tried at once if a connection is refused.
    ``drops``: whether requests that were sent and not answered are retried as well; then every
    request must be idempotent. ``patience``: seconds for which a worker is looked for.
    """

    def __init__(self, workers: list[Worker], *, drops: bool, patience: float = 10) -> None:
        self._workers = workers
        self._patience = patience
        self._well = set(workers)
        self._round = itertools.count()
        self._stopping = threading.Event()
        self.again: tuple[type[httpx.TransportError], ...] = (
            (httpx.TransportError,) if drops else (httpx.ConnectError,)
        )
        self.seen: dict[Worker, set[int]] = {worker: set() for worker in workers}
        # Separately, so that a slow worker does not delay the checks of the others.
        self._looking = [threading.Thread(target=self._look, args=[each]) for each in workers]
        for looking in self._looking:
            looking.start()

    def close(self) -> None:
        """Stop checking."""
        self._stopping.set()
        for looking in self._looking:
            looking.join()

    def _look(self, worker: Worker) -> None:
        while not self._stopping.wait(LOOK):
            status = worker.health("live")
            self.seen[worker].add(status)
            (self._well.add if status == 200 else self._well.discard)(worker)

    def tries(self) -> Iterator[Worker]:
        """Yield the workers to try, in order."""
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            well = [worker for worker in self._workers if worker in self._well]
            if well:
                yield well[next(self._round) % len(well)]
            time.sleep(0.01)

    def refused(self, worker: Worker) -> None:
        """Mark a worker that refused a connection."""
        self._well.discard(worker)


class Caddy:
    """Caddy with the file of ``deploy/``, in front of some workers; used like `Proxy`."""

    again: tuple[type[httpx.TransportError], ...] = ()

    def __init__(self, workers: list[Worker], binary: str, folder: Path) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        own = {
            "SITE": self.address,
            "WORKERS": " ".join(worker.address.removeprefix("http://") for worker in workers),
            "HOME": str(folder),
        }
        file = folder / "Caddyfile"
        # The default admin port could belong to another Caddy on this machine.
        file.write_text("{\n\tadmin off\n}\n" + (ROOT / "deploy" / "Caddyfile").read_text())
        self._running = subprocess.Popen(
            [binary, "run", "--config", file, "--adapter", "caddyfile"],
            env={**os.environ, **own},
            stderr=(folder / "caddy.log").open("wb"),
        )
        wait_for(int(self.address.rpartition(":")[2]))

    def tries(self) -> Iterator["Caddy"]:
        """Yield itself once."""
        yield self

    def refused(self, _worker: object) -> None:
        """Fail: Caddy must never refuse a connection."""
        raise AssertionError("the proxy refused a connection")

    def close(self) -> None:
        """Stop it."""
        self._running.terminate()
        self._running.wait(20)


class Client:
    """Sends requests through the proxy. ``statuses``: all received statuses."""

    def __init__(self, proxy: Proxy | Caddy, token: str = "") -> None:
        self._proxy = proxy
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(headers=headers, timeout=10, verify=False)
        self.statuses: list[int] = []

    def ask(
        self, method: str, path: str, json: object = None, key: str | None = None
    ) -> httpx.Response:
        """Return the response, trying the next worker if a connection is refused."""
        headers = {"Idempotency-Key": key} if key else {}
        for worker in self._proxy.tries():
            try:
                answer = self._http.request(
                    method, f"{worker.address}/api{path}", json=json, headers=headers
                )
            except self._proxy.again:
                self._proxy.refused(worker)
                continue
            self.statuses.append(answer.status_code)
            return answer
        raise AssertionError("no worker takes requests")


class Stream(threading.Thread):
    """Behaves like a browser's ``EventSource``: reconnects and sends the last version.

    ``heard``: versions with their times; ``ends``: the number of reconnects.
    """

    def __init__(self, proxy: Proxy | Caddy, token: str, match: str) -> None:
        super().__init__(daemon=True)
        self._proxy = proxy
        self._path = f"/api/matches/{match}/live"
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(headers=headers, timeout=5, verify=False)
        self._retry = 1.0
        self._stopping = False
        self.heard: list[tuple[int, float]] = []
        self.statuses: list[int] = []
        self.ends = 0
        self.start()

    def newest(self) -> int:
        """Return the newest version received."""
        return self.heard[-1][0] if self.heard else 0

    def close(self) -> None:
        """Stop listening after the next frame."""
        self._stopping = True

    def run(self) -> None:
        while not self._stopping:
            for worker in self._proxy.tries():
                if self._stopping:
                    return
                try:
                    self._listen(worker)
                except httpx.ConnectError:
                    self._proxy.refused(worker)
                    continue
                except httpx.TransportError:
                    pass
                break
            self.ends += 1
            time.sleep(self._retry)

    def _listen(self, worker: Worker) -> None:
        headers = {"Last-Event-ID": str(self.newest())}
        with self._http.stream("GET", worker.address + self._path, headers=headers) as answer:
            self.statuses.append(answer.status_code)
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    self.heard.append((int(line[4:]), time.monotonic()))
                elif line.startswith("retry: "):
                    self._retry = int(line[7:]) / 1000
                if self._stopping:
                    return
