"""Generations of the read models' tables, side by side.

A generation is a set of tables with a position in the log. One is *live*: it is read, and follows
the log. A rebuild, or a program with another layout, makes a new one beside it, fills it, and
switches when it has come as far; nobody reads it before, nobody writes the old one after. So a
batch that a busy worker wrote late ends in tables that nobody reads any more.

Programs of different layouts have a live generation each, so the release before plays on beside
this one. One worker at a time builds: it says so every few seconds, and when it falls silent
another begins anew. The generation before the live one is kept until the next, for those who
are still reading it.
"""

import time

from msgspec import Struct

from projections import snapshots, tables
from projections.migrations import LOCK, step
from projections.postgres import PATIENT
from projections.sql import Sql

ROOM = "read models"
_SILENT = 10_000
"""Milliseconds after which a builder that says nothing is held to be gone."""
_FIRST_NAME = "read-models-4"
"""The position of the tables from before there were generations, which have no number."""


def _adopt(sql: Sql) -> None:
    """The tables of the release before generations go on as number 0."""
    table = tracking_of(sql)
    query = f"SELECT 1 AS one FROM {{0}}{table} WHERE application_name = ?"
    if sql.columns("matches") and sql.one(query, _FIRST_NAME) is not None:
        sql.run("INSERT INTO {0}generations VALUES (0, 4, 'live', '', 0, 0, 0)")


def tracking_of(sql: Sql) -> str:
    """The name of the library's table of positions."""
    return "notification_tracking" if sql.is_postgres else "tracking"


def _index_lobby(sql: Sql) -> None:
    """The tables of a program before this index get it too."""
    for generation in current(sql):
        sql.named(generation.before).run(tables.LOBBY)


STEPS = (
    step(
        "CREATE TABLE {0}generations (number INTEGER PRIMARY KEY, layout INTEGER NOT NULL,"
        " state TEXT NOT NULL, builder TEXT NOT NULL, beat BIGINT NOT NULL,"
        " done BIGINT NOT NULL, whole BIGINT NOT NULL)",
        _adopt,
    ),
    step(snapshots.TABLE),
    step(_index_lobby),
)


class Retired(Exception):
    """Another generation has taken the place of this one."""


class Generation(Struct, frozen=True):
    """``number`` 0: the tables from before generations. ``done`` of ``whole`` matches' parts are
    folded while it is being built; ``beat``: when its builder last said so, in milliseconds."""

    number: int
    layout: int
    state: str
    builder: str
    beat: int
    done: int
    whole: int

    @property
    def before(self) -> str:
        """What the names of its tables begin with."""
        return f"g{self.number}_" if self.number else ""

    @property
    def name(self) -> str:
        """What its position is kept under."""
        return f"read-models-g{self.number}" if self.number else _FIRST_NAME


def current(sql: Sql) -> list[Generation]:
    """Those that are live or being built, the newest first."""
    rows = sql.all("SELECT * FROM {0}generations WHERE state <> 'retired' ORDER BY number DESC")
    return [Generation(**dict(row)) for row in rows]


def live(sql: Sql) -> Generation | None:
    """The one that this program keeps level with the log."""
    return next((g for g in current(sql) if g.state == "live" and g.layout == tables.LAYOUT), None)


def readable(sql: Sql) -> Generation | None:
    """The one to read: the live one, that of another program, or else what there is of ours."""
    found = current(sql)
    ours = [g for g in found if g.layout == tables.LAYOUT]
    others = [g for g in found if g.layout in tables.READABLE and g.state == "live"]
    return next(iter([*[g for g in ours if g.state == "live"], *others, *ours]), None)


def first(sql: Sql) -> Generation | None:
    """An empty one where there is nothing that could be read; None where there is."""
    _alone(sql)
    return None if readable(sql) else begin(sql, "")


def check(sql: Sql, generation: Generation) -> None:
    """Raises `Retired` when nobody is to write this one any more."""
    query = "SELECT state FROM {0}generations WHERE number = ?"
    row = sql.one(query, generation.number)
    if row is None or row["state"] == "retired":
        raise Retired


def begin(sql: Sql, builder: str, *, anyway: bool = False) -> Generation | None:
    """A new empty generation of this program's; None while somebody else is building one.

    ``anyway``: also then. Those that were begun and left are taken away.
    """
    _alone(sql)
    now = _now()
    for other in current(sql):
        if other.state != "building" or other.layout != tables.LAYOUT:
            continue
        if now - other.beat < _SILENT:
            if not anyway:
                return None
        else:
            _remove(sql, other)
    row = sql.one("SELECT MAX(number) AS number FROM {0}generations")
    number = 1 if row["number"] is None else row["number"] + 1
    made = Generation(number, tables.LAYOUT, "building", builder, now, 0, 0)
    sql.run(
        "INSERT INTO {0}generations VALUES (?,?,?,?,?,?,?)",
        *(made.number, made.layout, made.state, made.builder, made.beat, made.done, made.whole),
    )
    inside = sql.named(made.before)
    for statement in tables.TABLES:
        inside.run(statement)
    return made


def index(sql: Sql, generation: Generation) -> None:
    """Makes the indexes of its tables."""
    for statement in tables.INDEXES:
        sql.named(generation.before).run(statement)


def beat(sql: Sql, generation: Generation, done: int, whole: int) -> None:
    """Says how far the builder has come; raises `Retired` when it need not go on."""
    check(sql, generation)
    sql.run(
        "UPDATE {0}generations SET beat = ?, done = ?, whole = ? WHERE number = ?",
        *(_now(), done, whole, generation.number),
    )


def leave(sql: Sql, generation: Generation) -> None:
    """Lets others begin anew if it is still being built."""
    query = "UPDATE {0}generations SET beat = 0 WHERE number = ? AND state = 'building'"
    sql.run(query, generation.number)


def switch(sql: Sql, generation: Generation) -> None:
    """Makes it the live one. The one before stays for its readers, those before it go, and so do
    those of programs older than the release before."""
    _alone(sql)
    older = "layout = ? AND number < ?"
    rows = sql.all(
        f"SELECT * FROM {{0}}generations WHERE {older} AND state = 'retired' OR layout < ?",
        *(generation.layout, generation.number, generation.layout - 1),
    )
    for row in rows:
        _remove(sql, Generation(**dict(row)))
    sql.run(
        f"UPDATE {{0}}generations SET state = 'retired' WHERE {older}",
        *(generation.layout, generation.number),
    )
    sql.run("UPDATE {0}generations SET state = 'live' WHERE number = ?", generation.number)


def _remove(sql: Sql, generation: Generation) -> None:
    """Takes the tables of a generation away; those without a number may be the older program's."""
    if generation.number == 0:
        return
    for table in tables.ROWS:
        sql.run(f"DROP TABLE IF EXISTS {{0}}{generation.before}{table}")
    sql.run("DELETE FROM {0}generations WHERE number = ?", generation.number)
    sql.run(f"DELETE FROM {{0}}{tracking_of(sql)} WHERE application_name = ?", generation.name)


def _alone(sql: Sql) -> None:
    if sql.is_postgres:
        sql.run(PATIENT)
        sql.run("SELECT pg_advisory_xact_lock(?)", LOCK)


def _now() -> int:
    return time.time_ns() // 1_000_000
