"""The outbox: rows are claimed for a while, so that two workers never send the same.

Who ends while it holds rows leaves them to whoever asks next, once the claim has run out.
"""

from typing import Any

import msgspec

from service.notices.tables import DONE, SENT, WAITING, WITHDRAWN, Row, insert
from service.notices.told import Notice, seat_of_turn
from service.store import Store

LEASE = 90_000
"""Milliseconds for which rows are a sender's own; sending must not take longer."""
KEPT = 7 * 86_400_000
"""Milliseconds for which rows that are done with are kept, to tell that they were."""
LONGEST = 90 * 86_400_000
"""The same for those that were sent and could still be withdrawn."""
PLAN_WAIT = 60_000
"""Milliseconds for which a notification of a turn waits for what becomes of the person's plan."""
PLAN_PAUSE = 1_000
"""Milliseconds between two looks whether that is decided."""
_PEOPLE = 16
"""So many people are told at a time."""

_OF = " WHERE player = ? AND match = ? AND kind = ? AND turn = ? AND state = ?"
_CLAIM = (
    "UPDATE {0}notices SET claimed = ? WHERE due <= ? AND claimed <= ? AND player IN"
    " (SELECT DISTINCT player FROM {0}notices WHERE due <= ? AND claimed <= ?"
    f" ORDER BY player LIMIT {_PEOPLE}) RETURNING *"
)


class Outbox:
    """The rows of one store. Times are milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def claim(self, now: int) -> list[Row]:
        """Rows that are due, of some people: all that is due of each, the oldest first."""
        with self._store.transaction(commit=False) as sql:
            found = sql.one(
                "SELECT 1 AS one FROM {0}notices WHERE due <= ? AND claimed <= ? LIMIT 1", now, now
            )
        if found is None:
            return []
        with self._store.transaction(commit=True) as sql:
            rows = sql.all(_CLAIM, now + LEASE, now, now, now, now)
        return sorted(map(_row, rows), key=lambda row: row.created)

    def backlog(self) -> tuple[int, int | None]:
        """How many rows are not done with, and since when the first of them is due."""
        with self._store.transaction(commit=False) as sql:
            found = sql.one(
                "SELECT COUNT(*) AS number, MIN(due) AS first FROM {0}notices WHERE due IS NOT NULL"
            )
        return int(found["number"]), found["first"]

    def hold(self, row: Row, due: int) -> None:
        """Looks at the row again later; that is no try."""
        self._set("due = ?, claimed = 0", row, due)

    def retry(self, row: Row, due: int, now: int, sent: tuple[str, ...]) -> None:
        """Tries the ways again later that the row has not gone by."""
        self._set(
            "due = ?, claimed = 0, tries = tries + 1, tried = COALESCE(tried, ?), sent = ?",
            *(row, due, now, " ".join(sent)),
        )

    def finish(self, row: Row, now: int, sent: tuple[str, ...]) -> None:
        """The row is through; what was sent may be withdrawn some day.

        A turn that was played while its notice was on its way is withdrawn at once.
        """
        ways = " ".join(sent)
        with self._store.transaction(commit=True) as sql:
            rows = sql.all(
                f"UPDATE {{0}}notices SET due = NULL, claimed = 0, state = ?, sent = ?,"
                f" tried = ?{_OF} RETURNING 1",
                *(SENT if sent and row.state == WAITING else DONE, ways, now, *row.key, row.state),
            )
            if not rows and sent and row.state == WAITING:
                sql.run(
                    f"UPDATE {{0}}notices SET due = ?, claimed = 0, state = ?, sent = ?{_OF}",
                    *(now, WITHDRAWN, ways, *row.key, DONE),
                )

    def drop(self, row: Row) -> None:
        """Nobody need hear of it any more."""
        self._set("due = NULL, claimed = 0, state = ?", row, DONE)

    def _set(self, what: str, row: Row, *values: Any) -> None:
        with self._store.transaction(commit=True) as sql:
            sql.run(f"UPDATE {{0}}notices SET {what}{_OF}", *values, *row.key, row.state)

    def last_turn(self, row: Row) -> int | None:
        """When the person of the row was told of a turn last that they have not come to."""
        with self._store.transaction(commit=False) as sql:
            found = sql.one(
                "SELECT MAX(tried) AS told FROM {0}notices WHERE player = ? AND kind = 'turn'"
                " AND state = ?",
                *(row.player, SENT),
            )
        told: int | None = found["told"]
        return told

    def plan_of(self, row: Row, now: int) -> int:
        """Whether a plan of the person keeps a notification of their turn back: when to look again;
        -1 where another one tells that the plan was dropped; 0 where there is none."""
        seat = seat_of_turn(row.turn)
        with self._store.transaction(commit=False) as sql:
            dropped = sql.one(
                "SELECT 1 AS one FROM {0}notices WHERE player = ? AND match = ? AND kind = 'plan'"
                " AND state IN (?, ?) AND created >= ?",
                *(row.player, row.match, WAITING, SENT, row.created),
            )
            if dropped is not None:
                return -1
            if now >= row.created + PLAN_WAIT:
                return 0
            standing = sql.one(
                "SELECT 1 AS one FROM {0}plans WHERE match = ? AND seat = ? AND player = ?"
                " AND dropped = ''",
                *(row.match, seat, row.player),
            )
        return 0 if standing is None else now + PLAN_PAUSE

    def add(self, notice: Notice, now: int) -> None:
        """Tells somebody something that no move of a match brings about, from now on."""
        with self._store.transaction(commit=True) as sql:
            insert(sql, notice, now, now)

    def prune(self, now: int) -> None:
        """Forgets what was done with long ago."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "DELETE FROM {0}notices WHERE due IS NULL AND"
                " (created < ? OR (created < ? AND state = ?))",
                *(now - LONGEST, now - KEPT, DONE),
            )


def _row(row: Any) -> Row:
    return Row(
        player=row["player"],
        match=row["match"],
        kind=row["kind"],
        turn=row["turn"],
        version=row["version"],
        args=msgspec.json.decode(row["args"]),
        created=row["created"],
        state=row["state"],
        tries=row["tries"],
        tried=row["tried"],
        sent=tuple(row["sent"].split()),
    )
