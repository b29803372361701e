"""Copies of a whole store, for backup, restore, and moving between SQLite and PostgreSQL.

A copy contains the log and the plain tables; the read models are rebuilt when it is opened. It is a
consistent snapshot of a store that may be in use. `copy_store` also compares every match in the
copy with the source.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from projections.database.sql import Sql
from projections.rebuild import fold_part, partition_matches
from projections.schema import Quarantined
from service.store.store import Store, to_uuid

_ROWS_PER_BATCH = 2_000
_LOG_TABLE = "stored_events"
_MIGRATIONS_TABLE = "migrations"


class CopyDiffers(Exception):
    """Error that a match differs between source and copy; the message is the match id."""


class CopyResult(Struct, frozen=True):
    """The result of a copy.

    ``matches``, ``decisions``: the numbers of matches and decisions in the copy; ``unread``: the
    number of matches that cannot be folded, in the source or the copy; ``last_position``: the
    position up to which the source's log was copied.
    """

    matches: int
    decisions: int
    unread: int
    last_position: int


def copy_sqlite_file(source: Path, target: Path) -> None:
    """Write a copy of an SQLite store that may be in use; concurrent writes do not delay it.

    The target is created or replaced only once the copy is complete. It contains secrets, so only
    this user may read it. Raises `sqlite3.DatabaseError` if the integrity check of the copy fails.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(source, timeout=30)) as database:
            database.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copy:
            (found,) = copy.execute("PRAGMA quick_check").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        _sync_file(part)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _sync_file(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())


def is_empty(store: Store) -> bool:
    """Return whether a store has neither players nor matches."""
    player = store.fetch_one("SELECT 1 AS one FROM {0}players LIMIT 1")
    return player is None and store.newest_entry_id() == 0


def copy_store(source: Store, target: Store) -> CopyResult:
    """Copy a store into an empty one; at least one of the two must be SQLite.

    Data saved in the source after the start is not copied. Raises `CopyDiffers` if a match in the
    copy differs from the source.
    """
    tables = _plain_tables(target if source.is_postgres else source)
    with source.transaction(commit=False) as sql:
        if source.is_postgres:
            sql.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        newest = _copy_log(source, sql, target)
        with target.transaction(commit=True) as other:
            for table in tables:
                _copy_table(sql, other, table)
        before = dict(_match_hashes(source, sql))
        sql.run("ROLLBACK")
    with target.transaction(commit=False) as sql:
        after = dict(_match_hashes(target, sql))
    for match in before.keys() | after.keys():
        if before.get(match) != after.get(match):
            raise CopyDiffers(str(match))
    end = target.newest_entry_id()
    rows = [row for bounds in partition_matches(end) for row in fold_part(target, bounds, end)]
    unread = sum(isinstance(row, Quarantined) for row in rows)
    return CopyResult(len(after), end, unread, newest)


def _plain_tables(sqlite: Store) -> list[str]:
    """Return the names of the plain tables, which exclude the log and the migrations."""
    rows = sqlite.fetch_all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    left = (_LOG_TABLE, _MIGRATIONS_TABLE)
    return [r["name"] for r in rows if r["name"] not in left and "sqlite_" not in r["name"]]


def _copy_table(sql: Sql, other: Sql, table: str) -> None:
    # Rows inserted by migration steps are in the source as well.
    other.run(f"DELETE FROM {{0}}{table}")
    rows = [dict(row) for row in sql.all(f"SELECT * FROM {{0}}{table}")]
    if rows:
        names = list(rows[0])
        marks = ",".join("?" * len(names))
        statement = f"INSERT INTO {{0}}{table} ({', '.join(names)}) VALUES ({marks})"
        other.many(statement, [tuple(row.values()) for row in rows])


def _copy_log(source: Store, sql: Sql, target: Store) -> int:
    place = source.position_column
    newest = 0
    while True:
        rows = sql.all(
            f"SELECT {place} AS place, originator_id AS id, originator_version AS version, topic,"
            f" state FROM {{0}}{_LOG_TABLE} WHERE {place} > ? ORDER BY {place} LIMIT ?",
            *(newest, _ROWS_PER_BATCH),
        )
        if not rows:
            return newest
        newest = rows[-1]["place"]
        target.recorder.insert_events(
            [
                StoredEvent(to_uuid(r["id"]), r["version"], r["topic"], bytes(r["state"]))
                for r in rows
            ]
        )


def _match_hashes(store: Store, sql: Sql) -> Iterator[tuple[UUID, bytes]]:
    """Yield the id of each match with the SHA-256 hash of all its rows in the log."""
    for first, last in partition_matches(store.newest_entry_id()):
        bounds = [key if store.is_postgres else key.hex for key in (first, last)]
        rows = sql.all(
            "SELECT originator_id AS id, originator_version AS version, topic, state"
            f" FROM {{0}}{_LOG_TABLE} WHERE originator_id >= ? AND originator_id <= ?"
            " ORDER BY originator_id, originator_version",
            *bounds,
        )
        for match, found in groupby(rows, lambda row: row["id"]):
            whole = hashlib.sha256()
            for row in found:
                state = bytes(row["state"])
                whole.update(f"{row['version']} {row['topic']} {len(state)} ".encode() + state)
            yield to_uuid(match), whole.digest()
