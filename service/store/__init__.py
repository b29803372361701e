"""The event store and the one way into it."""

from service.store.store import Receipt, Recorded, Store, Taken, library_settings

__all__ = ["Receipt", "Recorded", "Store", "Taken", "library_settings"]
