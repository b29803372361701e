"""How tables change: numbered steps, each done once in the life of a database.

A step is one or more statements, or a function for what statements cannot say. It is done in one
transaction together with the note that it was done, so a step is there as a whole or not at all,
and several workers that start at the same moment do it once.

A step must leave the tables usable by the program of the release before, which may still be
running beside this one: it *expands* (a new table, an index, a column with a default). What
the new program no longer needs is taken away in a later release by a step marked ``contracts``;
programs that do not know that step refuse the database instead of failing somewhere inside.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from projections.postgres import LOCKED, PATIENT, Held
from projections.sql import Sql, begun

LOCK = 0x63617261
"""Key of PostgreSQL's advisory lock that lets workers create tables one after the other."""
_TRIES = 120
_PAUSE = 1.0
"""Seconds between two tries to change tables that others have locked: then these go on."""
_NOTES = (
    "CREATE TABLE IF NOT EXISTS {0}migrations (room TEXT NOT NULL, step INTEGER NOT NULL,"
    " contracts INTEGER NOT NULL, done BIGINT NOT NULL, PRIMARY KEY (room, step))"
)


class NewerDatabase(Exception):
    """The tables are those of a newer program; ``found`` and ``known`` are numbers of steps."""

    def __init__(self, room: str, found: int, known: int) -> None:
        super().__init__(f"{room}: step {found} was done, this program knows {known}")
        self.found = found
        self.known = known


class Step(Struct, frozen=True):
    """What is done: statements with ``{0}`` before names, or functions of an `Sql`."""

    do: tuple[str | Callable[[Sql], None], ...]
    contracts: bool = False


def step(*do: str | Callable[[Sql], None], contracts: bool = False) -> Step:
    """A step; ``contracts``: programs from before it cannot work with the tables afterwards."""
    return Step(do, contracts)


def migrate(datastore: Any, schema: str | None, room: str, steps: Sequence[Step]) -> int:
    """Does the steps that are missing in a room's tables; gives how many those were.

    ``schema``: None for SQLite. Raises `NewerDatabase` when a step that contracts is not known.
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
            # CREATE ... IF NOT EXISTS fails when two do it at once.
            sql.run(PATIENT)
            sql.run("SELECT pg_advisory_xact_lock(?)", LOCK)
            # Everybody who plays waits behind a step that waits for a table.
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
    """The numbers of the steps to take; ``done``: whether each of those taken contracts."""
    unknown = [number for number, contracts in done.items() if number > len(steps) and contracts]
    if unknown:
        raise NewerDatabase(room, max(unknown), len(steps))
    return [number for number in range(1, len(steps) + 1) if number not in done]


def _done_before(datastore: Any, schema: str | None, room: str) -> dict[int, bool]:
    """The steps taken, without any lock."""
    with begun(datastore, commit=False) as cursor:
        sql = Sql(cursor, schema)
        return _done(sql, room) if sql.columns("migrations") else {}


def _done(sql: Sql, room: str) -> dict[int, bool]:
    rows = sql.all("SELECT step, contracts FROM {0}migrations WHERE room = ?", room)
    return {row["step"]: bool(row["contracts"]) for row in rows}
