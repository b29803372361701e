"""Opening matches of 250 to 5,000 decisions over HTTP: from memory, and from the store.

Two matches of each length are stored for a service that caches one match. Warm: the same match is
requested repeatedly. Cold: the two are requested alternately, so each request opens its match from
SQLite. The requests are for the latest version, a command, a retry of that command with the same
Idempotency-Key, and version 10, for which the beginning is read from the log.
"""

import itertools
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from typing import Any

import httpx
from msgspec import to_builtins
from msgspec.structs import replace

from benchmarks.process import new_player, run_service
from benchmarks.timeline import SLUG, long_match, random_moves_after
from domain.match.history import Decision
from domain.match.timeline import Timeline
from service.settings import Settings
from service.store import Store, StoredDecision
from service.store_setup import open_store

SIZES = (250, 1_000, 5_000)
REPETITIONS = 40


def time_requests(requests: Iterable[Callable[[], httpx.Response]]) -> list[float]:
    """Return the milliseconds that each request took."""
    found = []
    for request in requests:
        began = time.perf_counter()
        answer = request()
        found.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.text
    return found


def format_times(found: list[float]) -> str:
    worst = statistics.quantiles(found, n=20)[18]
    return f"{statistics.median(found):6.1f} ms median {worst:6.1f} ms p95"


def assign_seats(timeline: Timeline, player: str) -> list[Decision]:
    """Return the decisions of a match, with all seats and the ownership given to this player."""
    first, *rest = timeline.decisions
    opened, *more = first.events
    seats = tuple(replace(seat, player=player) for seat in opened.seats)
    opened = replace(opened, owner=player, seats=seats)
    return [replace(first, events=(opened, *more)), *rest]


def get_request(client: httpx.Client, path: str, query: str = "") -> Callable[[], httpx.Response]:
    return lambda: client.get(path + query)


def measure(client: httpx.Client, store: Store, player: str, timeline: Timeline) -> None:
    keys = [uuid.uuid4(), uuid.uuid4()]
    for key in keys:
        store.save_decisions(
            [StoredDecision(key, SLUG, decision) for decision in assign_seats(timeline, player)]
        )
    paths = [f"/api/matches/{key}" for key in keys]
    for path in paths:
        time_requests([get_request(client, path)])
    time.sleep(1)
    count = len(timeline.decisions)

    moves = random_moves_after(timeline, REPETITIONS // 2)
    versions = dict.fromkeys(paths, timeline.version)
    turns = [path for _ in moves for path in paths]
    asked = []
    for number, (seat, command) in enumerate(moves):
        wish = {"seat": seat, "commands": [to_builtins(command)]}
        asked += [(path, f"{count}-{number}", wish) for path in paths]
    sent: dict[tuple[str, str], dict[str, Any]] = {}

    def played(path: str, key: str, wish: dict[str, Any]) -> httpx.Response:
        body = sent.setdefault((path, key), {**wish, "expected_version": versions[path]})
        answer = client.post(f"{path}/commands", json=body, headers={"Idempotency-Key": key})
        versions[path] = answer.json().get("version", 0)
        return answer

    warm = time_requests(
        get_request(client, path) for path in itertools.repeat(paths[0], REPETITIONS)
    )
    print(f"{count:5} decisions, warm : {format_times(warm)}")
    for name, requests in (
        ("how it stands", [get_request(client, path) for path in turns]),
        ("a command", [partial(played, *each) for each in asked]),
        ("the same again", [partial(played, *each) for each in asked]),
        ("version 10", [get_request(client, path, "?at=10") for path in turns]),
    ):
        print(f"      cold, {name:14}: {format_times(time_requests(requests))}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as data, run_service(data, CACHE_MB="0") as base:
        client, player = new_player(base)
        with closing(client), closing(open_store(Settings(data=data))) as store:
            for size in SIZES:
                measure(client, store, player["player_id"], long_match(size))


if __name__ == "__main__":
    main()
