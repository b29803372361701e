"""Subclasses of the `eventsourcing` library's recorders, which use its private methods.

The recorders have no public way to write our rows in their own transaction (`_insert_events`,
`_insert_tracking`), nor to create their tables in one (`_create_table`). Keep such uses in this
module: `tests/projections/test_library.py` fails if the library changes what is used here.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent, Tracking
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresTrackingRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteTrackingRecorder

from projections.database.migrations import ADVISORY_LOCK_KEY
from projections.database.postgres import NO_LOCK_TIMEOUT
from projections.database.sql import Sql, apply_lock_timeout, transaction_cursor

_RETRY_DELAYS_S = (0.02, 0.05, 0.1, 0.2, 0.5)


@contextmanager
def hold_advisory_lock(datastore: Any) -> Iterator[None]:
    """Hold PostgreSQL's advisory lock, as concurrent CREATE ... IF NOT EXISTS statements fail."""
    with transaction_cursor(datastore, commit=True) as cursor:
        cursor.execute(NO_LOCK_TIMEOUT)
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (ADVISORY_LOCK_KEY,))
        yield


class SQLiteEvents(SQLiteApplicationRecorder):
    """SQLite recorder of events that can write our rows in the same transaction."""

    write_alongside: Callable[..., None]
    """Writes rows in the transaction of the events, from the extra arguments of `put`."""

    def create_table(self) -> None:
        with transaction_cursor(self.datastore, commit=True) as cursor:
            self._create_table(cursor)

    def _insert_events(
        self, c: Any, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        apply_lock_timeout(c)
        if kwargs:
            self.write_alongside(Sql(c, None), **kwargs)
        return super()._insert_events(c, stored_events, **kwargs)


class PostgresEvents(PostgresApplicationRecorder):
    """PostgreSQL recorder of events that can write our rows in the same transaction."""

    write_alongside: Callable[..., None]
    """Writes rows in the transaction of the events, from the extra arguments of `put`."""

    def create_table(self) -> None:
        with hold_advisory_lock(self.datastore):
            super().create_table()

    def _insert_events(
        self, curs: Any, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> None:
        if kwargs:
            self.write_alongside(Sql(curs, self.datastore.schema), **kwargs)
        super()._insert_events(curs, stored_events, **kwargs)


class TrackingRecorder(Protocol):
    """Protocol of the recorders of log positions, common to both databases."""

    datastore: Any

    def max_tracking_id(self, application_name: str) -> int | None: ...

    def create_table(self) -> None: ...

    def track(self, cursor: Any, name: str, position: int) -> None:
        """Store a position in the cursor's transaction; raises `IntegrityError` if it exists."""


class SQLiteTracking(SQLiteTrackingRecorder):
    """SQLite recorder of log positions, which writes in the transaction of our rows."""

    def create_table(self) -> None:
        # Another worker may be creating the tables, and the library does not check and create
        # atomically. So retry until they exist.
        for pause in _RETRY_DELAYS_S:
            try:
                return super().create_table()
            except (IntegrityError, OperationalError):
                time.sleep(pause)
        return super().create_table()

    def track(self, cursor: Any, name: str, position: int) -> None:
        """Store a position in the cursor's transaction; raises `IntegrityError` if it exists."""
        self._insert_tracking(cursor, Tracking(name, position))


class PostgresTracking(PostgresTrackingRecorder):
    """PostgreSQL recorder of log positions, which writes in the transaction of our rows."""

    def create_table(self) -> None:
        with hold_advisory_lock(self.datastore):
            super().create_table()

    def track(self, cursor: Any, name: str, position: int) -> None:
        """Store a position in the cursor's transaction; raises `IntegrityError` if it exists."""
        self._insert_tracking(cursor, Tracking(name, position))
