"""Secrets of a store: created when first needed, and never disclosed."""

import secrets

from msgspec import Struct

from service.store.store import Store


class Secret(Struct, frozen=True):
    """A stored secret. ``created``: milliseconds since 1970 UTC."""

    value: str
    created: int


def load_secret(store: Store, name: str, now: int, new_value: str = "") -> Secret:
    """Return the secret of a name, created if there is none.

    A new secret is ``new_value``, or 32 random bytes in hex. Workers that start at the same time
    all get the same one.
    """
    with store.transaction(commit=True) as sql:
        sql.run(
            "INSERT INTO {0}secrets VALUES (?,?,?) ON CONFLICT DO NOTHING",
            *(name, new_value or secrets.token_hex(32), now),
        )
    with store.transaction(commit=False) as sql:
        row = sql.one("SELECT value, created FROM {0}secrets WHERE name = ?", name)
    return Secret(row["value"], row["created"])
