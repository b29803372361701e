"""Delay from a command to 2,000 live streams, of one match and of many.

Measured with one worker on SQLite; streams and commands are in another process. A delay begins when
a command is sent and ends when a stream has received the resulting version. With one match, all
streams receive each command. With many matches, each has two streams, and commands go to random
matches at a fixed rate.
"""

import asyncio
import json
import random
import re
import statistics
import sys
import time
from functools import partial
from typing import Any

import uvloop

from benchmarks.http_commands import Client, create_player, prepare_match
from benchmarks.places import empty_store
from benchmarks.process import PORT, raise_file_limit, run_client, run_workers

STREAMS = 2_000
COMMANDS = 40
"""Number of commands in one match."""
COMMANDS_PER_S = 50
"""Commands per second in many matches, for `DURATION_S`."""
DURATION_S = 8
_VERSION = re.compile(rb"id: (\d+)")


class StreamClient(asyncio.Protocol):
    """An open stream that records when it receives each version of its match."""

    def __init__(self, token: str, path: str, received: dict[int, list[float]]) -> None:
        self._request = (
            f"GET {path}/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        ).encode()
        self._received = received
        self.open_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        for found in _VERSION.findall(data):
            self._received.setdefault(int(found), []).append(now)
            if not self.open_future.done():
                self.open_future.set_result(None)


class StreamedMatch:
    """A match, the commands to play, and the times at which streams received its versions."""

    def __init__(self, client: Client, path: str, version: int, series: list[Any]) -> None:
        self.client, self.path, self.version = client, path, version
        self.series = series[::-1]
        self.received: dict[int, list[float]] = {}
        self.sent: dict[int, float] = {}
        self.lock = asyncio.Lock()

    async def play(self) -> None:
        """Send the next command once the previous one is answered."""
        async with self.lock:
            seat, command = self.series.pop()
            wish = {"seat": seat, "expected_version": self.version, "commands": [command]}
            began = time.perf_counter()
            self.version = (await self.client.post(f"{self.path}/commands", wish))["version"]
            self.sent[self.version] = began

    def delays(self) -> list[float]:
        """Return the milliseconds from each command to each stream that received it."""
        return [
            (heard - began) * 1000
            for version, began in self.sent.items()
            for heard in self.received.get(version, ())
        ]


async def create_matches(token: str, count: int, steps: int) -> list[StreamedMatch]:
    """Create matches that can be played for ``steps`` commands."""
    return [StreamedMatch(*await prepare_match(token, seed, steps=steps)) for seed in range(count)]


async def open_streams(token: str, matches: list[StreamedMatch], streams: int) -> None:
    """Open ``streams`` streams, spread evenly over the matches."""
    loop = asyncio.get_running_loop()
    phones = []
    for number in range(streams):
        table = matches[number % len(matches)]
        made = partial(StreamClient, token, table.path, table.received)
        _, phone = await loop.create_connection(made, "127.0.0.1", PORT)
        phones.append(phone)
    await asyncio.gather(*(phone.open_future for phone in phones))
    await asyncio.sleep(3)


async def measure_one_match(token: str, streams: int) -> dict[str, float]:
    """Return the delays of ``streams`` streams of one match, as `delay_percentiles`.

    Each command is sent once all streams have received the previous one, or after 10 seconds.
    """
    (table,) = await create_matches(token, 1, COMMANDS)
    await open_streams(token, [table], streams)
    for _ in range(len(table.series)):
        await table.play()
        until = time.perf_counter() + 10
        while len(table.received.get(table.version, ())) < streams and time.perf_counter() < until:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1)
    return delay_percentiles(table.delays(), streams * len(table.sent))


async def measure_many_matches(token: str, streams: int) -> dict[str, float]:
    """Return the delays in many matches with two streams each, as `delay_percentiles`.

    `COMMANDS_PER_S` commands per second are sent, whether or not earlier ones were received.
    """
    some = await create_matches(token, streams // 2, 2)
    await open_streams(token, some, streams)
    for table in some:
        await table.client.open()  # the service has closed idle connections
    turns = [table for table in some for _ in table.series]
    random.Random(1).shuffle(turns)
    playing = []
    for table in turns[: COMMANDS_PER_S * DURATION_S]:
        playing.append(asyncio.ensure_future(table.play()))
        await asyncio.sleep(1 / COMMANDS_PER_S)
    await asyncio.gather(*playing)
    await asyncio.sleep(1)
    each = streams // len(some)
    delays = [delay for table in some for delay in table.delays()]
    return delay_percentiles(delays, each * len(playing))


def delay_percentiles(delays: list[float], expected: int) -> dict[str, float]:
    """Return "p50", "p99" and "worst" of the delays in milliseconds, and the share that "came".

    ``expected``: the number of messages that the streams should have received.
    """
    hundredths = statistics.quantiles(delays, n=100)
    return {
        "p50": statistics.median(delays),
        "p99": hundredths[98],
        "worst": max(delays),
        "came": len(delays) / expected,
    }


async def run_load(kind: str, streams: int) -> None:
    token = await create_player()
    found = await (measure_one_match if kind == "one" else measure_many_matches)(token, streams)
    print(json.dumps(found))


def main() -> None:
    raise_file_limit()
    streams = int([*sys.argv[1:], str(STREAMS)][0])
    for how in ("one", "many"):
        limits = {"MAX_STREAMS": "0", "ADDRESS_STREAMS": "0"}
        with empty_store("SQLite") as settings, run_workers(settings, 1, **limits):
            found = run_client("benchmarks.streams", how, streams)
        print(
            f"{streams} streams over {how:4} match{'es' * (how == 'many')}: "
            f"p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms, worst {found['worst']:.1f} ms,"
            f" {found['came']:.1%} came",
            flush=True,
        )


if __name__ == "__main__":
    uvloop.run(run_load(sys.argv[2], int(sys.argv[3])))
