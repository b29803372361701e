"""The tables of seat PINs and of the codes that new devices show, and what a move of a seat changes
in plain tables."""

from projections.sql import Sql
from service.notices.told import SeatMoved

TABLES = (
    # `tries`: how often somebody has tried a wrong PIN of the seat; it outlives the PIN. `pin` is a
    # keyed hash, "" for none, that `player` has chosen.
    "CREATE TABLE IF NOT EXISTS {0}seat_pins (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, code TEXT NOT NULL, pin TEXT NOT NULL, tries INTEGER NOT NULL,"
    " created BIGINT NOT NULL, PRIMARY KEY (match, seat))",
    "CREATE INDEX IF NOT EXISTS seat_pins_code ON {0}seat_pins (code)",
    # `match` and `seat`: for which somebody has used the code, "" and -1 until then.
    "CREATE TABLE IF NOT EXISTS {0}device_codes (player TEXT PRIMARY KEY,"
    " code TEXT NOT NULL UNIQUE, expires BIGINT NOT NULL, match TEXT NOT NULL,"
    " seat INTEGER NOT NULL)",
)


def note_move(sql: Sql, moved: SeatMoved, now: int) -> None:
    """Drop the plan of a seat that goes to another device, in the transaction of the move. Whoever
    at the table muted or blocked its person goes on doing so, and days of vacation that the person
    has used stay used: otherwise each new device brings its own."""
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
