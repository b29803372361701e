"""Accepted commands per second over HTTP, compared with raw saves of the event store.

Measured with one worker on SQLite, and with one and two on PostgreSQL, each on a fresh store, in
the first game of the lobby with two seats. The commands are determined beforehand (each match is
played with random choices, then undone to its start), so the timed part consists only of
``POST .../commands``, one command per request, from a separate process. Raw saves write the same
decisions one by one, without HTTP, rules or read models.
"""

import asyncio
import json
import os
import random
import sys
import time
import uuid
from functools import partial
from typing import Any

import uvloop
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.places import empty_store
from benchmarks.process import PORT, run_client, run_workers
from benchmarks.timeline import SLUG
from service.settings import Settings
from service.store_setup import open_store
from tests.service.servers import Missing, redis_url

MATCHES = 64
STEPS = 50
SAVES = 3_000
METRICS_TOKEN = "m" * 32
"""Metrics token, with which the CPU time of the workers is read."""
JSON_HEADER = "Content-Type: application/json\r\n"


class Client:
    """A minimal HTTP client on one keep-alive connection."""

    def __init__(self, token: str = "", port: int = PORT) -> None:
        self.port = port
        self._head = f"Host: x\r\nAuthorization: Bearer {token}\r\n" if token else "Host: x\r\n"

    async def open(self) -> None:
        """Open the connection."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Send a request; return status and body of the response."""
        data = b"" if body is None else json.dumps(body).encode()
        size = f"Content-Length: {len(data)}"
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{JSON_HEADER}{size}\r\n\r\n"
        self._writer.write(head.encode() + data)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return int(answer[9:12]), await self._reader.readexactly(length)

    async def post(self, path: str, body: Any) -> Any:
        """Send a POST request, which must succeed; return the decoded response."""
        status, answer = await self.ask("POST", path, body)
        assert status in (200, 201), answer
        return json.loads(answer)


async def prepare_match(
    token: str, seed: int, port: int = PORT, steps: int = STEPS
) -> tuple[Client, str, int, list[tuple[int, Any]]]:
    """Create a match, and a series of ``(seat, command)`` that can be played from its start.

    Returns the client, the path and version of the match, and the series.
    """
    dice = random.Random(seed)
    client = Client(token, port)
    await client.open()
    seats = [{"kind": "me"}, {"kind": "me"}]
    match = await client.post("/api/matches", {"game": SLUG, "seats": seats})
    path = f"/api/matches/{match['id']}"
    start = match["version"]
    series: list[tuple[int, Any]] = []
    while match["to_act"] and len(series) < steps:
        seat = match["to_act"][0]
        _, body = await client.ask("GET", f"{path}/choices?seat={seat}")
        command = dice.choice(json.loads(body)["choices"])["command"]
        wish = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        match = (await client.post(f"{path}/commands", wish))["match"]
        series.append((seat, command))
    if match["status"] == "finished":
        return await prepare_match(token, seed + 10_000, port, steps)
    wish = {"seat": 0, "expected_version": match["version"], "to_version": start}
    undone = await client.post(f"{path}/undo", wish)
    return client, path, undone["version"], series


class Player(asyncio.Protocol):
    """Low-overhead client that plays a series over one connection, one command per request."""

    def __init__(
        self, token: str, path: str, version: int, series: list[tuple[int, Any]], query: str = ""
    ) -> None:
        self._version = version
        self._head = (
            f"POST {path}/commands{query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"{JSON_HEADER}Content-Length: "
        ).encode()
        self._tails = [
            f',"seat":{seat},"commands":[{json.dumps(command)}]}}'.encode()
            for seat, command in reversed(series)
        ]
        self._buffer = b""
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def play(self) -> None:
        """Send the next command."""
        body = b'{"expected_version":%d' % self._version + self._tails.pop()
        self._transport.write(self._head + b"%d\r\n\r\n" % len(body) + body)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        if head[9:12] != b"200":
            self.finished.set_exception(AssertionError(self._buffer[:500]))
            return
        start = head.index(b"content-length: ") + 16
        if len(body) < int(head[start : start + 8].split(b"\r")[0]):
            return
        # The response begins with the version; the rest is not needed to continue.
        self._version = int(body[len(b'{"version":') : body.index(b",")])
        self._buffer = b""
        if self._tails:
            self.play()
        else:
            self.finished.set_result(None)


