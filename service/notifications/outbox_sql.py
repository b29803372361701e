"""The SQL tables of notifications, and the outbox writes made in the transaction of a move.

An outbox row has one of four states: "waiting" (to be sent), "sent", "withdrawn" (to be withdrawn
from the channels that support it) and "done". The sender reads only rows with a ``due`` time.
"""

import msgspec

from projections.database.sql import Sql
from service.notifications import triggers

WAITING, SENT, WITHDRAWN, DONE = "waiting", "sent", "withdrawn", "done"
REPEAT_CHAT_AFTER_MS = 3_600_000
"""Milliseconds after a chat notification until another chat message in the same turn causes a new
one."""
WITHDRAW_AFTER_MS = 60_000
"""Delay in milliseconds before a notification is withdrawn if another player's action ended the
turn, because the turn usually returns."""

TABLES = (
    "CREATE TABLE IF NOT EXISTS {0}notices (player TEXT NOT NULL, match TEXT NOT NULL,"
    " kind TEXT NOT NULL, turn BIGINT NOT NULL, version BIGINT NOT NULL, args TEXT NOT NULL,"
    " created BIGINT NOT NULL, state TEXT NOT NULL, due BIGINT, claimed BIGINT NOT NULL,"
    " tries INTEGER NOT NULL, tried BIGINT, sent TEXT NOT NULL,"
    " PRIMARY KEY (player, match, kind, turn))",
    "CREATE INDEX IF NOT EXISTS notices_due ON {0}notices (due) WHERE due IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS {0}notice_ways (id TEXT PRIMARY KEY, player TEXT NOT NULL,"
    " way TEXT NOT NULL, address TEXT NOT NULL, device TEXT NOT NULL, name TEXT NOT NULL,"
    " secret TEXT NOT NULL, base TEXT NOT NULL, language TEXT NOT NULL, created BIGINT NOT NULL,"
    " confirmed BIGINT, problem TEXT NOT NULL, UNIQUE (player, way, address))",
    "CREATE TABLE IF NOT EXISTS {0}notice_wishes (player TEXT PRIMARY KEY, wishes TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}notice_mutes (player TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (player, match))",
)
_PAUSE_COLUMNS = ("failures INTEGER", "failed BIGINT", "paused BIGINT", "warned INTEGER")
"""Columns of the channel table for counting failures and pausing channels."""


def add_pause_columns(sql: Sql) -> None:
    """Add the columns for paused channels and the table of stopped mailboxes (a migration)."""
    known = sql.columns("notice_ways")
    for column in _PAUSE_COLUMNS:
        if column.split()[0] not in known:
            sql.run(f"ALTER TABLE {{0}}notice_ways ADD COLUMN {column} NOT NULL DEFAULT 0")
    # The mailboxes whose owners have stopped all emails, identified by a keyed hash
    # (`service.notifications.mail_link_codes`).
    sql.run(
        "CREATE TABLE IF NOT EXISTS {0}notice_stops (mailbox TEXT PRIMARY KEY,"
        " created BIGINT NOT NULL)"
    )


def add_tags_column(sql: Sql) -> None:
    """Add the column for the tags of delivered messages (a migration); see `OutboxRow.tags`."""
    if "tags" not in sql.columns("notices"):
        sql.run("ALTER TABLE {0}notices ADD COLUMN tags TEXT NOT NULL DEFAULT ''")


