"""SQL table of conditional plans, and its change in the transaction of a move."""

from projections.database.sql import Sql
from service.notifications.triggers import PlanPlayed

PLANS = (
    "CREATE TABLE IF NOT EXISTS {0}plans (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, version BIGINT NOT NULL, plan TEXT NOT NULL,"
    " dropped TEXT NOT NULL, PRIMARY KEY (match, seat))",
)


def mark_plan_played(sql: Sql, played: PlanPlayed) -> None:
    """Mark a plan as played, in the transaction of the move so that both become visible at once."""
    sql.run(
        "UPDATE {0}plans SET dropped = 'played', version = ? WHERE match = ? AND seat = ?"
        " AND version = ? AND dropped = ''",
        *(played.version, played.match, played.seat, played.since),
    )
