"""Accepted commands a second over HTTP beside raw saves of the event store.

One worker, SQLite in a fresh folder, the first game of the lobby, two at a table. The commands are
found out beforehand (each match is played with choices at random, then taken back to its start),
so the timed part is nothing but `POST .../commands`, one command a request, from a process of its
own. Raw saves write the same decisions one by one, without HTTP, rules or read models.

Run: python -m benchmarks.http_commands
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import uuid
from functools import partial
from typing import Any

import uvloop

from benchmarks.process import PORT, ROOT, service
from benchmarks.timeline import SLUG

MATCHES = 64
STEPS = 50
JSON = "Content-Type: application/json\r\n"


class Client:
    """A keep-alive connection that speaks just enough HTTP."""

    def __init__(self, token: str = "") -> None:
        self._head = f"Host: x\r\nAuthorization: Bearer {token}\r\n" if token else "Host: x\r\n"

    async def open(self) -> None:
        """Connects."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", PORT)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """One request and its answer: status and body."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{JSON}Content-Length: {len(data)}\r\n\r\n"
        self._writer.write(head.encode() + data)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return int(answer[9:12]), await self._reader.readexactly(length)


async def prepared(token: str, seed: int) -> tuple[Client, str, int, list[tuple[int, Any]]]:
    """A match at its start and a series of (seat, command) that can be played from there."""
    dice = random.Random(seed)
    client = Client(token)
    await client.open()
    seats = [{"kind": "me"}, {"kind": "me"}]
    _, body = await client.ask("POST", "/api/matches", {"game": SLUG, "seats": seats})
    match = json.loads(body)
    path = f"/api/matches/{match['id']}"
    start = match["version"]
    series: list[tuple[int, Any]] = []
    while match["to_act"] and len(series) < STEPS:
        seat = match["to_act"][0]
        _, body = await client.ask("GET", f"{path}/choices?seat={seat}")
        command = dice.choice(json.loads(body)["choices"])["command"]
        wish = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        status, body = await client.ask("POST", f"{path}/commands", wish)
        assert status == 200, body
        match = json.loads(body)["match"]
        series.append((seat, command))
    if match["status"] == "finished":
        return await prepared(token, seed + 10_000)
    wish = {"seat": 0, "expected_version": match["version"], "to_version": start}
    status, body = await client.ask("POST", f"{path}/undo", wish)
    assert status == 200, body
    return client, path, json.loads(body)["version"], series


class Player(asyncio.Protocol):
    """Plays a series over one connection, one command a request, at the least cost of its own."""

    def __init__(self, token: str, path: str, version: int, series: list[tuple[int, Any]]) -> None:
        self._version = version
        self._head = (
            f"POST {path}/commands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"{JSON}Content-Length: "
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
        """Sends the next command."""
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
        # The answer begins with the version; no more of it is needed to go on.
        self._version = int(body[len(b'{"version":') : body.index(b",")])
        self._buffer = b""
        if self._tails:
            self.play()
        else:
            self.finished.set_result(None)


async def load() -> None:
    """The load client: prints commands and seconds as JSON."""
    first = Client()
    await first.open()
    _, body = await first.ask("POST", "/api/players", {"name": "Load"})
    token = json.loads(body)["token"]
    matches = [await prepared(token, seed) for seed in range(MATCHES)]
    loop = asyncio.get_running_loop()
    players = []
    for _client, path, version, series in matches:
        protocol = partial(Player, token, path, version, series)
        _, player = await loop.create_connection(protocol, "127.0.0.1", PORT)
        players.append(player)
    await asyncio.sleep(2)
    began = time.perf_counter()
    for player in players:
        player.play()
    await asyncio.gather(*(player.finished for player in players))
    took = time.perf_counter() - began
    print(json.dumps({"commands": sum(len(m[3]) for m in matches), "seconds": took}))


def raw_saves(data: str) -> float:
    """Saves of the event store a second: the decisions of the timed part, one by one."""
    from service.settings import Settings
    from service.store import Store

    played_store = Store(Settings(data=data))
    notices = played_store.notices(0, 10**6)
    games: dict[uuid.UUID, list[Any]] = {n.match: [] for n in notices}
    for match in games:
        games[match] = played_store.decisions(match)
    decisions = [d for game in games.values() for d in game]
    played_store.close()
    with tempfile.TemporaryDirectory() as fresh:
        store = Store(Settings(data=fresh))
        began = time.perf_counter()
        for recorded in decisions:
            store.put([recorded])
        took = time.perf_counter() - began
        store.close()
    return len(decisions) / took


def measure() -> dict[str, float]:
    """Runs service and load client; gives commands and raw saves a second and their ratio."""
    with tempfile.TemporaryDirectory() as data:
        with service(data):
            client = subprocess.run(
                [sys.executable, "-m", "benchmarks.http_commands", "load"],
                check=True,
                capture_output=True,
                text=True,
                cwd=ROOT,
            )
        result = json.loads(client.stdout)
        saves = raw_saves(data)
    commands = result["commands"] / result["seconds"]
    return {"commands_per_second": commands, "saves_per_second": saves, "ratio": commands / saves}


def main() -> None:
    found = measure()
    print("per second, one worker, SQLite:")
    print(f"  commands accepted over HTTP  {found['commands_per_second']:7,.0f}")
    print(f"  raw saves of the event store {found['saves_per_second']:7,.0f}")
    print(f"  ratio                        {found['ratio']:7.2f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["load"]:
        uvloop.run(load())
    else:
        main()
