"""One way to speak SQL to both databases."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from eventsourcing.sqlite import SQLiteDatastore

_PAUSE = 0.01
"""Seconds between two looks whether a lock is free."""
_LONGEST = 5.0
_patience: ContextVar[float | None] = ContextVar("patience", default=None)


@contextmanager
def patient(seconds: float) -> Iterator[None]:
    """How long who writes in the block waits for a lock that somebody else holds; without, 5
    seconds on SQLite and as long as the connection says on PostgreSQL."""
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


def wait_for_lock(cursor: Any) -> None:
    """Tells a connection of SQLite to wait for a lock as long as `patient` says."""
    cursor.sqlite_cursor.connection.wait(int(_seconds() * 1000))


def _seconds() -> float:
    given = _patience.get()
    return _LONGEST if given is None else given


def is_locked(error: BaseException) -> bool:
    """Whether SQLite refused because somebody else holds the lock for writing."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def is_deadlock(error: BaseException) -> bool:
    """Whether PostgreSQL ended one of two that waited for each other."""
    return getattr(error.__cause__, "sqlstate", None) == "40P01"


@contextmanager
def begun(datastore: Any, *, commit: bool) -> Iterator[Any]:
    """The cursor of a transaction; ``commit``: one that writes.

    SQLite takes the lock for writing at the first statement that writes, and refuses at once,
    without waiting, when another has written since this transaction first read. One that is going
    to write therefore takes the lock when it begins, and waits for it: again and again, because
    the library lets one thread write at a time, and who waits must not keep out those who would
    rather not.

    Who only reads from PostgreSQL is given no transaction: it would show no more of one moment
    than statements by themselves do, and cost two more ways to the database and back.
    """
    if not commit and not isinstance(datastore, SQLiteDatastore):
        with datastore.get_connection() as connection, connection.cursor() as cursor:
            yield cursor
        return
    until = time.monotonic() + _seconds()
    while True:
        with ExitStack() as stack:
            cursor = stack.enter_context(datastore.transaction(commit=commit))
            if not isinstance(datastore, SQLiteDatastore):
                _tell_patience(cursor)
            if not (commit and isinstance(datastore, SQLiteDatastore)) or _has_lock(cursor, until):
                yield cursor
                return
        time.sleep(_PAUSE)


def _tell_patience(cursor: Any) -> None:
    """Has a transaction of PostgreSQL wait for locks as long as `patient` says; 0 is for ever."""
    given = _patience.get()
    if given is not None:
        cursor.execute(f"SET LOCAL lock_timeout = {max(int(given * 1000), 1)}")


def _has_lock(cursor: Any, until: float) -> bool:
    """Begins a transaction that writes; fails when the lock is not to be had for so long."""
    cursor.execute("ROLLBACK")
    cursor.sqlite_cursor.connection.wait(0)
    try:
        cursor.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if not is_locked(error) or time.monotonic() >= until:
            raise
        return False
    return True


@lru_cache(1024)
def _text(statement: str, prefix: str, before: str) -> str:
    """The statement as the database is given it."""
    text = statement.format(prefix, before)
    return text.replace("?", "%s") if prefix else text


class Sql:
    """A cursor inside a transaction: ``?`` marks values, ``{0}`` stands before table names.

    ``schema`` is None for SQLite and the schema's name for PostgreSQL. ``{1}`` stands before names
    of tables of one kind, and of their indexes: see `named`.
    """

    def __init__(self, cursor: Any, schema: str | None, before: str = "") -> None:
        self._cursor = cursor
        self._schema = schema
        self._before = before
        self._prefix = "" if schema is None else f'"{schema}".'

    @property
    def is_postgres(self) -> bool:
        """Whether this is PostgreSQL."""
        return self._schema is not None

    def named(self, before: str) -> "Sql":
        """The same cursor for tables whose names begin with ``before``, written ``{0}{1}name``."""
        return Sql(self._cursor, self._schema, before)

    def run(self, statement: str, *values: Any) -> None:
        """Executes a statement that gives no rows."""
        self._cursor.execute(self._text(statement), values)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Executes a statement once for each row."""
        if rows:
            self._cursor.executemany(self._text(statement), rows)

    def fill(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Appends rows, each with all columns of a table in their order; none may be there."""
        if not rows:
            return
        if self._schema is None:
            marks = ",".join("?" * len(rows[0]))
            self.many(f"INSERT INTO {{0}}{{1}}{table} VALUES ({marks})", rows)
            return
        with self._cursor.copy(self._text(f"COPY {{0}}{{1}}{table} FROM STDIN")) as copy:
            for row in rows:
                copy.write_row(row)

    def _text(self, statement: str) -> str:
        return _text(statement, self._prefix, self._before)

    def one(self, statement: str, *values: Any) -> Any:
        """The first row, readable by column name, or None."""
        self.run(statement, *values)
        return self._cursor.fetchone()

    def all(self, statement: str, *values: Any) -> list[Any]:
        """All rows."""
        self.run(statement, *values)
        return list(self._cursor.fetchall())

    def columns(self, table: str) -> set[str]:
        """The names of a table's columns."""
        if self._schema is None:
            rows = self.all("SELECT name FROM pragma_table_info(?)", table)
        else:
            rows = self.all(
                "SELECT column_name AS name FROM information_schema.columns"
                " WHERE table_schema = ? AND table_name = ?",
                *(self._schema, table),
            )
        return {row["name"] for row in rows}
