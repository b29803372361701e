"""SQL tables of seat PINs and device codes, and the updates of other tables when a seat moves."""

from projections.database.sql import Sql
from service.notifications.triggers import SeatMoved

TABLES = (
    # ``tries``: the seat's wrong tries, kept when its PIN changes; ``pin``: the keyed hash of the
    # PIN that ``player`` has set, "" for none; ``code``: the table code of the match.
    "CREATE TABLE IF NOT EXISTS {0}seat_pins (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, code TEXT NOT NULL, pin TEXT NOT NULL, tries INTEGER NOT NULL,"
    " created BIGINT NOT NULL, PRIMARY KEY (match, seat))",
    "CREATE INDEX IF NOT EXISTS seat_pins_code ON {0}seat_pins (code)",
    # ``match`` and ``seat``: for what the code was used, "" and -1 while it is unused.
    "CREATE TABLE IF NOT EXISTS {0}device_codes (player TEXT PRIMARY KEY,"
    " code TEXT NOT NULL UNIQUE, expires BIGINT NOT NULL, match TEXT NOT NULL,"
    " seat INTEGER NOT NULL)",
)


def record_seat_move(sql: Sql, moved: SeatMoved, now: int) -> None:
    """Update other tables in the transaction in which a seat moves to another device.

    The seat's plan is deleted. If other players in the match have muted or blocked the player of
    the previous device, this also applies to the player of the new device, to whom vacations are
    copied too. Otherwise a new device could be used to evade blocks and to gain vacation days.
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
