"""The event store, its plain SQL tables, and the group commit writer (`saver`)."""

from service.store.store import Receipt, StoredDecision, Store, VersionConflict, library_settings

__all__ = ["Receipt", "StoredDecision", "Store", "VersionConflict", "library_settings"]