# Nothing is written for a player without a confirmed channel. If a turn returns before its sent
# notification has been withdrawn, the row is marked as sent again.
_INSERT_SQL = (
    "INSERT INTO {0}notices AS n (player, match, kind, turn, version, args, created, state, due,"
    " claimed, tries, tried, sent) SELECT ?,?,?,?,?,?,?,'waiting',?,0,0,NULL,''"
    " WHERE EXISTS (SELECT 1 FROM {0}notice_ways WHERE player = ? AND confirmed IS NOT NULL)"
    " ON CONFLICT (player, match, kind, turn) DO UPDATE SET"
    " state = CASE WHEN n.state = 'withdrawn' THEN 'sent' ELSE 'waiting' END,"
    " due = CASE WHEN n.state = 'withdrawn' THEN NULL ELSE excluded.due END,"
    " sent = CASE WHEN n.state = 'withdrawn' THEN n.sent ELSE '' END,"
    " tags = CASE WHEN n.state = 'withdrawn' THEN n.tags ELSE '' END,"
    " version = excluded.version, args = excluded.args, created = excluded.created,"
    " claimed = 0, tries = 0, tried = NULL WHERE n.state IN ('done', 'withdrawn')"
    " OR (n.state = 'sent' AND n.kind = 'word' AND n.created < ?)"
)
_SELECT_OPEN = (
    "SELECT kind, turn, sent, state, claimed FROM {0}notices"
    " WHERE player = ? AND match = ? AND state IN ('waiting', 'sent')"
)
_WHERE_KEY = " WHERE player = ? AND match = ? AND kind = ? AND turn = ?"
_DELETE_SQL = f"DELETE FROM {{0}}notices{_WHERE_KEY}"
_RENEW_SQL = f"UPDATE {{0}}notices SET created = ?{_WHERE_KEY} AND state = ?"
_WITHDRAW_SQL = (
    "UPDATE {0}notices SET due = ?, claimed = 0, tries = 0, tried = NULL, state = ?" + _WHERE_KEY
)

BatchEntry = tuple[triggers.NotificationBatch, int, int]
"""The notifications of a commit, the time of the commit, and when the notifications are due (both
in milliseconds since 1970 UTC)."""


def write_batch(sql: Sql, entry: BatchEntry) -> None:
    """Write the notifications and withdrawals of a commit in the transaction of the commit."""
    batch, now, due = entry
    for settled in batch.withdrawals:
        _withdraw(sql, settled, now)
    for notice in batch.notifications:
        insert_notification(sql, notice, now, due)


def _withdraw(sql: Sql, withdrawal: triggers.Withdrawal, now: int) -> None:
    """Mark the sent rows of a withdrawal for withdrawal and delete its unsent rows.

    Deletion prevents the cost of a turn from growing with the length of the match. An unsent row
    that is claimed may be in the course of being sent. It is marked as done instead, so that the
    sender withdraws it after sending (`service.notifications.outbox.Outbox.finish`).
    """
    person = withdrawal.player, withdrawal.match
    for row in sql.all(_SELECT_OPEN + (" FOR UPDATE" if sql.is_postgres else ""), *person):
        key = *person, row["kind"], row["turn"]
        if row["kind"] not in withdrawal.kinds:
            continue
        if row["sent"]:
            due = now if withdrawal.is_immediate else now + WITHDRAW_AFTER_MS
            sql.run(_WITHDRAW_SQL, due, WITHDRAWN, *key)
        elif row["state"] == WAITING and row["claimed"] <= now:
            sql.run(_DELETE_SQL, *key)
        else:
            sql.run(_WITHDRAW_SQL, None, DONE, *key)


def insert_notification(sql: Sql, notification: triggers.Notification, now: int, due: int) -> None:
    """Insert a row, or reuse an existing one with the same player, match, kind and turn.

    An existing row that is waiting or sent is left unchanged, with two exceptions. A sent chat
    notification older than `REPEAT_CHAT_AFTER_MS` is sent again. A waiting one gets a new creation
    time, so that a sender who has not seen the new message does not drop the row (`Outbox.drop`).
    Does nothing for a player without a confirmed channel.
    """
    args = msgspec.json.encode(notification.args).decode() if notification.args else "{}"
    key = (notification.player, notification.match, notification.kind, notification.turn)
    if notification.kind == "word":
        sql.run(_RENEW_SQL, now, *key, WAITING)
    sql.run(
        _INSERT_SQL,
        *key,
        notification.version,
        args,
        now,
        due,
        notification.player,
        now - REPEAT_CHAT_AFTER_MS,
    )


class OutboxRow(msgspec.Struct, frozen=True):
    """An outbox row that a sender has claimed. Times are milliseconds since 1970 UTC.

    ``tries``: the number of failed attempts; ``tried``: when it was first attempted or, once
    finished, when it was finished; ``sent``: the ids of the channels that have delivered it;
    ``tags``: the tags of the delivered messages, empty in rows from before this field. Other fields
    as in `Notification`.
    """

    player: str
    match: str
    kind: triggers.Kind | triggers.RecoveryKind
    turn: int
    version: int
    args: dict[str, object]
    created: int
    state: str
    tries: int
    tried: int | None
    sent: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str, int]:
        """The primary key of the row."""
        return self.player, self.match, self.kind, self.turn
