"""Detection of version conflicts when the database does not report why it rejected a write."""

from collections.abc import Iterable
from uuid import UUID

from projections.database.sql import Sql

_SELECT_RECEIPT = "SELECT 1 AS there FROM {0}receipts WHERE key = ?"
_SELECT_EVENT = (
    "SELECT 1 AS there FROM {0}stored_events WHERE originator_id = ? AND originator_version = ?"
)


def is_conflict(
    sql: Sql, versions: Iterable[tuple[UUID, int]], receipt_keys: Iterable[str]
) -> bool:
    """Return whether any of the given match versions or receipts is already stored."""
    return any(sql.one(_SELECT_RECEIPT, key) for key in receipt_keys) or any(
        sql.one(_SELECT_EVENT, match, version) for match, version in versions
    )
