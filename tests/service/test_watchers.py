"""Watchers of a match over real HTTP, in one process and with two workers over Redis.

Seats and a number are sent, never a name, and nothing is stored.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.live import hub
from service.settings import Settings
from tests.service.databases import DATABASES, address_of, fresh
from tests.service.running import server
from tests.service.servers import redis_url
from tests.service.test_live import Caller, Listener

LOOKING = "event: looking"


def told(listener: Listener) -> list[tuple[list[int], int]]:
    """Return the watcher updates of a stream in order: seats, and the number of others."""
    lines = list(listener.lines)
    frames = [
        json.loads(lines[at + 1][6:]) for at, line in enumerate(lines[:-1]) if line == LOOKING
    ]
    assert all(set(frame) == {"seats", "watching"} for frame in frames)
    return [(frame["seats"], frame["watching"]) for frame in frames]


def until(wanted: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def table(address: str, other: str) -> tuple[Caller, Caller, Any]:
    """Return a public match of two players, who may use two workers."""
    ann, bea = Caller(address), Caller(other)
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "visibility": "public",
    }
    match = ann.http.post("/matches", json=body).json()
    joined = bea.http.post(f"/matches/{match['id']}/join", json={"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    return ann, bea, joined.json()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0, heartbeat=0.5)
    with server(settings) as running:
        yield running


@pytest.mark.slow
def test_seats_and_a_number_come_and_go(address: str) -> None:
    ann, bea, match = table(address, address)
    mine = Listener(ann, match)
    until(lambda: told(mine) == [([0], 0)])
    streams = [Listener(bea, match), Listener(bea, match)]
    stranger, passer_by = Caller(address), Caller(address)
    del passer_by.http.headers["Authorization"]
    passer_by.http.cookies.clear()
    streams += [Listener(stranger, match), Listener(stranger, match), Listener(passer_by, match)]
    until(lambda: told(mine)[-1] == ([0, 1], 2))
    until(lambda: told(streams[-1])[-1:] == [([0, 1], 2)])
    for stream in streams[:-1]:
        stream.close()
    until(lambda: told(mine)[-1] == ([0], 1))
    now = ann.http.get(f"/matches/{match['id']}").json()
    assert now["version"] == match["version"]
    names = {line.split(":")[0] for line in mine.lines}
    assert names <= {"", "id", "data", "retry", "event"}
    assert mine.versions() == [match["version"]]
    mine.close()
    streams[-1].close()


@pytest.mark.slow
def test_not_more_than_one_frame_in_two_seconds(address: str) -> None:
    ann, bea, match = table(address, address)
    mine = Listener(ann, match)
    began = time.monotonic()
    while time.monotonic() - began < 5:
        Listener(bea, match).close()
        time.sleep(0.1)
    assert len(told(mine)) <= 1 + (time.monotonic() - began) / hub.WATCHERS_INTERVAL_S
    mine.close()


def test_private_match_reveals_no_watchers_to_strangers(address: str) -> None:
    ann = Caller(address)
    match = ann.open("me", "open")
    answer = httpx.get(f"{address}/api/matches/{match['id']}/live")
    assert answer.status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_workers_share_watchers_over_redis_and_work_without(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.watchers.WORKER_TIMEOUT_S", 5.0)
    monkeypatch.setattr("service.live.watchers.BEATS_PER_FULL_UPDATE", 1)
    apps: list[Any] = []
    with (
        fresh(kind, tmp_path, redis_url=address_of(redis_url)) as settings,
        server(settings, apps.append) as one,
        server(settings) as other,
    ):
        ann, bea, match = table(one, other)
        mine, hers = Listener(ann, match), Listener(bea, match)
        until(lambda: told(mine)[-1:] == [([0, 1], 0)])
        until(lambda: told(hers)[-1:] == [([0, 1], 0)])
        # Updates of the other worker are lost: each knows its own watchers only, and recovers
        # later.
        crowd = apps[0].services.hub._watchers
        heard = crowd.apply_update
        crowd.apply_update = lambda told, now: None
        until(lambda: told(mine)[-1] == ([0], 0))
        crowd.apply_update = heard
        until(lambda: told(mine)[-1] == ([0, 1], 0))
        hers.close()
        until(lambda: told(mine)[-1] == ([0], 0))
        mine.close()
