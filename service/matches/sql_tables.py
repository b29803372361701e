"""SQL table of plans, and its update in the transaction of a move."""

from projections.database.sql import Sql
from service.notifications.triggers import PlanPlayed

PLANS = (
    "CREATE TABLE IF NOT EXISTS {0}plans (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, version BIGINT NOT NULL, plan TEXT NOT NULL,"
    " dropped TEXT NOT NULL, PRIMARY KEY (match, seat))",
)


def mark_plan_played(sql: Sql, played: PlanPlayed) -> None:
    """Mark a plan as played; called in the transaction that saves its move.

    The plan and the move thus change at the same time. Does nothing if the plan was replaced.
    """
    sql.run(
        "UPDATE {0}plans SET dropped = 'played', version = ? WHERE match = ? AND seat = ?"
        " AND version = ? AND dropped = ''",
        *(played.version, played.match, played.seat, played.since),
    )
