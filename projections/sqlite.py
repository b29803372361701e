"""SQLite that compiles each statement once, and knows how long it waits for a lock.

The library opens its connections with ``cached_statements=True``, which Python takes for room for
one statement: each of a save, and each that a reader asks, would be compiled again every time,
which takes longer than carrying it out.
"""

import sqlite3

from eventsourcing import sqlite
from eventsourcing.persistence import InterfaceError
from eventsourcing.utils import Environment, EnvType

_STATEMENTS = 256
"""Compiled statements that a connection keeps: more than the program has."""


class Connection(sqlite3.Connection):
    """``waits``: milliseconds for which it waits for a lock, None before it was told."""

    waits: int | None = None

    def wait(self, milliseconds: int) -> None:
        """Waits so long from now on. SQLite would compile the statement anew each time."""
        if self.waits != milliseconds:
            self.execute(f"PRAGMA busy_timeout = {milliseconds}")
            self.waits = milliseconds


class _Pool(sqlite.SQLiteConnectionPool):
    """The library's, whose files are logged ahead already (`service.store`)."""

    def _create_connection(self) -> sqlite.SQLiteConnection:
        try:
            made = sqlite3.connect(
                self.db_name,
                uri=True,
                check_same_thread=False,
                isolation_level=None,
                cached_statements=_STATEMENTS,
                factory=Connection,
            )
        except sqlite3.Error as error:
            raise InterfaceError(error) from error
        made.row_factory = sqlite3.Row
        return sqlite.SQLiteConnection(made, self.max_age)


class Factory(sqlite.SQLiteFactory):
    """The library's, with our pool in the place of its own."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.datastore.close()
        self.datastore.pool = _Pool(db_name=self.datastore.pool.db_name)
