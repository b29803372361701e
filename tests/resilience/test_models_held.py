"""Another session holds the read models locked: reading goes on.

Requirement: catching up must not block reading, readiness or stopping; lists are served as they
are.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from projections import generations, runner
from projections.database import postgres
from projections.database.postgres import LockTimeout
from projections.database.sql import Sql, transaction_cursor
from projections.read_models import ReadModels
from projections.runner import Runner
from service.settings import Settings
from service.store import library_settings
from tests.projections.test_views import World
from tests.resilience.test_postgres_away import Ann
from tests.service.databases import DATABASES, fresh
from tests.service.notifications.receivers import eventually
from tests.service.running import server

SHORT = 1.2
"""Seconds within which a move is answered while all readers wait."""
LOCK_TIMEOUT_S = 5
"""Seconds that a session waits for a lock: fixed for SQLite, set to the same for PostgreSQL."""
SOON_S = 4.0
"""Seconds within which lists are served while tables are locked: they wait half a second. Waiting
for the lock would take `LOCK_TIMEOUT_S`."""
READERS = 64
LISTS = [
    "/api/matches",
    "/api/matches?scope=mine&sort=turn",
    "/api/matches?scope=invited",
    "/api/players/me/people",
    "/api/players/me/history",
]


class _Undone(Exception):
    """Raised to roll a transaction back."""


@contextmanager
def writing(settings: Settings) -> Iterator[None]:
    """Keep another worker's batch open during the block, and roll it back."""
    views: Any = ReadModels(library_settings(settings, views=True))
    with (
        closing(views),
        suppress(_Undone),
        transaction_cursor(views._recorder.datastore, commit=True) as cursor,
    ):
        generation = generations.find_live(Sql(cursor, views._schema))
        views._recorder.track(cursor, generation.position_name, 1_000_000)
        yield
        raise _Undone


def version_listed(ann: Ann) -> int:
    found: int = ann.http.get("/api/matches").json()["items"][0]["version"]
    return found


@pytest.mark.parametrize("kind", DATABASES)
def test_lists_are_served_while_another_worker_writes(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "LOCK_TIMEOUT_S", LOCK_TIMEOUT_S)
    with fresh(kind, tmp_path) as settings, server(settings) as base:
        ann = Ann(base)
        before = version_listed(ann)
        assert before == ann.acknowledged, "the player's own last move is listed"
        with writing(settings):
            assert ann.play().status_code == 200
            for path in LISTS:
                began = time.monotonic()
                assert ann.http.get(path).status_code == 200, path
                assert time.monotonic() - began < SOON_S, path
            assert version_listed(ann) == before
            # The service itself tries in vain to catch up.
            until = time.monotonic() + LOCK_TIMEOUT_S + 2
            while time.monotonic() < until:
                assert ann.http.get("/health/ready").status_code == 200
                time.sleep(0.5)
        assert version_listed(ann) == ann.acknowledged


def test_moves_find_a_thread_while_many_read(tmp_path: Path) -> None:
    """Each history request used to wait in one of the threads that save moves."""
    with fresh("postgresql", tmp_path) as settings, server(settings) as base:
        ann = Ann(base)
        with ThreadPoolExecutor(READERS) as readers, writing(settings):
            assert ann.play().status_code == 200
            looks = [readers.submit(ann.http.get, LISTS[-1]) for _ in range(READERS)]
            time.sleep(0.2)
            began = time.monotonic()
            assert ann.play().status_code == 200
            assert time.monotonic() - began < SHORT
            assert {look.result().status_code for look in looks} == {200}


def test_tables_locked_for_long_are_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_MAX_LOCKED_S", 2.5)
    with fresh("postgresql", tmp_path) as settings, closing(World(settings)) as world:
        following = Runner(world.projector, pause_s=0.05)
        following.start()
        with writing(settings):
            world.open("ann")
            following.wake()
            time.sleep(2)
            assert following.last_error is None
            eventually(lambda: isinstance(following.last_error, LockTimeout))
        eventually(lambda: following.last_error is None)
        following.stop()
