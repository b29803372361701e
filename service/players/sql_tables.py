"""SQL tables of vacations, and of the devices that created links and codes."""

VACATIONS = (
    # ``told`` is 0 until the start or end of the vacation is applied to all the player's matches.
    "CREATE TABLE IF NOT EXISTS {0}vacations (player TEXT NOT NULL, began BIGINT NOT NULL,"
    " until BIGINT NOT NULL, ended BIGINT, told INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (player, began))",
    "CREATE UNIQUE INDEX IF NOT EXISTS vacations_present ON {0}vacations (player)"
    " WHERE ended IS NULL",
    "CREATE INDEX IF NOT EXISTS vacations_told ON {0}vacations (told)",
)
PROVENANCE = (
    # The device that created a link, recovery code, calendar address or seat PIN, or added another
    # device (`service.players.provenance`).
    "CREATE TABLE IF NOT EXISTS {0}provenance (kind TEXT NOT NULL, key TEXT NOT NULL,"
    " device TEXT NOT NULL, PRIMARY KEY (kind, key))",
    "CREATE INDEX IF NOT EXISTS provenance_device ON {0}provenance (device)",
)
