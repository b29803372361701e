"""SQL table of conditional plans."""

PLANS = (
    "CREATE TABLE IF NOT EXISTS {0}plans (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, version BIGINT NOT NULL, plan TEXT NOT NULL,"
    " dropped TEXT NOT NULL, PRIMARY KEY (match, seat))",
)
