"""The store's own migration steps for the plain SQL tables.

`STEPS` are applied first, then `service.store_setup.EXTRA_SCHEMA`. To add a table, append a step to
`service.store_setup.EXTRA_SCHEMA`; `projections.database.migrations` says what a step may do. Never
change a released step.
"""

import time

from projections.database.migrations import step
from projections.database.sql import Sql

MIGRATION_SCOPE = "store"


def _add_receipt_dates(sql: Sql) -> None:
    """Add the missing column ``created`` to the receipts of an older database.

    Existing receipts get the current time.
    """
    if "created" not in sql.columns("receipts"):
        now = time.time_ns() // 1_000_000
        sql.run(f"ALTER TABLE {{0}}receipts ADD COLUMN created BIGINT NOT NULL DEFAULT {now}")


STEPS = (
    # Databases created before steps were recorded already have most or all of these tables.
    step(
        "CREATE TABLE IF NOT EXISTS {0}players (id TEXT PRIMARY KEY, name TEXT NOT NULL,"
        " created BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS {0}devices (token TEXT PRIMARY KEY, player TEXT NOT NULL,"
        " created BIGINT NOT NULL)",
        # `active` is 1 for the key that signs and null for retired keys, whose private part is
        # deleted.
        "CREATE TABLE IF NOT EXISTS {0}keys (id TEXT PRIMARY KEY, private TEXT NOT NULL,"
        " public TEXT NOT NULL, created BIGINT NOT NULL, retired BIGINT, active INTEGER UNIQUE)",
        "CREATE TABLE IF NOT EXISTS {0}device_notes (token TEXT PRIMARY KEY, name TEXT NOT NULL,"
        " seen BIGINT NOT NULL)",
        "CREATE INDEX IF NOT EXISTS devices_player ON {0}devices (player)",
        "CREATE TABLE IF NOT EXISTS {0}recoveries (player TEXT PRIMARY KEY,"
        " code TEXT NOT NULL UNIQUE, created BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS {0}links (code TEXT PRIMARY KEY, player TEXT NOT NULL,"
        " expires BIGINT NOT NULL)",
        # Secrets of the service by name, see `service.store.secret`.
        "CREATE TABLE IF NOT EXISTS {0}secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL,"
        " created BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS {0}hidden (player TEXT NOT NULL, match TEXT NOT NULL,"
        " PRIMARY KEY (player, match))",
        "CREATE TABLE IF NOT EXISTS {0}receipts (key TEXT PRIMARY KEY, body TEXT NOT NULL,"
        " match TEXT NOT NULL, seat INTEGER NOT NULL, first INTEGER NOT NULL,"
        " last INTEGER NOT NULL, status INTEGER NOT NULL, created BIGINT NOT NULL)",
        _add_receipt_dates,
        "CREATE INDEX IF NOT EXISTS receipts_created ON {0}receipts (created)",
    ),
)

CLOCKS = (
    # Written by earlier releases only, which may run beside this one.
    "CREATE TABLE IF NOT EXISTS {0}clocks (boot TEXT PRIMARY KEY, apart BIGINT NOT NULL)",
)
"""SQL statements of a later step, which is one of `service.store_setup.EXTRA_SCHEMA`."""
