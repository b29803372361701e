"""SQLite connections: statements are compiled once, and lock timeouts are respected."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from projections import generations
from projections.database.sql import Sql, apply_lock_timeout, lock_timeout, transaction_cursor
from projections.read_models import ReadModels
from service.settings import Settings
from service.store import library_settings
from service.store_setup import open_store


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = open_store(Settings(data=str(tmp_path)))
    yield opened
    opened.close()


def test_a_statement_is_compiled_once(store: Any) -> None:
    compiled: list[int] = []
    statements = ("SELECT MAX(created) FROM {0}receipts", "SELECT MAX(version) FROM {0}notices")
    with transaction_cursor(store._datastore, commit=False) as cursor:
        # SQLite calls the authorizer when it compiles a statement.
        connection = cursor.sqlite_cursor.connection
        connection.set_authorizer(lambda *_: compiled.append(1) or 0)
        seen = []
        for _ in range(3):
            for statement in statements:
                Sql(cursor, None).one(statement)
            seen.append(len(compiled))
        connection.set_authorizer(None)
    assert seen[0] > 0
    assert seen == [seen[0]] * 3


def test_lock_timeout_is_respected(store: Any) -> None:
    waits = []
    with transaction_cursor(store._datastore, commit=False) as cursor:
        for seconds in (0.05, 0, 0.05, 5, 5, 0):
            with lock_timeout(seconds):
                apply_lock_timeout(cursor)
            waits.append(cursor.execute("PRAGMA busy_timeout") or cursor.fetchone()[0])
    assert waits == [50, 0, 50, 5000, 5000, 0]


def plan_of(views: ReadModels, monkeypatch: pytest.MonkeyPatch, ask: Callable[[], object]) -> str:
    """Return SQLite's query plan."""
    plans: list[str] = []
    all_ = Sql.all

    def explained(sql: Sql, statement: str, *values: Any) -> Any:
        if "ORDER BY m.updated" in statement:
            rows = all_(sql, f"EXPLAIN QUERY PLAN {statement}", *values)
            plans.append("; ".join(row["detail"] for row in rows))
        return all_(sql, statement, *values)

    with monkeypatch.context() as patch:
        patch.setattr(Sql, "all", explained)
        ask()
    (plan,) = plans
    return plan


def test_public_tables_are_found_without_looking_at_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in read models made by an older program, once this one has opened them."""
    library = library_settings(Settings(data=str(tmp_path)), views=True)
    with closing(ReadModels(library)) as views, views.transaction(commit=True) as sql:
        generation = next(iter(generations.load_active(sql)))
        sql.with_prefix(generation.table_prefix).run("DROP INDEX {1}matches_lobby")
        sql.run("DELETE FROM {0}migrations WHERE room = 'read models' AND step = 3")
    with closing(ReadModels(library)) as views:
        assert views.migration_count == 1
        for status, found_by in (("open", "(visibility=? AND status=?)"), (None, "(visibility=?)")):
            plan = plan_of(views, monkeypatch, partial(views.public_matches, status, None, 21))
            assert found_by in plan, plan
            # Only rows of the same instant are sorted.
            assert "USE TEMP B-TREE FOR ORDER BY" not in plan
