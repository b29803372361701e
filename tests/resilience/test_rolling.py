"""Rolling restart of the workers during play, without a visible interruption."""

import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from service.server import SHUTDOWN_TIMEOUT_S
from service.settings import Settings
from service.store_setup import open_store
from tests.game_contract.programs import program
from tests.resilience.workers import Caddy, Client, Proxy, Stream, Worker
from tests.service.databases import address_of, fresh
from tests.service.servers import redis_url

PLAYERS = 3
STREAMS = 2
"""Open streams of each player's match."""
LEARNT = 5.0
"""Seconds in which every open stream has the latest version."""


class Player(threading.Thread):
    """Plays both seats of one match after another.

    ``acknowledged`` in each match: versions and when they were answered, the first being its
    opening.
    """

    def __init__(self, proxy: Proxy | Caddy, client: type[Client] = Client) -> None:
        super().__init__(daemon=True)
        self.client = client(proxy)
        answer = self.client.ask("POST", "/players", {"name": "Ann"})
        self.token = answer.json()["token"]
        self.client = client(proxy, self.token)
        self.acknowledged: dict[str, list[tuple[int, float]]] = {}
        self._match = self._opened()
        self._stopping = False
        self.failed: BaseException | None = None

    def _opened(self) -> dict:  # type: ignore[type-arg]
        seats = [{"kind": "me"}, {"kind": "me"}]
        body = {"game": "caravanserai", "seats": seats}
        match = self.client.ask("POST", "/matches", body, uuid.uuid4().hex).json()
        self.acknowledged[match["id"]] = [(match["version"], time.monotonic())]
        return match

    @property
    def first(self) -> str:
        """Return the match that streams follow."""
        return next(iter(self.acknowledged))

    def run(self) -> None:
        try:
            while not self._stopping:
                self._step()
                time.sleep(0.05)
        except BaseException as error:
            self.failed = error

    def close(self) -> None:
        """Stop playing after the current move."""
        self._stopping = True

    def stop(self) -> None:
        """Wait until the current move is done."""
        self.close()
        self.join(30)
        assert not self.is_alive()

    def _step(self) -> None:
        match = self._match
        path, seat = f"/matches/{match['id']}", match["to_act"][0]
        choices = self.client.ask("GET", f"{path}/choices?seat={seat}").json()["choices"]
        body = {
            "seat": seat,
            "expected_version": match["version"],
            "commands": [choices[0]["command"]],
        }
        done = self.client.ask("POST", f"{path}/commands", body, uuid.uuid4().hex).json()
        self._match = done["match"]
        self.acknowledged[match["id"]].append((done["version"], time.monotonic()))
        if self._match["status"] != "playing":
            self._match = self._opened()


@contextmanager
def house(
    folder: Path, drain: float, kind: str = "postgresql", patience: float = 10
) -> Iterator[tuple[Settings, list[Worker], Proxy]]:
    """Run two workers on PostgreSQL and Redis, or one on SQLite, behind a proxy.

    ``patience``: seconds for which the proxy looks for a worker.
    """
    several = kind == "postgresql"
    with ExitStack() as stack:
        more = {"redis_url": address_of(redis_url)} if several else {}
        settings = stack.enter_context(fresh(kind, folder, drain=drain, log_level="info", **more))
        names = ("one", "two") if several else ("one",)
        workers = [Worker(settings, folder / f"{name}.log") for name in names]
        for worker in workers:
            stack.callback(worker.close)
            worker.start()
        proxy = Proxy(workers, drops=drain == 0, patience=patience)
        stack.callback(proxy.close)
        yield settings, workers, proxy


def check_nothing_lost(settings: Settings, players: list[Player]) -> None:
    """Check that each acknowledged move is in the log once, and nothing else is."""
    store = open_store(settings)
    for player in players:
        for match, acknowledged in player.acknowledged.items():
            stored = [r.decision for r in store.decisions(uuid.UUID(match))]
            opened, *moves = [version for version, _when in acknowledged]
            ends = [decision.last_version for decision in stored]
            assert [end for end in ends if end > opened] == moves
    store.close()


def count_acknowledged(players: list[Player]) -> int:
    """Return the number of acknowledged decisions."""
    return sum(len(known) for player in players for known in player.acknowledged.values())


