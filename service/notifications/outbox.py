"""The notification outbox, from which senders claim rows for a limited time.

A claim prevents two workers from sending the same row. If a worker stops while it holds claims,
another one can claim the rows once these have expired.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from service.notifications.outbox_sql import (
    DONE,
    SENT,
    WAITING,
    WITHDRAWN,
    OutboxRow,
    insert_notification,
)
from service.notifications.triggers import Notification, seat_of_turn
from service.store import Store

LEASE_MS = 90_000
"""Milliseconds for which a claim is valid; sending must finish within this time."""
DONE_RETENTION_MS = 7 * 86_400_000
"""Milliseconds after its creation for which a row in the state `DONE` is kept, as a record."""
MAX_RETENTION_MS = 90 * 86_400_000
"""Milliseconds after its creation for which any other row without a due time is kept.

It is longer because notifications that were sent can still be withdrawn.
"""
MAX_PLAN_WAIT_MS = 60_000
"""Maximum milliseconds for which a turn notification waits for the player's plan to be played or
dropped."""
PLAN_CHECK_INTERVAL_MS = 1_000
"""Interval in milliseconds at which that plan is checked."""
_PLAYERS_PER_CLAIM = 16
"""Maximum number of players whose rows are claimed at once."""

_WHERE_KEY = " WHERE player = ? AND match = ? AND kind = ? AND turn = ? AND state = ?"
_CLAIM_SQL = (
    "UPDATE {0}notices SET claimed = ? WHERE due <= ? AND claimed <= ? AND player IN"
    " (SELECT DISTINCT player FROM {0}notices WHERE due <= ? AND claimed <= ?"
    f" ORDER BY player LIMIT {_PLAYERS_PER_CLAIM}) RETURNING *"
)


class Outbox:
    """The notification outbox of one store. Times are milliseconds since 1970 UTC."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def claim(self, now: int) -> list[OutboxRow]:
        """Claim and return the due rows of up to `_PLAYERS_PER_CLAIM` players, oldest first."""
        found = self._store.fetch_one(
            "SELECT 1 AS one FROM {0}notices WHERE due <= ? AND claimed <= ? LIMIT 1", now, now
        )
        if found is None:
            return []
        rows = self._store.execute_returning(_CLAIM_SQL, now + LEASE_MS, now, now, now, now)
        return sorted(map(_row_from_sql, rows), key=lambda row: row.created)

    def backlog(self) -> tuple[int, int | None]:
        """Return the number of rows with a due time, and the earliest due time or None."""
        found = self._store.fetch_one(
            "SELECT COUNT(*) AS number, MIN(due) AS first FROM {0}notices WHERE due IS NOT NULL"
        )
        return int(found["number"]), found["first"]

    def postpone(self, row: OutboxRow, due: int) -> None:
        """Postpone a row until ``due`` without counting an attempt."""
        self._update("due = ?, claimed = 0", row, due)

    def retry(
        self, row: OutboxRow, due: int, now: int, sent: Sequence[str], tags: Sequence[str]
    ) -> None:
        """Schedule another attempt at ``due``, and count the one that has failed.

        ``sent``: the ids of the channels that have delivered the row and are skipped next time;
        ``tags``: the tags of the delivered messages.
        """
        self._update(
            "due = ?, claimed = 0, tries = tries + 1, tried = COALESCE(tried, ?), sent = ?,"
            " tags = ?",
            *(row, due, now, " ".join(sent), " ".join(tags)),
        )

    def finish(self, row: OutboxRow, now: int, sent: Sequence[str], tags: Sequence[str]) -> None:
        """Mark a row as sent, or as done if no channel delivered it or it was withdrawn.

        ``sent``: the ids of the channels that have delivered it; ``tags``: the tags of the
        delivered messages. If the row ceased to apply while it was being sent, it is marked for
        immediate withdrawal.
        """
        channels, tag_list = " ".join(sent), " ".join(tags)
        with self._store.transaction(commit=True) as sql:
            rows = sql.all(
                f"UPDATE {{0}}notices SET due = NULL, claimed = 0, state = ?, sent = ?,"
                f" tags = ?, tried = ?{_WHERE_KEY} RETURNING 1",
                *(
                    SENT if sent and row.state == WAITING else DONE,
                    channels,
                    tag_list,
                    now,
                    *row.key,
                    row.state,
                ),
            )
            if not rows and sent and row.state == WAITING:
                sql.run(
                    "UPDATE {0}notices SET due = ?, claimed = 0, state = ?, sent = ?, tags = ?"
                    + _WHERE_KEY,
                    *(now, WITHDRAWN, channels, tag_list, *row.key, DONE),
                )

    def drop(self, row: OutboxRow) -> None:
        """Mark a row as done without sending it.

        A row about a chat to which a message was added since it was claimed becomes due again.
        """
        with self._store.transaction(commit=True) as sql:
            dropped = sql.all(
                "UPDATE {0}notices SET due = NULL, claimed = 0, state = ?"
                f"{_WHERE_KEY} AND created = ? RETURNING 1",
                *(DONE, *row.key, row.state, row.created),
            )
            if not dropped:
                sql.run(f"UPDATE {{0}}notices SET claimed = 0{_WHERE_KEY}", *row.key, row.state)

    def _update(self, what: str, row: OutboxRow, *values: Any) -> None:
        self._store.execute(
            f"UPDATE {{0}}notices SET {what}{_WHERE_KEY}", *values, *row.key, row.state
        )

    def count_shown(self, player: str, tag: str) -> int:
        """Return how many of the player's rows a delivered message with this tag still covers.

        These are sent rows, and those whose withdrawal is not finished.
        """
        found = self._store.fetch_one(
            "SELECT COUNT(*) AS number FROM {0}notices WHERE player = ? AND state IN (?, ?)"
            " AND ' ' || tags || ' ' LIKE ?",
            *(player, SENT, WITHDRAWN, f"% {tag} %"),
        )
        return int(found["number"])

    def last_turn_notified_at(self, row: OutboxRow) -> int | None:
        """Return when the player of a row last got a turn notification that still stands, or None.

        Considers all their matches.
        """
        found = self._store.fetch_one(
            "SELECT MAX(tried) AS told FROM {0}notices WHERE player = ? AND kind = 'turn'"
            " AND state = ?",
            *(row.player, SENT),
        )
        notified_at: int | None = found["told"]
        return notified_at

    def check_plan_at(self, row: OutboxRow, now: int) -> int:
        """Return when to check again whether the player's plan has been played.

        Returns 0 if there is no plan to wait for, and -1 if the plan was dropped, which causes a
        notification of its own.
        """
        seat = seat_of_turn(row.turn)
        with self._store.transaction(commit=False) as sql:
            # In this order: a plan that is dropped in between has its notification by then.
            standing = sql.one(
                "SELECT 1 AS one FROM {0}plans WHERE match = ? AND seat = ? AND player = ?"
                " AND dropped = ''",
                *(row.match, seat, row.player),
            )
            dropped = sql.one(
                "SELECT 1 AS one FROM {0}notices WHERE player = ? AND match = ? AND kind = 'plan'"
                " AND state IN (?, ?) AND created >= ?",
                *(row.player, row.match, WAITING, SENT, row.created),
            )
        if dropped is not None:
            return -1
        if standing is None or now >= row.created + MAX_PLAN_WAIT_MS:
            return 0
        return now + PLAN_CHECK_INTERVAL_MS

    def add(self, notification: Notification, now: int) -> None:
        """Add a notification that is not caused by a move; it is due at once."""
        with self._store.transaction(commit=True) as sql:
            insert_notification(sql, notification, now, now)

    def prune(self, now: int) -> None:
        """Delete old rows without a due time.

        Rows in the state `DONE` are deleted after `DONE_RETENTION_MS`, others after
        `MAX_RETENTION_MS`.
        """
        self._store.execute(
            "DELETE FROM {0}notices WHERE due IS NULL AND"
            " (created < ? OR (created < ? AND state = ?))",
            *(now - MAX_RETENTION_MS, now - DONE_RETENTION_MS, DONE),
        )


def _row_from_sql(row: Any) -> OutboxRow:
    columns = {name: row[name] for name in OutboxRow.__struct_fields__}
    columns["args"] = msgspec.json.decode(row["args"])
    columns["sent"], columns["tags"] = tuple(row["sent"].split()), tuple(row["tags"].split())
    return OutboxRow(**columns)
