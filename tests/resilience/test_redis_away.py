"""Redis is down, hangs or sends nonsense: moves go on, and every stream gets them."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.live import hub
from service.settings import Settings
from tests.resilience.disposable_servers import Redis, started
from tests.service.running import server
from tests.service.test_live import Caller, Listener

LEARNT = 5.0
"""Seconds in which every open stream has the latest version."""


@pytest.fixture
def own() -> Iterator[Redis]:
    with started(Redis) as made:
        yield made


@pytest.fixture
def settings(own: Redis, tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path), redis_url=own.url, play_limit=50_000)


def timed_step(caller: Caller, match: dict) -> dict:  # type: ignore[type-arg]
    began = time.monotonic()
    match = caller.step(match)
    assert time.monotonic() - began < 2, "no move waits for Redis"
    return match


def test_workers_start_without_it_and_find_it_later(own: Redis, settings: Settings) -> None:
    own.kill()
    with server(settings) as one, server(settings) as other:
        ann = Caller(one)
        match = ann.open("me", "me")
        listener = Listener(Caller(other, ann.token), match)
        listener.wait_for(match["version"])
        match = timed_step(ann, match)
        listener.wait_for(match["version"], LEARNT)
        own.start()
        time.sleep(3)
        match = timed_step(ann, match)
        # Over Redis again, so much sooner than by polling.
        listener.wait_for(match["version"], hub.POLL_INTERVAL_S / 2)
        listener.close()


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_streams_learn_what_happened_meanwhile(own: Redis, settings: Settings, fault: str) -> None:
    """ "Open streams learn what they missed within 5 s (today never, until the next move)"."""
    with server(settings) as one, server(settings) as other:
        ann = Caller(one)
        match = ann.open("me", "me")
        listener = Listener(Caller(other, ann.token), match)
        listener.wait_for(match["version"])
        getattr(own, fault)()
        for _ in range(3):
            match = timed_step(ann, match)
        listener.wait_for(match["version"], LEARNT)
        own.start() if fault == "kill" else own.thaw()
        match = timed_step(ann, match)
        listener.wait_for(match["version"], LEARNT)
        listener.close()


def test_unreadable_message_is_dropped_and_counted(own: Redis, settings: Settings) -> None:
    made = []
    with server(settings) as one, server(settings, made.append) as other:
        ann = Caller(one)
        match = ann.open("me", "me")
        listener = Listener(Caller(other, ann.token), match)
        listener.wait_for(match["version"])
        stranger = redis.Redis.from_url(own.url)
        for message in (b"\xff", b"{}", b'["x"]', b"[1, 2]", b""):
            assert stranger.publish("caravanserai:matches", message) == 2
            assert stranger.publish("caravanserai:looking", message) == 2
        assert stranger.publish("matches", b"nonsense") == 0, "our channels have a prefix"
        deadline = time.monotonic() + 5
        while made[0].services.hub.dropped_messages < 5:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        match = timed_step(ann, match)
        listener.wait_for(match["version"], hub.POLL_INTERVAL_S / 2)
        listener.close()


def test_a_stream_that_opens_during_a_move_elsewhere_does_not_miss_it(
    own: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "After subscribing, look again": 13 of 3,000 missed it with Redis healthy."""
    monkeypatch.setattr(hub, "POLL_INTERVAL_S", 3600.0)
    own.kill()
    with server(settings) as one, server(settings) as other:
        ann = Caller(one)
        match = ann.open("me", "me")
        elsewhere = Caller(other, ann.token)
        assert elsewhere.http.get(f"/matches/{match['id']}").status_code == 200
        match = timed_step(ann, match)
        listener = Listener(elsewhere, match)
        listener.wait_for(match["version"], 2)
        listener.close()
