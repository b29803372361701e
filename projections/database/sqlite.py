"""SQLite connections that cache compiled statements and remember their lock timeout.

The library opens its connections with ``cached_statements=True``, which Python interprets as a
cache for one statement. Statements would then be compiled each time, which takes longer than
running them.
"""

import sqlite3

from eventsourcing import sqlite
from eventsourcing.persistence import InterfaceError
from eventsourcing.utils import Environment, EnvType

_CACHED_STATEMENTS = 256
"""Size of a connection's cache of compiled statements: more than the program uses."""


class Connection(sqlite3.Connection):
    """A connection; ``waits``: its lock timeout in milliseconds, None until it is first set."""

    waits: int | None = None

    def wait(self, milliseconds: int) -> None:
        """Set the lock timeout, if it differs, as SQLite compiles this statement each time."""
        if self.waits != milliseconds:
            self.execute(f"PRAGMA busy_timeout = {milliseconds}")
            self.waits = milliseconds


class _Pool(sqlite.SQLiteConnectionPool):
    """The library's pool, for files that are already in WAL mode (`service.store`)."""

    def _create_connection(self) -> sqlite.SQLiteConnection:
        try:
            made = sqlite3.connect(
                self.db_name,
                uri=True,
                check_same_thread=False,
                isolation_level=None,
                cached_statements=_CACHED_STATEMENTS,
                factory=Connection,
            )
        except sqlite3.Error as error:
            raise InterfaceError(error) from error
        made.row_factory = sqlite3.Row
        return sqlite.SQLiteConnection(made, self.max_age)


class Factory(sqlite.SQLiteFactory):
    """The library's factory with our pool."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.datastore.close()
        self.datastore.pool = _Pool(db_name=self.datastore.pool.db_name)
