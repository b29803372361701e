"""Workers of the service as processes, and the way a proxy in front of them chooses one."""

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
    """One process on a port of its own, which can be started again on it; ``program``: what Python
    runs as a module, with arguments before the command."""

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
        """Returns when it is ready."""
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
        """The status of a look at its health; 0 when nobody answers."""
        try:
            return self._http.get(f"{self.address}/health/{which}").status_code
        except httpx.TransportError:
            return 0

    def tell_to_stop(self) -> None:
        """What systemd and container engines send."""
        self._running.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """The system ends it (signal 9), whatever it is doing."""
        self._running.kill()
        self._running.wait(20)

    def ended(self) -> int:
        """Waits for its end; the exit status."""
        return self._running.wait(40)

    def close(self) -> None:
        """Ends it in any case."""
        with suppress(AttributeError):
            self.kill()


class Proxy:
    """Knows which workers take requests, by looking, and goes round among them.

    As ``deploy/Caddyfile`` says it: where a connection is refused the next worker is tried at once.
    ``drops``: whether it also tries again, for its clients, what was sent and not answered; then
    every request has to be safe to repeat. ``patience``: seconds for which a worker is looked for.
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
        # Each by itself: one that is slow to answer must not keep the others from being seen.
        self._looking = [threading.Thread(target=self._look, args=[each]) for each in workers]
        for looking in self._looking:
            looking.start()

    def close(self) -> None:
        """Looks no more."""
        self._stopping.set()
        for looking in self._looking:
            looking.join()

    def _look(self, worker: Worker) -> None:
        while not self._stopping.wait(LOOK):
            status = worker.health("live")
            self.seen[worker].add(status)
            (self._well.add if status == 200 else self._well.discard)(worker)

    def tries(self) -> Iterator[Worker]:
        """The workers to try, one after the other."""
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            well = [worker for worker in self._workers if worker in self._well]
            if well:
                yield well[next(self._round) % len(well)]
            time.sleep(0.01)

    def refused(self, worker: Worker) -> None:
        """Nobody listens there."""
        self._well.discard(worker)


class Caddy:
    """The real proxy with the file of ``deploy/``, in front of some workers; used like `Proxy`."""

    again: tuple[type[httpx.TransportError], ...] = ()

    def __init__(self, workers: list[Worker], binary: str, folder: Path) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        own = {
            "SITE": self.address,
            "WORKERS": " ".join(worker.address.removeprefix("http://") for worker in workers),
            "HOME": str(folder),
        }
        file = folder / "Caddyfile"
        # Its own control port would be another Caddy's of this machine.
        file.write_text("{\n\tadmin off\n}\n" + (ROOT / "deploy" / "Caddyfile").read_text())
        self._running = subprocess.Popen(
            [binary, "run", "--config", file, "--adapter", "caddyfile"],
            env={**os.environ, **own},
            stderr=(folder / "caddy.log").open("wb"),
        )
        wait_for(int(self.address.rpartition(":")[2]))

    def tries(self) -> Iterator["Caddy"]:
        """It is the one that is asked, and once."""
        yield self

    def refused(self, _worker: object) -> None:
        """Nobody may say so of it."""
        raise AssertionError("the proxy refused a connection")

    def close(self) -> None:
        """Ends it."""
        self._running.terminate()
        self._running.wait(20)


class Client:
    """Asks by way of the proxy. ``statuses``: all answers that came."""

    def __init__(self, proxy: Proxy | Caddy, token: str = "") -> None:
        self._proxy = proxy
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(headers=headers, timeout=10, verify=False)
        self.statuses: list[int] = []

    def ask(
        self, method: str, path: str, json: object = None, key: str | None = None
    ) -> httpx.Response:
        """The answer; connections that are refused are nobody's business but the proxy's."""
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
    """What a browser's ``EventSource`` does: comes back when its stream ends, and says where it
    was. ``heard``: versions, each with the moment; ``ends``: how often it had to come back."""

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
        """The newest version that was told."""
        return self.heard[-1][0] if self.heard else 0

    def close(self) -> None:
        """Listens no more, from the next frame on."""
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
