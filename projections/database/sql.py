"""The common SQL interface to SQLite and PostgreSQL."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar

from eventsourcing.sqlite import SQLiteDatastore

_T = TypeVar("_T")
_RETRY_DELAY_S = 0.01
"""Seconds between two attempts to take the write lock."""
_SQLITE_LOCK_TIMEOUT_S = 5.0
_lock_timeout_s: ContextVar[float | None] = ContextVar("lock_timeout_s", default=None)


@contextmanager
def lock_timeout(seconds: float) -> Iterator[None]:
    """Set how long transactions in the block wait for a lock held by another session.

    Outside such a block the limit is 5 seconds on SQLite and the connection's ``lock_timeout`` on
    PostgreSQL.
    """
    token = _lock_timeout_s.set(seconds)
    try:
        yield
    finally:
        _lock_timeout_s.reset(token)


def apply_lock_timeout(cursor: Any) -> None:
    """Set the lock timeout of a SQLite connection to the current one (see `lock_timeout`)."""
    cursor.sqlite_cursor.connection.wait(int(_current_timeout_s() * 1000))


def _current_timeout_s() -> float:
    given = _lock_timeout_s.get()
    return _SQLITE_LOCK_TIMEOUT_S if given is None else given


def is_locked(error: BaseException) -> bool:
    """Return whether SQLite failed because another connection holds the write lock."""
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def is_deadlock(error: BaseException) -> bool:
    """Return whether PostgreSQL aborted the transaction to resolve a deadlock."""
    return getattr(error.__cause__, "sqlstate", None) == "40P01"


@contextmanager
def transaction_cursor(datastore: Any, *, commit: bool) -> Iterator[Any]:
    """Open a transaction and yield its cursor; ``commit``: whether it writes.

    SQLite takes the write lock at the first statement that writes, and fails at once, without
    waiting, if another connection has written since this transaction first read. So a transaction
    that writes takes the lock when it begins. It polls for the lock, because the library lets one
    thread write at a time, and a thread blocked on the lock would delay threads with a shorter
    timeout.

    Reads from PostgreSQL get no transaction: at its isolation level a transaction would give no
    more consistency than single statements and would take two more round trips.
    """
    if not commit and not isinstance(datastore, SQLiteDatastore):
        with datastore.get_connection() as connection, connection.cursor() as cursor:
            yield cursor
        return
    until = time.monotonic() + _current_timeout_s()
    while True:
        with ExitStack() as stack:
            cursor = stack.enter_context(datastore.transaction(commit=commit))
            if not isinstance(datastore, SQLiteDatastore):
                _set_lock_timeout(cursor)
            if not (commit and isinstance(datastore, SQLiteDatastore)) or _try_begin(cursor, until):
                yield cursor
                return
        time.sleep(_RETRY_DELAY_S)


def _set_lock_timeout(cursor: Any) -> None:
    """Set the lock timeout of a PostgreSQL transaction to that of `lock_timeout`, if any.

    It is at least 1 ms, as 0 would mean no timeout.
    """
    given = _lock_timeout_s.get()
    if given is not None:
        cursor.execute(f"SET LOCAL lock_timeout = {max(int(given * 1000), 1)}")


def _try_begin(cursor: Any, until: float) -> bool:
    """Begin a write transaction; return False if the lock is taken.

    Raises `sqlite3.OperationalError` if the lock is still taken at ``until`` (monotonic clock).
    """
    cursor.execute("ROLLBACK")
    cursor.sqlite_cursor.connection.wait(0)
    try:
        cursor.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if not is_locked(error) or time.monotonic() >= until:
            raise
        return False
    return True


def batches(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Yield the values in batches of at most ``size``, as one statement has few placeholders."""
    for first in range(0, len(values), size):
        yield values[first : first + size]


@lru_cache(1024)
def _text(statement: str, prefix: str, before: str) -> str:
    """Return a statement with its table prefixes and the database's placeholders filled in."""
    text = statement.format(prefix, before)
    return text.replace("?", "%s") if prefix else text


class Sql:
    """A database cursor whose statements are written alike for both databases.

    Statements have ``?`` for values. ``{0}`` before each table name is replaced by the schema;
    ``schema`` is None for SQLite and the schema's name for PostgreSQL. ``{1}`` is replaced by the
    prefix of a group of tables and their indexes (see `with_prefix`).
    """

    def __init__(self, cursor: Any, schema: str | None, table_prefix: str = "") -> None:
        self._cursor = cursor
        self._schema = schema
        self._table_prefix = table_prefix
        self._schema_prefix = "" if schema is None else f'"{schema}".'

    @property
    def is_postgres(self) -> bool:
        """Whether the database is PostgreSQL."""
        return self._schema is not None

    def with_prefix(self, table_prefix: str) -> "Sql":
        """Return an `Sql` on the same cursor with this prefix for tables written ``{0}{1}name``."""
        return Sql(self._cursor, self._schema, table_prefix)

    def run(self, statement: str, *values: Any) -> None:
        """Execute a statement without result."""
        self._cursor.execute(self._text(statement), values)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute a statement once for each row."""
        if rows:
            self._cursor.executemany(self._text(statement), rows)

    def insert_rows(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows that do not exist yet, each with all columns of the table in order."""
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
        return _text(statement, self._schema_prefix, self._table_prefix)

    def one(self, statement: str, *values: Any) -> Any:
        """Return the first row of the result, accessible by column name; None if it is empty."""
        self.run(statement, *values)
        return self._cursor.fetchone()

    def all(self, statement: str, *values: Any) -> list[Any]:
        """Return all rows of the result, accessible by column name."""
        self.run(statement, *values)
        return list(self._cursor.fetchall())

    def columns(self, table: str) -> set[str]:
        """Return the names of a table's columns; empty if it does not exist."""
        if self._schema is None:
            rows = self.all("SELECT name FROM pragma_table_info(?)", table)
        else:
            rows = self.all(
                "SELECT column_name AS name FROM information_schema.columns"
                " WHERE table_schema = ? AND table_name = ?",
                *(self._schema, table),
            )
        return {row["name"] for row in rows}