@contextmanager
def playing(
    proxy: Proxy | Caddy, count: int, client: type[Client] = Client, listening: int = 1
) -> Iterator[tuple[list[Player], dict[Stream, Player]]]:
    """Let players play during the block and a moment longer, without failures.

    Each has ``listening`` open streams, which have the latest version in the end.
    """
    players = [Player(proxy, client) for _ in range(count)]
    each = [player for player in players for _ in range(listening)]
    streams = {Stream(proxy, player.token, player.first): player for player in each}
    try:
        for player in players:
            player.start()
        yield players, streams
        time.sleep(1)
        for player in players:
            player.stop()
        check_latest_heard(streams)
    finally:
        for thread in (*players, *streams):
            thread.close()
            thread.join(30)
    assert [player.failed for player in players] == [None] * count


def replace(worker: Worker, proxy: Proxy, drain: float) -> None:
    """Stop a worker as an operator does, and start it again."""
    proxy.seen[worker].clear()
    began = time.monotonic()
    worker.tell_to_stop()
    assert worker.ended() == -signal.SIGTERM
    assert time.monotonic() - began < drain + SHUTDOWN_TIMEOUT_S + 5
    assert drain == 0 or 503 in proxy.seen[worker], proxy.seen[worker]
    worker.start()


def check_latest_heard(streams: dict[Stream, Player]) -> None:
    """Check that each stream gets the latest acknowledged version of its match in time."""
    until = time.monotonic() + LEARNT
    for stream, player in streams.items():
        newest = player.acknowledged[player.first][-1][0]
        while stream.newest() < newest:
            assert time.monotonic() < until, (stream.newest(), newest)
            time.sleep(0.02)


def check_all_heard(streams: dict[Stream, Player]) -> None:
    """Check that every version reached every stream of its match in time, also during restarts."""
    for stream, player in streams.items():
        for version, when in player.acknowledged[player.first]:
            heard = next(at for known, at in stream.heard if known >= version)
            assert heard - when < LEARNT, (version, heard - when)


def played(
    settings: Settings,
    workers: list[Worker],
    proxy: Proxy | Caddy,
    replaced: Callable[[Worker], None],
) -> None:
    """Let players play and listen while each worker is replaced."""
    with playing(proxy, PLAYERS, listening=STREAMS) as (players, streams):
        for worker in workers:
            time.sleep(1)
            replaced(worker)
    check_all_heard(streams)
    assert {s for player in players for s in player.client.statuses} <= {200, 201}
    assert {s for stream in streams for s in stream.statuses} == {200}
    assert all(stream.ends for stream in streams)
    check_nothing_lost(settings, players)
    for worker in workers:
        lines = worker.log.read_text().splitlines()
        assert [line for line in lines if " ERROR " in line or "Traceback" in line] == []


def test_restart_without_draining_loses_nothing(tmp_path: Path) -> None:
    """A request may be dropped; repeating it with its key loses nothing."""
    with house(tmp_path, 0.0) as (settings, workers, proxy):
        played(settings, workers, proxy, lambda worker: replace(worker, proxy, 0.0))


def test_restart_behind_the_proxy_of_the_compose_file(tmp_path: Path) -> None:
    """Caddy itself with ``deploy/Caddyfile``; its clients do not lose a single connection."""
    binary = program("caddy")
    with house(tmp_path, 3.0) as (settings, workers, looking):
        caddy = Caddy(workers, binary, tmp_path)
        try:
            # It checks once a second; until then it considers all workers healthy.
            played(settings, workers, caddy, lambda worker: replace(worker, looking, 3.0))
        finally:
            caddy.close()


def test_stopping_worker_fails_its_health_checks(tmp_path: Path) -> None:
    """Requests are still answered, on connections that are then closed; a second signal stops
    it."""
    with house(tmp_path, 30.0, "sqlite") as (_settings, workers, _proxy):
        worker = workers[0]
        worker.tell_to_stop()
        until = time.monotonic() + 5
        while worker.health("ready") != 503:
            assert time.monotonic() < until
        assert worker.health("live") == 503
        asked = Client(Proxy([worker], drops=False))
        asked._proxy.close()
        answer = asked.ask("GET", "/games")
        assert answer.status_code == 200
        assert answer.headers["connection"] == "close"
        worker.tell_to_stop()
        assert worker.ended() == -signal.SIGTERM
