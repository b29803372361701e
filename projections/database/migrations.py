"""Migrations: numbered steps, each applied once to a database.

A step is one or more statements, or a function for what statements cannot express. It runs in one
transaction with the record that it was applied, so it is applied entirely or not at all, and
workers that start at the same time apply it once.

After a step, the previous release, which may still be running, must be able to use the tables: a
step *expands* (a new table, an index, a column with a default). Anything that the new version no
longer needs is removed in a later release by a step marked ``contracts``; versions that do not know
that step reject the database instead of failing later.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from projections.database.postgres import LOCK_TIMEOUT_S, NO_LOCK_TIMEOUT, LockTimeout
from projections.database.sql import Sql, transaction_cursor

ADVISORY_LOCK_KEY = 0x63617261
"""Key of the PostgreSQL advisory lock with which workers create tables one at a time."""
_MAX_ATTEMPTS = 120
_RETRY_DELAY_S = 1.0
"""Seconds between attempts to change locked tables, in which other sessions can proceed."""
_CREATE_TABLE = (
    "CREATE TABLE IF NOT EXISTS {0}migrations (room TEXT NOT NULL, step INTEGER NOT NULL,"
    " contracts INTEGER NOT NULL, done BIGINT NOT NULL, PRIMARY KEY (room, step))"
)


class NewerDatabase(Exception):
    """Error if the tables were migrated by a newer version in a way that this one cannot use.

    ``applied_step`` and ``newest_known_step``: step numbers.
    """

    def __init__(self, room: str, found: int, known: int) -> None:
        super().__init__(f"{room}: step {found} was done, this program knows {known}")
        self.applied_step = found
        self.newest_known_step = known


class Step(Struct, frozen=True):
    """A migration step: statements with ``{0}`` before table names, or functions of an `Sql`.

    ``contracts``: whether versions that do not know the step cannot use the tables any more.
    """

    actions: tuple[str | Callable[[Sql], None], ...]
    contracts: bool = False


def step(*do: str | Callable[[Sql], None], contracts: bool = False) -> Step:
    """Return a step with these actions; ``contracts``: see `Step`."""
    return Step(do, contracts)


def migrate(datastore: Any, schema: str | None, table_group: str, steps: Sequence[Step]) -> int:
    """Apply the missing steps to a group of tables; return their number.

    ``table_group``: the name of the group, which has its own step numbers. ``schema``: None for
    SQLite. Raises `NewerDatabase` if an unknown step that contracts was applied.
    """
    for _ in range(_MAX_ATTEMPTS):
        if not _missing_steps(
            _applied_steps_unlocked(datastore, schema, table_group), table_group, steps
        ):
            return 0
        try:
            return _apply_missing(datastore, schema, table_group, steps)
        except LockTimeout:
            time.sleep(_RETRY_DELAY_S)
    return _apply_missing(datastore, schema, table_group, steps)


def _apply_missing(
    datastore: Any, schema: str | None, table_group: str, steps: Sequence[Step]
) -> int:
    with transaction_cursor(datastore, commit=True) as cursor:
        sql = Sql(cursor, schema)
        if schema is not None:
            # Concurrent CREATE ... IF NOT EXISTS statements fail.
            sql.run(NO_LOCK_TIMEOUT)
            sql.run("SELECT pg_advisory_xact_lock(?)", ADVISORY_LOCK_KEY)
            # A step that waits for a table blocks all later queries of that table.
            sql.run(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT_S}s'")
        sql.run(_CREATE_TABLE)
        missing = _missing_steps(_applied_steps(sql, table_group), table_group, steps)
        for number in missing:
            _apply_step(sql, table_group, number, steps[number - 1])
    return len(missing)


def _apply_step(sql: Sql, table_group: str, number: int, one: Step) -> None:
    for each in one.actions:
        if isinstance(each, str):
            sql.run(each)
        else:
            each(sql)
    note = "INSERT INTO {0}migrations (room, step, contracts, done) VALUES (?,?,?,?)"
    sql.run(note, table_group, number, int(one.contracts), time.time_ns() // 1_000_000)


def _missing_steps(done: dict[int, bool], table_group: str, steps: Sequence[Step]) -> list[int]:
    """Return the numbers of the steps to apply.

    ``done``: the applied steps, each with whether it contracts. Raises `NewerDatabase`.
    """
    unknown = [number for number, contracts in done.items() if number > len(steps) and contracts]
    if unknown:
        raise NewerDatabase(table_group, max(unknown), len(steps))
    return [number for number in range(1, len(steps) + 1) if number not in done]


def _applied_steps_unlocked(
    datastore: Any, schema: str | None, table_group: str
) -> dict[int, bool]:
    """Return the applied steps, each with whether it contracts, without taking a lock."""
    with transaction_cursor(datastore, commit=False) as cursor:
        sql = Sql(cursor, schema)
        return _applied_steps(sql, table_group) if sql.columns("migrations") else {}


def _applied_steps(sql: Sql, table_group: str) -> dict[int, bool]:
    rows = sql.all("SELECT step, contracts FROM {0}migrations WHERE room = ?", table_group)
    return {row["step"]: bool(row["contracts"]) for row in rows}
