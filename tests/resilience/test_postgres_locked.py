"""Tables of PostgreSQL are locked: by a backup, a repair, a console session.

Requirement: 503 with `Retry-After` within two seconds on every call, and nothing twice.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from projections.database.migrations import migrate, step
from projections.database.postgres import LOCK_TIMEOUT_S, split_address
from service.settings import Settings
from service.store_setup import open_store
from tests.resilience.disposable_servers import Postgres, started
from tests.resilience.test_postgres_away import TOLD, Ann
from tests.service.running import server

SLACK = 0.5
"""Seconds for a machine that has others to serve, too."""
LOG = ("stored_events",)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with started(Postgres) as made:
        yield made


@pytest.fixture(scope="module")
def service(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = Settings(
        data=str(tmp_path_factory.mktemp("held")),
        database_url=postgres.url,
        play_limit=0,
        create_limit=0,
        draw_limit=0,
    )
    with server(settings) as base:
        yield base


@contextmanager
def holding(
    postgres: Postgres, tables: tuple[str, ...], mode: str = "ACCESS EXCLUSIVE"
) -> Iterator[None]:
    """Lock these tables in another session, or read them for long, as a backup does."""
    with psycopg.connect(split_address(postgres.url)[0]) as other:
        other.execute(f"LOCK TABLE {', '.join(tables)} IN {mode} MODE")
        yield
        other.rollback()


def tables(postgres: Postgres) -> tuple[str, ...]:
    with psycopg.connect(split_address(postgres.url)[0]) as other:
        rows = other.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return tuple(f'"{name}"' for (name,) in rows.fetchall())


def decisions(postgres: Postgres) -> int:
    with psycopg.connect(split_address(postgres.url)[0]) as other:
        (found,) = other.execute("SELECT count(*) FROM stored_events").fetchone() or (0,)
        return int(found)


@pytest.mark.parametrize("everything", [False, True], ids=["the log", "all tables"])
def test_every_call_is_answered_in_time(postgres: Postgres, service: str, everything: bool) -> None:
    ann = Ann(service)
    assert ann.play().status_code == 200
    before = decisions(postgres)
    told = 0
    with holding(postgres, tables(postgres) if everything else LOG):
        for call in ann.calls():
            began = time.monotonic()
            answer = call()
            assert time.monotonic() - began < TOLD + SLACK, answer.request.url
            if answer.status_code == 503:
                told += 1
                assert int(answer.headers["Retry-After"]) > 0
    assert told > 1
    assert decisions(postgres) == before
    assert ann.play().status_code == 200
    assert decisions(postgres) == before + 1, "nothing twice"


def test_many_who_save_at_once_are_all_told_in_time(postgres: Postgres, service: str) -> None:
    """They are written in one group, whose members are not retried one by one then."""
    people = [Ann(service) for _ in range(12)]
    assert [each.play().status_code for each in people] == [200] * 12
    before = decisions(postgres)

    def move(each: Ann) -> tuple[int, float]:
        began = time.monotonic()
        return each.play().status_code, time.monotonic() - began

    with holding(postgres, LOG), ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(move, people))
    assert {status for status, _ in answers} == {503}
    assert max(took for _, took in answers) < 2 * TOLD, answers
    assert decisions(postgres) == before
    assert [each.play().status_code for each in people] == [200] * 12


def test_a_short_lock_is_waited_for(postgres: Postgres, service: str) -> None:
    ann = Ann(service)
    with ThreadPoolExecutor(1) as threads:
        with holding(postgres, LOG):
            moved = threads.submit(ann.play)
            time.sleep(LOCK_TIMEOUT_S / 2)
            assert not moved.done()
        assert moved.result(10).status_code == 200


def test_a_step_waits_in_turns(postgres: Postgres, tmp_path: Path) -> None:
    """A migration waiting for a table releases its lock request regularly, so that moves behind it
    do not wait until the table is free."""
    store = open_store(Settings(data=str(tmp_path), database_url=postgres.url))
    with psycopg.connect(split_address(postgres.url)[0], autocommit=True) as other:
        other.execute("CREATE TABLE IF NOT EXISTS held_once (one INTEGER)")
        more = (step("ALTER TABLE {0}held_once ADD COLUMN IF NOT EXISTS two INTEGER"),)
        done: list[int] = []
        changing = Thread(
            target=lambda: done.append(migrate(store._datastore, "public", "held", more))
        )
        longest = 0.0
        with holding(postgres, ("held_once",), "ACCESS SHARE"):
            changing.start()
            until = time.monotonic() + 3 * LOCK_TIMEOUT_S
            while time.monotonic() < until:
                began = time.monotonic()
                other.execute("SELECT count(*) FROM held_once")
                longest = max(longest, time.monotonic() - began)
                time.sleep(0.05)
            assert not done
        changing.join(10)
        assert done == [1]
        assert LOCK_TIMEOUT_S / 2 < longest < LOCK_TIMEOUT_S + SLACK
    store.close()
