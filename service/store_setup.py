"""Setup of the event store: the SQL tables of all packages and the data saved with decisions."""

from collections.abc import Iterable

from projections.database.migrations import Step, step
from projections.database.sql import Sql
from service.matches.sql_tables import PLANS, mark_plan_played
from service.notifications import outbox_sql as outbox
from service.players.sql_tables import PROVENANCE, VACATIONS
from service.recovery.sql_tables import TABLES as RECOVERY_TABLES
from service.recovery.sql_tables import record_seat_move
from service.settings import Settings
from service.social.sql_tables import TABLES as PEOPLE_TABLES
from service.store import Store
from service.store.schema_steps import CLOCKS

EXTRA_SCHEMA: tuple[Step, ...] = (
    step(*VACATIONS),
    step(*outbox.TABLES),
    step(*PLANS),
    step(*PEOPLE_TABLES),
    step(*CLOCKS),
    step(*PROVENANCE),
    step(outbox.add_pause_columns),
    step(*RECOVERY_TABLES),
    step(outbox.add_tags_column),
)
"""The migration steps after `service.store.schema_steps.STEPS`, in the order of their release.

Add new steps at the end and never change a released one: databases record which step numbers have
been applied.
"""


def open_store(settings: Settings) -> Store:
    """Open the store with the tables of all packages; raises the same errors as `Store`."""
    return Store(settings, EXTRA_SCHEMA, write_alongside)


def write_alongside(sql: Sql, entries: Iterable[outbox.BatchEntry]) -> None:
    """Write the data that accompanies decisions, in the transaction that saves the decisions.

    This covers notifications, plans that were played, and seats that moved to another device.
    """
    for entry in entries:
        outbox.write_batch(sql, entry)
        batch, now, _due = entry
        if batch.plan_played:
            mark_plan_played(sql, batch.plan_played)
        for moved in batch.moved_seats:
            record_seat_move(sql, moved, now)
