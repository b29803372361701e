"""Generations of the read models' tables, which exist side by side.

A generation is a set of tables with a position in the log. One is *live*: it is read and follows
the log. A rebuild, or a version of the program with another layout, creates a new generation beside
it, fills it, and switches to it once it has caught up. The new one is not read before the switch,
and the old one is not written after it, so a busy worker cannot change the new tables by a late
batch for the old ones.

Each layout has a live generation of its own, so the previous release keeps working beside this one.
One worker at a time builds a generation: it records heartbeats, and if they stop, another worker
starts over. The generation before the live one is kept until the next switch, for sessions that are
still reading it.
"""

import time

from msgspec import Struct

from projections import schema
from projections.database.migrations import ADVISORY_LOCK_KEY, step
from projections.database.postgres import NO_LOCK_TIMEOUT
from projections.database.sql import Sql

TABLE_GROUP = "read models"
_HEARTBEAT_TIMEOUT_MS = 10_000
"""Milliseconds without a heartbeat after which a builder is considered dead."""
_FIRST_POSITION_NAME = "read-models-4"
"""Name under which the position is stored for the unnumbered tables from before generations."""


def _adopt(sql: Sql) -> None:
    """Register the tables from before generations, if any, as generation 0."""
    table = tracking_table(sql)
    query = f"SELECT 1 AS one FROM {{0}}{table} WHERE application_name = ?"
    if sql.columns("matches") and sql.one(query, _FIRST_POSITION_NAME) is not None:
        sql.run("INSERT INTO {0}generations VALUES (0, 4, 'live', '', 0, 0, 0)")


def tracking_table(sql: Sql) -> str:
    """Return the name of the table in which `eventsourcing` tracks log positions."""
    return "notification_tracking" if sql.is_postgres else "tracking"


def _index_lobby(sql: Sql) -> None:
    """Add the lobby index to the tables of earlier versions."""
    for generation in load_active(sql):
        sql.with_prefix(generation.table_prefix).run(schema.LOBBY_INDEX)


STEPS = (
    step(
        "CREATE TABLE {0}generations (number INTEGER PRIMARY KEY, layout INTEGER NOT NULL,"
        " state TEXT NOT NULL, builder TEXT NOT NULL, beat BIGINT NOT NULL,"
        " done BIGINT NOT NULL, whole BIGINT NOT NULL)",
        _adopt,
    ),
    step(schema.SNAPSHOTS_TABLE),
    step(_index_lobby),
)


class Retired(Exception):
    """Raised when a generation must not be written because another has replaced it."""


class Generation(Struct, frozen=True):
    """A generation of the read models.

    ``number``: 0 for the tables from before generations. ``layout``: its
    `projections.schema.SCHEMA_VERSION`. ``state``: "building", "live" or "retired". ``builder``:
    host and process id of the worker that builds it. ``beat``: time of the builder's last
    heartbeat, in milliseconds since 1970 UTC. ``done`` of ``whole``: parts of the log folded so
    far while it is being built.
    """

    number: int
    layout: int
    state: str
    builder: str
    beat: int
    done: int
    whole: int

    @property
    def table_prefix(self) -> str:
        """Prefix of the generation's table names."""
        return f"g{self.number}_" if self.number else ""

    @property
    def position_name(self) -> str:
        """Name under which the generation's log position is stored."""
        return f"read-models-g{self.number}" if self.number else _FIRST_POSITION_NAME


def load_active(sql: Sql) -> list[Generation]:
    """Return the generations that are live or being built, the newest first."""
    rows = sql.all("SELECT * FROM {0}generations WHERE state <> 'retired' ORDER BY number DESC")
    return [Generation(**dict(row)) for row in rows]


def find_live(sql: Sql) -> Generation | None:
    """Return the live generation of this program's layout; None if there is none."""
    return next(
        (g for g in load_active(sql) if g.state == "live" and g.layout == schema.SCHEMA_VERSION),
        None,
    )


