"""The event store, its plain SQL tables, and the group commit writer."""

from service.store.store import Receipt, Store, StoredDecision, VersionConflict, library_settings

__all__ = ["Receipt", "Store", "StoredDecision", "VersionConflict", "library_settings"]
