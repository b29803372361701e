"""Commands per second without readers, and with 64 readers.

Measured with one worker, on SQLite and on PostgreSQL, each on a fresh store. Readers alternately
request their list of matches and a match: either twice a second each, like people who browse, or
without a pause, which is the worst case. Writers play 16 matches of `http_commands`, sending each
command when the previous one is answered, and start again at the end. As an upper bound, readers
request just as often a response that needs no match, list or database. Intervals of each kind
alternate, so that other load on the machine affects all of them equally. The load runs in a
separate process.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import uvloop
from msgspec import Struct

from benchmarks.http_commands import Client, create_player, prepare_match
from benchmarks.places import empty_store
from benchmarks.process import ROOT, run_service
from tests.service.servers import Missing

WRITERS = 16
READERS = 64
CHEAP_PATH = "/health/live"
INTERVAL_S = 1.0
REPETITIONS = 8
LOAD_KINDS = (
    ("nobody reads", None, False),
    (f"{READERS} who ask for nothing, as often", 0.5, True),
    (f"{READERS} readers, twice a second each", 0.5, False),
    (f"{READERS} readers without a pause", 0.0, False),
)


class Load:
    """Writers and readers, and their counts in the current interval."""

    def __init__(self) -> None:
        self.pause: float | None = None
        self.bare = False  # whether readers request `CHEAP_PATH`
        self.delays: list[float] = []
        self.answers = 0
        self.pending = 0  # readers waiting for their response

    async def write(self, client: Client, path: str, start: int, series: Sequence[Any]) -> None:
        """Play a match repeatedly, undoing it to its start each time."""
        version = start
        while True:
            for seat, command in series:
                wish = {"seat": seat, "expected_version": version, "commands": [command]}
                began = time.perf_counter()
                status, body = await client.ask("POST", f"{path}/commands", wish)
                assert status == 200, body
                self.delays.append(time.perf_counter() - began)
                version = json.loads(body)["version"]
            wish = {"seat": 0, "expected_version": version, "to_version": start}
            start = version = (await client.post(f"{path}/undo", wish))["version"]

    async def read(self, client: Client, number: int, match: str) -> None:
        """Send read requests during intervals with readers."""
        await client.open()
        while True:
            if self.pause is None:
                await asyncio.sleep(0.05)
                continue
            await asyncio.sleep(self.pause * (number + 1) / READERS)
            for path in ("/api/matches", f"/api/matches/{match}"):
                if (pause := self.pause) is None:
                    break
                self.pending += 1
                status, _ = await client.ask("GET", CHEAP_PATH if self.bare else path)
                assert status == 200, status
                self.pending -= 1
                self.answers += 1
                await asyncio.sleep(pause)

    async def run_interval(self, pause: float | None, bare: bool) -> tuple[float, list[float], int]:
        """Run one interval; return its seconds, the delays of commands and the number of responses.

        ``pause``: seconds between two requests of a reader, None for no readers. ``bare``: whether
        they request `CHEAP_PATH`.
        """
        self.pause, self.bare = pause, bare
        await asyncio.sleep(INTERVAL_S / 4)
        while pause is None and self.pending:
            await asyncio.sleep(0.01)
        self.delays, self.answers = [], 0
        began = time.perf_counter()
        await asyncio.sleep(INTERVAL_S)
        return time.perf_counter() - began, self.delays, self.answers


class IntervalTotals(Struct):
    """The counts of all intervals of one kind."""

    seconds: float = 0.0
    delays: list[float] = []
    answers: int = 0

    def format_line(self, alone: float) -> str:
        commands = len(self.delays) / self.seconds
        late = sorted(self.delays)[len(self.delays) * 99 // 100] * 1000
        share = f"({commands / alone:4.0%}, p99 {late:4.0f} ms)"
        return f"{commands:6,.0f} commands {share} {self.answers / self.seconds:6,.0f} answers"


async def run_load() -> None:
    """Run the load and print the results."""
    token = await create_player()
    matches = [await prepare_match(token, seed) for seed in range(WRITERS)]
    looked_at = matches[0][1].rpartition("/")[2]
    of = Load()
    tasks = [asyncio.create_task(of.write(*match)) for match in matches]
    tasks += [asyncio.create_task(of.read(Client(token), n, looked_at)) for n in range(READERS)]
    found = [IntervalTotals() for _ in LOAD_KINDS]
    for _ in range(REPETITIONS):
        for each, (_, pause, bare) in zip(found, LOAD_KINDS, strict=True):
            seconds, delays, answers = await of.run_interval(pause, bare)
            each.seconds += seconds
            each.delays += delays
            each.answers += answers
    for task in tasks:
        assert not task.done(), task.exception()
        task.cancel()
    alone = len(found[0].delays) / found[0].seconds
    for each, (name, _, _) in zip(found, LOAD_KINDS, strict=True):
        print(f"  {name:35} {each.format_line(alone)}")


def main() -> None:
    for kind in ("SQLite", "PostgreSQL"):
        print(f"a second, one worker, {kind}, {os.cpu_count()} cores:", flush=True)
        try:
            with (
                empty_store(kind) as settings,
                run_service(settings.data, DATABASE_URL=settings.database_url),
            ):
                subprocess.run([sys.executable, "-m", "benchmarks.readers", "load"], cwd=ROOT)
        except Missing as problem:
            print(f"  not measured: {problem}")


if __name__ == "__main__":
    if sys.argv[1:] == ["load"]:
        uvloop.run(run_load())
    else:
        main()
