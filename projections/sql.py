"""One way to speak SQL to both databases."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from eventsourcing.sqlite import SQLiteDatastore


@contextmanager
def begun(datastore: Any, *, commit: bool) -> Iterator[Any]:
    """The cursor of a transaction; ``commit``: one that writes.

    SQLite takes the lock for writing at the first statement that writes, and refuses at once,
    without waiting, when another has written since this transaction first read. One that is going
    to write therefore takes the lock when it begins, and waits for it.
    """
    with datastore.transaction(commit=commit) as cursor:
        if commit and isinstance(datastore, SQLiteDatastore):
            cursor.execute("ROLLBACK")
            cursor.execute("BEGIN IMMEDIATE")
        yield cursor


class Sql:
    """A cursor inside a transaction: ``?`` marks values, ``{0}`` stands before table names.

    ``schema`` is None for SQLite and the schema's name for PostgreSQL.
    """

    def __init__(self, cursor: Any, schema: str | None) -> None:
        self._cursor = cursor
        self._schema = schema
        self._prefix = "" if schema is None else f'"{schema}".'

    def run(self, statement: str, *values: Any) -> None:
        """Executes a statement that gives no rows."""
        text = statement.format(self._prefix)
        if self._prefix:
            text = text.replace("?", "%s")
        self._cursor.execute(text, values)

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
