"""Secrets of a store: made when they are first wanted, and never shown."""

import secrets

from msgspec import Struct

from service.store.store import Store


class Secret(Struct, frozen=True):
    """A secret as it is kept. ``created``: milliseconds since 1970 UTC."""

    value: str
    created: int


def secret_of(store: Store, name: str, now: int, made: str = "") -> Secret:
    """The secret of a name, at first ``made`` or 32 random bytes in hex; of several workers that
    start at once all get the same."""
    with store.transaction(commit=True) as sql:
        sql.run(
            "INSERT INTO {0}secrets VALUES (?,?,?) ON CONFLICT DO NOTHING",
            *(name, made or secrets.token_hex(32), now),
        )
    with store.transaction(commit=False) as sql:
        row = sql.one("SELECT value, created FROM {0}secrets WHERE name = ?", name)
    return Secret(row["value"], row["created"])