async def cpu_seconds(ports: list[int]) -> float:
    """Return the CPU time in seconds that the workers have used so far, from their metrics."""
    used = 0.0
    for port in ports:
        client = Client(METRICS_TOKEN, port)
        await client.open()
        _, body = await client.ask("GET", "/metrics")
        used += float(body.split(b"\nprocess_cpu_seconds_total ")[1].split(b"\n")[0])
    return used


async def create_player(port: int = PORT) -> str:
    """Create a player and return their token."""
    client = Client(port=port)
    await client.open()
    made = await client.post("/api/players", {"name": "Load"})
    return str(made["token"])


async def run_load(query: str, ports: list[int]) -> None:
    """Run the load client; print commands, seconds and the workers' CPU time as JSON.

    ``query``: the query string of each command, "" or with its question mark.
    """
    token = await create_player(ports[0])
    matches = [
        await prepare_match(token, seed, ports[seed % len(ports)]) for seed in range(MATCHES)
    ]
    loop = asyncio.get_running_loop()
    players = []
    for client, path, version, series in matches:
        protocol = partial(Player, token, path, version, series, query)
        _, player = await loop.create_connection(protocol, "127.0.0.1", client.port)
        players.append(player)
    await asyncio.sleep(2)
    used = await cpu_seconds(ports)
    began = time.perf_counter()
    for player in players:
        player.play()
    await asyncio.gather(*(player.finished for player in players))
    took = time.perf_counter() - began
    used = await cpu_seconds(ports) - used
    count = sum(len(m[3]) for m in matches)
    print(json.dumps({"commands": count, "seconds": took, "processor": used}))


def measure_raw_saves(settings: Settings, after: int = 0) -> float:
    """Return the saves per second of the event store.

    The decisions after the log entry ``after`` are saved again one by one, as decisions of new
    matches in the same store.
    """
    store = open_store(settings)
    notices = store.read_entries(after, 10**6)
    games = {notice.match: store.decisions(notice.match) for notice in notices}
    others = {match: uuid.uuid4() for match in games}
    decisions = [
        replace(recorded, originator_id=others[match])
        for match, game in games.items()
        for recorded in game
    ]
    began = time.perf_counter()
    for recorded in decisions[:SAVES]:
        store.save_decisions([recorded])
    took = time.perf_counter() - began
    store.close()
    return len(decisions[:SAVES]) / took


class Throughput(Struct, frozen=True):
    """Commands and raw saves per second; ``processor``: microseconds of CPU time per command."""

    commands: float
    saves: float
    processor: float

    @property
    def summary(self) -> str:
        ratio = self.commands / self.saves
        return (
            f"{self.commands:7,.0f} commands, {self.saves:7,.0f} raw saves (ratio {ratio:.2f});"
            f" {self.processor:,.0f} microseconds of processor a command"
        )


def measure(settings: Settings, count: int = 1, after: int = 0, query: str = "") -> Throughput:
    """Return the throughput of ``count`` workers on a store, and that of raw saves.

    ``after``: the id of the newest log entry in the store; ``query``: as in `run_load`.
    """
    # Several workers share updates and rate limits through Redis.
    more = {"REDIS_URL": redis_url()} if count > 1 else {}
    more["METRICS_TOKEN"] = METRICS_TOKEN
    with run_workers(settings, count, **more) as ports:
        result = run_client("benchmarks.http_commands", query, *ports)
    commands = result["commands"]
    used = 1e6 * result["processor"] / commands
    return Throughput(commands / result["seconds"], measure_raw_saves(settings, after), used)


def main() -> None:
    print("a second:")
    alone = 0.0
    for kind, count in (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2)):
        try:
            with empty_store(kind) as settings:
                found = measure(settings, count)
        except Missing as problem:
            print(f"  {kind}: not measured: {problem}")
            continue
        print(f"  {count} worker{'s' * (count > 1)}, {kind:10} {found.summary}", flush=True)
        if count == 1:
            alone = found.commands
        else:
            cores = os.cpu_count() or 1
            short = "" if cores > 2 * count else f"; {cores} cores for load, workers and database"
            print(f"    {found.commands / alone:.2f} times one worker{short}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["load"]:
        uvloop.run(run_load(sys.argv[2], [int(port) for port in sys.argv[3:]]))
    else:
        main()
