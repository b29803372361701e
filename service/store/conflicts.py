"""Detection of version conflicts when the database does not report why it rejected a write."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.store.store import Receipt, Store, StoredDecision

_SELECT_RECEIPT = "SELECT 1 AS there FROM {0}receipts WHERE key = ?"
_SELECT_EVENT = (
    "SELECT 1 AS there FROM {0}stored_events WHERE originator_id = ? AND originator_version = ?"
)


def is_conflict(
    store: "Store", decisions: Iterable["StoredDecision"], receipts: Iterable["Receipt"]
) -> bool:
    """Return whether one of these versions or receipts is in a PostgreSQL store already."""
    with store.transaction(commit=False) as sql:
        return any(sql.one(_SELECT_RECEIPT, receipt.key) for receipt in receipts) or any(
            sql.one(_SELECT_EVENT, each.originator_id, each.originator_version)
            for each in decisions
        )
