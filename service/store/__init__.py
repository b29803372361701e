"""The event store, its plain SQL tables, and the group commit writer (`saver`)."""

from service.store.store import Receipt, Recorded, Store, Taken, library_settings

__all__ = ["Receipt", "Recorded", "Store", "Taken", "library_settings"]
