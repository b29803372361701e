"""Commands and lists with 100, 10,000 and 100,000 matches in the store.

Each match has 20 decisions and is written directly to the store. The read models are built, and all
data is flushed to disk, before anything is timed. There is one service for each number of matches.
First a single client repeatedly makes a move and then loads lists, which must show the move, on
each service in turn; then the load of `http_commands` runs on each. Other numbers of matches can be
given as arguments.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from contextlib import ExitStack, closing
from functools import partial

from benchmarks.http_commands import create_player, measure, prepare_match
from benchmarks.places import empty_store
from benchmarks.process import PORT, run_service
from benchmarks.read_models import write_log
from projections.read_models import ReadModels
from projections.runner import Projector
from service.settings import Settings
from service.store import library_settings
from service.store_setup import open_store

SIZES = (100, 10_000, 100_000)
DECISIONS = 20
ROUNDS = 200
PATHS = {
    "own list": "/api/matches",
    "public tables": "/api/matches?scope=public",
    "open ones": "/api/matches?scope=public&status=open",
}


def fill_store(settings: Settings, matches: int) -> int:
    """Fill the store and its lists with matches; return the id of the newest log entry."""
    with (
        closing(open_store(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        write_log(store, matches, DECISIONS)
        Projector(store, views, open_log=partial(open_store, settings)).rebuild()
        newest = store.newest_entry_id()
    # Otherwise the next measurement would wait for the disk to write some hundred megabytes.
    os.sync()
    return newest


class Person:
    """A player who moves, then loads lists.

    ``durations``: by name of the request, the milliseconds that each one took.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.durations: dict[str, list[float]] = {"command": [], **{name: [] for name in PATHS}}

    async def open_match(self) -> None:
        """Open a match."""
        match = await prepare_match(await create_player(self._port), 1, self._port)
        self._client, self._path, self._start, self._series = match
        self._version, self._moves = self._start, 0

    async def _send_timed(self, name: str, method: str, where: str, wish: object = None) -> bytes:
        began = time.perf_counter()
        status, found = await self._client.ask(method, where, wish)
        self.durations[name].append(1000 * (time.perf_counter() - began))
        assert status == 200, found
        return found

    async def play_round(self) -> None:
        """Make one move, after an undo to the start if none is left, then load each list."""
        if self._moves == len(self._series):
            back = {"seat": 0, "expected_version": self._version, "to_version": self._start}
            undone = await self._client.post(f"{self._path}/undo", back)
            self._version = self._start = undone["version"]
            self._moves = 0
        seat, command = self._series[self._moves]
        wish = {"seat": seat, "expected_version": self._version, "commands": [command]}
        body = await self._send_timed("command", "POST", f"{self._path}/commands", wish)
        self._version, self._moves = json.loads(body)["version"], self._moves + 1
        for name, where in PATHS.items():
            await self._send_timed(name, "GET", where)


async def measure_alone(ports: list[int]) -> list[dict[str, float]]:
    """Return the median milliseconds of each request of a single client, per service.

    The services alternate, so that other load of the machine affects all of them equally.
    """
    people = [Person(port) for port in ports]
    for person in people:
        await person.open_match()
    for _ in range(ROUNDS):
        for person in people:
            await person.play_round()
    return [{name: statistics.median(t) for name, t in p.durations.items()} for p in people]


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    with ExitStack() as stack:
        stores = [stack.enter_context(empty_store("SQLite")) for _ in sizes]
        newest = []
        for settings, matches in zip(stores, sizes, strict=True):
            began = time.perf_counter()
            newest.append(fill_store(settings, matches))
            print(
                f"{matches:7,} matches: filled in {time.perf_counter() - began:.0f} s", flush=True
            )
        with ExitStack() as running:
            ports = [PORT + 10 + number for number in range(len(sizes))]
            for settings, port in zip(stores, ports, strict=True):
                running.enter_context(run_service(settings.data, port))
            delays = asyncio.run(measure_alone(ports))
        for matches, found in zip(sizes, delays, strict=True):
            told = [
                f"{name} {ms:.2f} ms ({ms / delays[0][name]:.2f})" for name, ms in found.items()
            ]
            print(f"{matches:7,} matches, one person: {', '.join(told)}", flush=True)
        for matches, settings, after in zip(sizes, stores, newest, strict=True):
            print(
                f"{matches:7,} matches, load: {measure(settings, after=after).summary}", flush=True
            )


if __name__ == "__main__":
    main()
