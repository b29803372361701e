"""Live updates over real HTTP: versions only, resuming, clean ends; two workers over Redis."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from service.live.hub import Hub
from service.settings import Settings
from tests.service.databases import DATABASES, address_of, fresh
from tests.service.running import server
from tests.service.servers import redis_url


class Caller:
    """A player of a running server."""

    def __init__(self, address: str, token: str | None = None) -> None:
        if token is None:
            answer = httpx.post(f"{address}/api/players", json={"name": "Ann"})
            token = answer.json()["token"]
        self.token = token
        self.http = httpx.Client(
            base_url=f"{address}/api", headers={"Authorization": f"Bearer {token}"}, timeout=10
        )

    def open(self, *kinds: str) -> Any:
        seats = [{"kind": kind} for kind in kinds]
        return self.http.post(
            "/matches", json={"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
        ).json()

    def step(self, match: Any) -> Any:
        path = f"/matches/{match['id']}"
        seat = match["to_act"][0]
        choices = self.http.get(f"{path}/choices", params={"seat": seat}).json()["choices"]
        body = {
            "seat": seat,
            "expected_version": match["version"],
            "commands": [choices[0]["command"]],
        }
        return self.http.post(f"{path}/commands", json=body).json()["match"]


class Listener:
    """Reads a live stream in a thread."""

    def __init__(self, caller: Caller, match: Any, seen: int | None = None) -> None:
        self.lines: list[str] = []
        self.ended = threading.Event()
        headers = {} if seen is None else {"Last-Event-ID": str(seen)}
        path = f"/matches/{match['id']}/live"
        self._stream = caller.http.stream("GET", path, headers=headers, timeout=30)
        self.response = self._stream.__enter__()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self.response.iter_lines():
                self.lines.append(line)
        except (httpx.HTTPError, OSError):
            pass
        self.ended.set()

    def versions(self) -> list[int]:
        return [int(line[4:]) for line in self.lines if line.startswith("id: ")]

    def wait_for(self, version: int, seconds: float = 5) -> None:
        deadline = time.monotonic() + seconds
        while version not in self.versions():
            assert time.monotonic() < deadline, self.lines
            time.sleep(0.01)

    def close(self) -> None:
        self.response.close()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0, heartbeat=0.2)
    with server(settings) as running:
        yield running


def test_every_change_arrives_within_a_second(address: str) -> None:
    ann = Caller(address)
    match = ann.open("me", "me")
    listener = Listener(ann, match)
    assert listener.response.headers["content-type"].startswith("text/event-stream")
    listener.wait_for(match["version"])
    for _ in range(3):
        match = ann.step(match)
        listener.wait_for(match["version"], 1)
    listener.close()


@pytest.mark.slow
def test_frames_hold_the_version_and_nothing_else(address: str) -> None:
    ann = Caller(address)
    match = ann.step(ann.open("me", "bot"))
    listener = Listener(ann, match)
    listener.wait_for(match["version"])
    data = [line[6:] for line in listener.lines if line.startswith("data: ")]
    assert [json.loads(text) for text in data] == [{"version": match["version"]}]
    assert all(line.split(":")[0] in ("", "id", "data", "retry") for line in listener.lines)
    listener.close()


@pytest.mark.slow
def test_stream_resumes_after_sleep(address: str) -> None:
    ann = Caller(address)
    match = ann.open("me", "me")
    slept_at = match["version"]
    current = ann.step(match)
    woken = Listener(ann, match, seen=slept_at)
    woken.wait_for(current["version"])
    up_to_date = Listener(ann, match, seen=current["version"])
    current = ann.step(current)
    up_to_date.wait_for(current["version"])
    assert up_to_date.versions() == [current["version"]]
    ahead = Listener(ann, match, seen=10**9)
    ahead.wait_for(current["version"])
    for listener in (woken, up_to_date, ahead):
        listener.close()


@pytest.mark.slow
def test_a_heartbeat_shows_that_the_stream_is_alive(address: str) -> None:
    ann = Caller(address)
    listener = Listener(ann, ann.open("me", "open"))
    deadline = time.monotonic() + 5
    while sum(line.startswith(":") for line in listener.lines) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    listener.close()


@pytest.mark.slow
def test_the_stream_of_a_device_that_was_signed_out_ends(tmp_path: Path) -> None:
    """Within seconds; the stream of the device that signed it out goes on."""
    settings = Settings(data=str(tmp_path), heartbeat=60)
    with server(settings) as address:
        ann, lost = Caller(address), Caller(address)
        match = ann.open("me", "open")
        link = ann.http.post("/players/link").json()["code"]
        token = ann.http.post("/players/link/claim", json={"code": link}).json()["token"]
        lost.http.headers["Authorization"] = f"Bearer {token}"
        staying, ending = Listener(ann, match), Listener(lost, match)
        staying.wait_for(1)
        ending.wait_for(1)
        assert ann.http.delete("/players/devices").status_code == 200
        assert ending.ended.wait(10)
        assert lost.http.get(f"/matches/{match['id']}/live").status_code == 401
        assert not staying.ended.is_set()
        staying.close()


def test_streams_end_and_are_forgotten(tmp_path: Path) -> None:
    """A client that disconnects is forgotten; a stopping server ends its streams and exits at
    once."""
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0, heartbeat=0.1)
    apps: list[Any] = []
    with server(settings, apps.append) as address:
        ann = Caller(address)
        match = ann.open("me", "open")
        leaving, staying = Listener(ann, match), Listener(ann, match)
        hub = apps[0].services.hub
        leaving.wait_for(1)
        staying.wait_for(1)
        assert len(hub._listeners[match["id"]]) == 2
        leaving.close()
        deadline = time.monotonic() + 5
        while len(hub._listeners[match["id"]]) != 1:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    assert staying.ended.wait(3)
    assert hub._listeners == {}


@contextmanager
def two_workers(kind: str, folder: Path) -> Iterator[tuple[str, str]]:
    with (
        fresh(kind, folder, redis_url=address_of(redis_url)) as settings,
        server(settings) as one,
        server(settings) as other,
    ):
        yield one, other


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_workers_share_changes_over_redis(kind: str, tmp_path: Path) -> None:
    with two_workers(kind, tmp_path) as (one, other):
        ann = Caller(one)
        match = ann.open("me", "me")
        elsewhere = Caller(other, ann.token)
        listener = Listener(elsewhere, match)
        listener.wait_for(match["version"])
        match = ann.step(match)
        listener.wait_for(match["version"], 2)
        seen = elsewhere.http.get(f"/matches/{match['id']}").json()
        assert seen == {**match, "forks": []}
        match = elsewhere.step(match)
        assert ann.http.get(f"/matches/{match['id']}").json() == {**match, "forks": []}
        mine = ann.http.get("/matches").json()["items"]
        assert [item["version"] for item in mine] == [match["version"]]
        listener.close()


@pytest.mark.slow
def test_workers_reconnect_after_a_redis_outage(tmp_path: Path) -> None:
    with two_workers("sqlite", tmp_path) as (one, other):
        ann = Caller(one)
        match = ann.open("me", "me")
        listener = Listener(Caller(other, ann.token), match)
        listener.wait_for(match["version"])
        assert redis.Redis.from_url(redis_url()).client_kill_filter(_type="pubsub") >= 2
        match = ann.step(match)
        time.sleep(1.5)
        match = ann.step(match)
        listener.wait_for(match["version"], 5)
        listener.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_of_two_workers_at_a_version_one_wins(kind: str, tmp_path: Path) -> None:
    with two_workers(kind, tmp_path) as (one, other):
        ann = Caller(one)
        match = ann.open("me", "me")
        callers = [ann, Caller(other, ann.token)]
        for _ in range(10):
            path = f"/matches/{match['id']}"
            seat = match["to_act"][0]
            choices = ann.http.get(f"{path}/choices", params={"seat": seat}).json()["choices"]
            bodies = [
                {
                    "seat": seat,
                    "expected_version": match["version"],
                    "commands": [choice["command"]],
                }
                for choice in (choices[0], choices[-1])
            ]
            with ThreadPoolExecutor(2) as threads:
                posts = [
                    threads.submit(caller.http.post, f"{path}/commands", json=body)
                    for caller, body in zip(callers, bodies, strict=True)
                ]
                answers = [post.result() for post in posts]
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            won, lost = sorted(answers, key=lambda answer: answer.status_code)
            assert lost.json()["code"] == "version_conflict"
            assert lost.json()["version"] == won.json()["version"]
            match = callers[1].http.get(path).json()
            assert match["version"] == won.json()["version"]


@pytest.mark.slow
def test_frame_is_encoded_once_for_all_listeners() -> None:
    """The holder of a seat, the holder of another and a spectator get the same frame."""

    async def scenario() -> None:
        hub = Hub(None, heartbeat_s=60)
        async with hub.running():
            ann = hub.add_listener("here", "one", "ann", [0])
            bob = hub.add_listener("here", "two", "bob", [1])
            streams = [hub.frames("here", each, 0) for each in (ann, bob, hub.add_listener("here"))]
            streams.append(hub.frames("there", hub.add_listener("there"), 0))
            looking: dict[int, bytes] = {}

            async def heard(number: int, what: bytes) -> bytes:
                """Return the next frame of a kind; watcher updates arrive at their own interval."""
                while True:
                    frame = await anext(streams[number])
                    if frame.startswith(b"event: looking"):
                        looking[number] = frame
                    if frame.startswith(what):
                        return frame

            for number in range(4):
                await heard(number, b": welcome")
            for version in (7, 8, 2**53):
                hub.announce_version("here", version)
                hub.announce_version("there", version)
                told = [await heard(number, b"id: ") for number in range(4)]
                assert told[0] == b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (version, version)
                assert all(frame is told[0] for frame in told)
            for number in {*range(4)} - {*looking}:
                await heard(number, b"event: looking")
            assert looking[0] == (b'event: looking\r\ndata: {"seats":[0,1],"watching":1}\r\n\r\n')
            assert looking[0] is looking[1]
            assert looking[0] is looking[2]
            assert looking[3] == b'event: looking\r\ndata: {"seats":[],"watching":1}\r\n\r\n'

    asyncio.run(asyncio.wait_for(scenario(), 30))


@pytest.mark.slow
def test_heartbeat_is_sent_only_when_idle() -> None:
    async def scenario() -> None:
        hub = Hub(None, heartbeat_s=1.5)
        async with hub.running():
            stream = hub.frames("here", hub.add_listener("here"), 0)
            frames: list[bytes] = []

            async def read() -> None:
                async for each in stream:
                    frames.append(each)

            reading = asyncio.create_task(read())
            for version in range(1, 21):
                hub.announce_version("here", version)
                await asyncio.sleep(0.1)
            assert b": still here\r\n\r\n" not in frames
            assert frames[-1].startswith((b"id: 20\r", b"event: looking"))
            for alive in (1, 2):
                while frames.count(b": still here\r\n\r\n") < alive:
                    await asyncio.sleep(0.02)
            hub.end_streams()
            await reading

    asyncio.run(asyncio.wait_for(scenario(), 30))