def find_readable(sql: Sql) -> Generation | None:
    """Return the generation to read.

    It is the live one of this layout, otherwise a live one of another readable layout, otherwise
    one of this layout that is being built. None if there is none.
    """
    found = load_active(sql)
    ours = [g for g in found if g.layout == schema.SCHEMA_VERSION]
    others = [g for g in found if g.layout in schema.READABLE_VERSIONS and g.state == "live"]
    return next(iter([*[g for g in ours if g.state == "live"], *others, *ours]), None)


def begin_first(sql: Sql) -> Generation | None:
    """Begin an empty generation and return it; return None if there is a readable one already."""
    _lock_generations(sql)
    return None if find_readable(sql) else begin_generation(sql, "")


def check_writable(sql: Sql, generation: Generation) -> None:
    """Raise `Retired` if the generation is retired or was removed."""
    query = "SELECT state FROM {0}generations WHERE number = ?"
    row = sql.one(query, generation.number)
    if row is None or row["state"] == "retired":
        raise Retired


def begin_generation(sql: Sql, builder: str, *, force: bool = False) -> Generation | None:
    """Begin an empty generation and return it; return None while another worker is building one.

    ``force``: begin it even then. Generations that were abandoned while being built are removed.
    """
    _lock_generations(sql)
    now = _now()
    for other in load_active(sql):
        if other.state != "building" or other.layout != schema.SCHEMA_VERSION:
            continue
        if now - other.beat < _HEARTBEAT_TIMEOUT_MS:
            if not force:
                return None
        else:
            _remove(sql, other)
    row = sql.one("SELECT MAX(number) AS number FROM {0}generations")
    number = 1 if row["number"] is None else row["number"] + 1
    made = Generation(number, schema.SCHEMA_VERSION, "building", builder, now, 0, 0)
    sql.run(
        "INSERT INTO {0}generations VALUES (?,?,?,?,?,?,?)",
        *(made.number, made.layout, made.state, made.builder, made.beat, made.done, made.whole),
    )
    inside = sql.with_prefix(made.table_prefix)
    for statement in schema.TABLES:
        inside.run(statement)
    return made


def create_indexes(sql: Sql, generation: Generation) -> None:
    """Create the indexes of a generation's tables."""
    for statement in schema.INDEXES:
        sql.with_prefix(generation.table_prefix).run(statement)


def record_heartbeat(sql: Sql, generation: Generation, done: int, whole: int) -> None:
    """Store a heartbeat with the builder's progress; raises `Retired` if it should stop."""
    check_writable(sql, generation)
    sql.run(
        "UPDATE {0}generations SET beat = ?, done = ?, whole = ? WHERE number = ?",
        *(_now(), done, whole, generation.number),
    )


def abandon_generation(sql: Sql, generation: Generation) -> None:
    """Mark a generation that is still being built as abandoned, so that another can be begun."""
    query = "UPDATE {0}generations SET beat = 0 WHERE number = ? AND state = 'building'"
    sql.run(query, generation.number)


def make_live(sql: Sql, generation: Generation) -> None:
    """Make a generation the live one.

    The previous live generation stays for its readers. Generations retired earlier are removed, and
    so are all generations of layouts older than the previous layout.
    """
    _lock_generations(sql)
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
    """Remove a generation and its tables, except number 0, which an older version may still use."""
    if generation.number == 0:
        return
    for table in schema.DUMP_QUERIES:
        sql.run(f"DROP TABLE IF EXISTS {{0}}{generation.table_prefix}{table}")
    sql.run("DELETE FROM {0}generations WHERE number = ?", generation.number)
    sql.run(
        f"DELETE FROM {{0}}{tracking_table(sql)} WHERE application_name = ?",
        generation.position_name,
    )


def _lock_generations(sql: Sql) -> None:
    if sql.is_postgres:
        sql.run(NO_LOCK_TIMEOUT)
        sql.run("SELECT pg_advisory_xact_lock(?)", ADVISORY_LOCK_KEY)


def _now() -> int:
    return time.time_ns() // 1_000_000
