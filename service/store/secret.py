"""Secrets of the service by name, created when first needed and kept in the store."""

import secrets

from msgspec import Struct

from service.store.store import Store


class Secret(Struct, frozen=True):
    """A stored secret. ``created``: milliseconds since 1970 UTC."""

    value: str
    created: int


def load_secret(store: Store, name: str, now: int, new_value: str = "") -> Secret:
    """Return the secret called ``name``, creating it if it does not exist.

    A new secret has the value ``new_value``, or 32 random bytes in hex, and the creation time
    ``now`` (milliseconds since 1970 UTC). Workers that start at the same time all get the same
    secret.
    """
    store.execute(
        "INSERT INTO {0}secrets VALUES (?,?,?) ON CONFLICT DO NOTHING",
        *(name, new_value or secrets.token_hex(32), now),
    )
    row = store.fetch_one("SELECT value, created FROM {0}secrets WHERE name = ?", name)
    return Secret(row["value"], row["created"])
