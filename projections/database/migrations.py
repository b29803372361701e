"""Migrations: numbered steps, each applied once to a database.

A step is one or more statements, or a function for what statements cannot express. It runs in one
transaction with the record that it was applied, so it is applied entirely or not at all, and
workers that start at the same time apply it once.

After a step the previous release, which may still be running, must be able to use the tables: a
step *expands* (a new table, an index, a column with a default). What the new version no longer
needs is removed in a later release by a step marked ``contracts``; versions that do not know that
step refuse the database instead of failing later.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from projections.database.postgres import LOCKED, PATIENT, Held
from projections.database.sql import Sql, begun

LOCK = 0x63617261
"""Key of PostgreSQL's advisory lock by which workers create tables one at a time."""
_TRIES = 120
_PAUSE = 1.0
"""Seconds between two attempts to change locked tables, in which their users can go on."""
_NOTES = (
    "CREATE TABLE IF NOT EXISTS {0}migrations (room TEXT NOT NULL, step INTEGER NOT NULL,"
    " contracts INTEGER NOT NULL, done BIGINT NOT NULL, PRIMARY KEY (room, step))"
)


class NewerDatabase(Exception):
    """The tables were migrated by a newer version; ``found`` and ``known`` are step numbers."""

    def __init__(self, room: str, found: int, known: int) -> None:
        super().__init__(f"{room}: step {found} was done, this program knows {known}")
        self.found = found
        self.known = known


class Step(Struct, frozen=True):
    """A migration step: statements with ``{0}`` before table names, or functions of an `Sql`."""

    do: tuple[str | Callable[[Sql], None], ...]
    contracts: bool = False


def step(*do: str | Callable[[Sql], None], contracts: bool = False) -> Step:
    """Make a step; ``contracts``: versions that do not know it cannot use the tables afterwards."""
    return Step(do, contracts)


def migrate(datastore: Any, schema: str | None, room: str, steps: Sequence[Step]) -> int:
    """Apply the missing steps to the tables of a room; return how many they were.

    ``room``: a group of tables with its own numbering. ``schema``: None for SQLite. Raises
    `NewerDatabase` when an unknown step that contracts was applied.
    """
    for _ in range(_TRIES):
        if not _missing(_done_before(datastore, schema, room), room, steps):
            return 0
        try:
            return _migrated(datastore, schema, room, steps)
        except Held:
            time.sleep(_PAUSE)
    return _migrated(datastore, schema, room, steps)


def _migrated(datastore: Any, schema: str | None, room: str, steps: Sequence[Step]) -> int:
    with begun(datastore, commit=True) as cursor:
        sql = Sql(cursor, schema)
        if schema is not None:
            # Concurrent CREATE ... IF NOT EXISTS statements fail.
            sql.run(PATIENT)
            sql.run("SELECT pg_advisory_xact_lock(?)", LOCK)
            # A step that waits for a table blocks all later queries of that table.
            sql.run(f"SET LOCAL lock_timeout = '{LOCKED}s'")
        sql.run(_NOTES)
        missing = _missing(_done(sql, room), room, steps)
        for number in missing:
            _take(sql, room, number, steps[number - 1])
    return len(missing)


def _take(sql: Sql, room: str, number: int, one: Step) -> None:
    for each in one.do:
        if isinstance(each, str):
            sql.run(each)
        else:
            each(sql)
    note = "INSERT INTO {0}migrations (room, step, contracts, done) VALUES (?,?,?,?)"
    sql.run(note, room, number, int(one.contracts), time.time_ns() // 1_000_000)


def _missing(done: dict[int, bool], room: str, steps: Sequence[Step]) -> list[int]:
    """Return the numbers of the steps to apply.

    ``done``: the applied steps, each with whether it contracts. Raises `NewerDatabase`.
    """
    unknown = [number for number, contracts in done.items() if number > len(steps) and contracts]
    if unknown:
        raise NewerDatabase(room, max(unknown), len(steps))
    return [number for number in range(1, len(steps) + 1) if number not in done]


def _done_before(datastore: Any, schema: str | None, room: str) -> dict[int, bool]:
    """Return the applied steps, without any lock."""
    with begun(datastore, commit=False) as cursor:
        sql = Sql(cursor, schema)
        return _done(sql, room) if sql.columns("migrations") else {}


def _done(sql: Sql, room: str) -> dict[int, bool]:
    rows = sql.all("SELECT step, contracts FROM {0}migrations WHERE room = ?", room)
    return {row["step"]: bool(row["contracts"]) for row in rows}
