"""SQL tables of players' personal data."""

TABLES = (
    # The version up to which a player has read a match.
    "CREATE TABLE IF NOT EXISTS {0}seen (player TEXT NOT NULL, match TEXT NOT NULL,"
    " version BIGINT NOT NULL, PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}own_notes (player TEXT NOT NULL, match TEXT NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}shunned (player TEXT NOT NULL, other TEXT NOT NULL,"
    " name TEXT NOT NULL, muted INTEGER NOT NULL, blocked INTEGER NOT NULL,"
    " PRIMARY KEY (player, other))",
    # The code in a calendar address is secret, so only its hash is stored.
    "CREATE TABLE IF NOT EXISTS {0}calendars (player TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE,"
    " created BIGINT NOT NULL)",
)
