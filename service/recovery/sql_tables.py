"""SQL tables of seat PINs and device codes, and changes to other tables when a seat moves."""

from projections.database.sql import Sql
from service.notifications.triggers import SeatMoved

TABLES = (
    # `tries`: wrong tries of the seat, kept when its PIN changes. `pin`: keyed hash of the PIN that
    # `player` has chosen, "" for none. `code`: of the match.
    "CREATE TABLE IF NOT EXISTS {0}seat_pins (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, code TEXT NOT NULL, pin TEXT NOT NULL, tries INTEGER NOT NULL,"
    " created BIGINT NOT NULL, PRIMARY KEY (match, seat))",
    "CREATE INDEX IF NOT EXISTS seat_pins_code ON {0}seat_pins (code)",
    # `match` and `seat`: what the code was used for, "" and -1 until then.
    "CREATE TABLE IF NOT EXISTS {0}device_codes (player TEXT PRIMARY KEY,"
    " code TEXT NOT NULL UNIQUE, expires BIGINT NOT NULL, match TEXT NOT NULL,"
    " seat INTEGER NOT NULL)",
)


def record_seat_move(sql: Sql, moved: SeatMoved, now: int) -> None:
    """Update other tables for a seat that moves to another device, in the transaction of the move.

    The seat's plan is deleted. Other players in the match who muted or blocked the person mute or
    block the new device's player too, and used days of vacation are copied to that player.
    Otherwise each new device would evade blocks and bring new vacation days.
    """
    sql.run("DELETE FROM {0}plans WHERE match = ? AND seat = ?", moved.match, moved.seat)
    for other in moved.others:
        sql.run(
            "INSERT INTO {0}shunned SELECT player, ?, name, muted, blocked FROM {0}shunned"
            " WHERE player = ? AND other = ? ON CONFLICT DO NOTHING",
            *(moved.new, other, moved.old),
        )
    sql.run(
        "INSERT INTO {0}vacations (player, began, until, ended, told)"
        " SELECT ?, began, until, COALESCE(ended, ?), 1 FROM {0}vacations WHERE player = ?"
        " ON CONFLICT DO NOTHING",
        *(moved.new, now, moved.old),
    )
