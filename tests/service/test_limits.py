"""Rate limits: generous for play, stricter for creating things; 429 comes with Retry-After."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from service.http.rate_limits import Limiter, MemoryCounter, seconds
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.databases import address_of
from tests.service.people import Client, Person
from tests.service.servers import redis_url


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep minutes from ending in the middle of a test."""
    still = seconds()
    monkeypatch.setattr("service.http.rate_limits.seconds", lambda: still)


def limited(tmp_path: Path, **limits: Any) -> AbstractContextManager[Client]:
    settings = Settings(data=str(tmp_path), **{"play_limit": 0, "create_limit": 0, **limits})
    return run_service(settings)


def refused(answer: Any) -> bool:
    if answer.status_code != 429:
        return False
    assert answer.json()["code"] == "too_many_requests"
    assert answer.headers["content-type"] == "application/problem+json"
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    return True


def test_creating_is_limited_by_address(tmp_path: Path) -> None:
    with limited(tmp_path, create_limit=3) as client:
        ann = Person(client)
        ann.open("me")
        ann.open("me")
        body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
        assert refused(ann.post("/matches", body))
        assert refused(client.post("/api/players", json={"name": "Bob"}))
        assert ann.get("/matches").status_code == 200


def test_play_is_limited_by_player(tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=6) as client:
        ann, bob = Person(client, "Ann"), Person(client, "Bob")
        assert [ann.get("/players/me").status_code for _ in range(2)] == [200, 200]
        while not refused(ann.get("/players/me")):
            pass
        assert refused(ann.get("/games"))
        assert not refused(bob.get("/players/me"))
        assert client.get("/health/live").status_code == 200


def test_workers_count_together_over_redis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "service.http.rate_limits.REDIS_TIMEOUT_S", 30.0
    )  # A busy machine's Redis is not away.
    more = {"create_limit": 4, "redis_url": address_of(redis_url)}
    with limited(tmp_path, **more) as one, limited(tmp_path, **more) as other:
        answers = [
            client.post("/api/players", json={"name": "Ann"})
            for _ in range(3)
            for client in (one, other)
        ]
        assert [answer.status_code for answer in answers] == [201] * 4 + [429] * 2


def test_without_redis_each_worker_counts_for_itself(tmp_path: Path) -> None:
    """No request is rejected wrongly, none waits, and the limits still hold."""
    with limited(tmp_path, create_limit=2) as client:
        client.app.services.limiter = Limiter("redis://127.0.0.1:1/0")
        answers = [client.post("/api/players", json={"name": "Ann"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_a_new_minute_counts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = MemoryCounter()
    assert [memory.add("a", 60) for _ in range(3)] == [1, 2, 3]
    assert memory.add("b", 60, 5) == 5
    later = seconds() + 60
    monkeypatch.setattr("service.http.rate_limits.seconds", lambda: later)
    assert memory.add("a", 60) == 1
    assert len(memory) == 1
