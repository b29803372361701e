"""One way to speak SQL to both databases."""

from typing import Any


class Sql:
    """A cursor inside a transaction: ``?`` marks values, ``{0}`` stands before table names.

    ``schema`` is None for SQLite and the schema's name for PostgreSQL.
    """

    def __init__(self, cursor: Any, schema: str | None) -> None:
        self._cursor = cursor
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
