"""The tables of notices, and what is written to the outbox in the transaction of a move.

A row of the outbox is in one of four states: it waits to be sent, is sent, is to be withdrawn
where that can be done, or is done with. Only rows with a time (``due``) are looked for.
"""

from collections.abc import Iterable

import msgspec

from projections.sql import Sql
from service.notices.told import Kind, Notice, PlanPlayed, RecoveryKind, Settled, Told
from service.recovery.tables import note_move

WAITING, SENT, WITHDRAWN, DONE = "waiting", "sent", "withdrawn", "done"
AGAIN = 3_600_000
"""Milliseconds after which further words in the same turn are told again."""
REGRET = 60_000
"""Milliseconds for which a notice stays whose turn others took away: mostly it comes back."""

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
_PAUSES = ("failures INTEGER", "failed BIGINT", "paused BIGINT", "warned INTEGER")
"""The columns of a way that fails again and again."""


def add_pauses(sql: Sql) -> None:
    """Let ways that fail again and again be paused, and mailboxes that were stopped stay so."""
    known = sql.columns("notice_ways")
    for column in _PAUSES:
        if column.split()[0] not in known:
            sql.run(f"ALTER TABLE {{0}}notice_ways ADD COLUMN {column} NOT NULL DEFAULT 0")
    # Mailboxes whose owner wants no mails, by a keyed hash: see `service.notices.codes`.
    sql.run(
        "CREATE TABLE IF NOT EXISTS {0}notice_stops (mailbox TEXT PRIMARY KEY,"
        " created BIGINT NOT NULL)"
    )


# Nothing is written for who cannot be reached. A turn that comes back before its notice was
# withdrawn is noticed already.
_INSERT = (
    "INSERT INTO {0}notices AS n (player, match, kind, turn, version, args, created, state, due,"
    " claimed, tries, tried, sent) SELECT ?,?,?,?,?,?,?,'waiting',?,0,0,NULL,''"
    " WHERE EXISTS (SELECT 1 FROM {0}notice_ways WHERE player = ? AND confirmed IS NOT NULL)"
    " ON CONFLICT (player, match, kind, turn) DO UPDATE SET"
    " state = CASE WHEN n.state = 'withdrawn' THEN 'sent' ELSE 'waiting' END,"
    " due = CASE WHEN n.state = 'withdrawn' THEN NULL ELSE excluded.due END,"
    " sent = CASE WHEN n.state = 'withdrawn' THEN n.sent ELSE '' END,"
    " version = excluded.version, args = excluded.args, created = excluded.created,"
    " claimed = 0, tries = 0, tried = NULL WHERE n.state IN ('done', 'withdrawn')"
    " OR (n.state = 'sent' AND n.kind = 'word' AND n.created < ?)"
)
_STANDING = (
    "SELECT kind, turn, sent, state, claimed FROM {0}notices"
    " WHERE player = ? AND match = ? AND state IN ('waiting', 'sent')"
)
_OF = " WHERE player = ? AND match = ? AND kind = ? AND turn = ?"
_FORGET = f"DELETE FROM {{0}}notices{_OF}"
_SETTLE = "UPDATE {0}notices SET due = ?, claimed = 0, tries = 0, tried = NULL, state = ?" + _OF

Entry = tuple[Told, int, int]
"""What is told, when it happened and from when on it may be sent, in milliseconds."""


def write(sql: Sql, entries: Iterable[Entry]) -> None:
    """Writes what commits tell, in their transaction."""
    for told, now, due in entries:
        for settled in told.settled:
            _settle(sql, settled, now)
        for notice in told.notices:
            insert(sql, notice, now, due)
        if told.played:
            _note(sql, told.played)
        for moved in told.moved:
            note_move(sql, moved, now)


def _note(sql: Sql, played: PlanPlayed) -> None:
    """Nobody can see the move and not that it was the plan's."""
    sql.run(
        "UPDATE {0}plans SET dropped = 'played', version = ? WHERE match = ? AND seat = ?"
        " AND version = ? AND dropped = ''",
        *(played.version, played.match, played.seat, played.since),
    )


def _settle(sql: Sql, settled: Settled, now: int) -> None:
    """What was sent is to be withdrawn. What was not leaves nothing, so that what a turn costs does
    not grow with the match; but one that a sender holds may be on its way, and stays to say that
    it is settled."""
    person = settled.player, settled.match
    for row in sql.all(_STANDING + (" FOR UPDATE" if sql.is_postgres else ""), *person):
        key = *person, row["kind"], row["turn"]
        if row["kind"] not in settled.kinds:
            continue
        if row["sent"]:
            due = now if settled.acted else now + REGRET
            sql.run(_SETTLE, due, WITHDRAWN, *key)
        elif row["state"] == WAITING and row["claimed"] <= now:
            sql.run(_FORGET, *key)
        else:
            sql.run(_SETTLE, None, DONE, *key)


def insert(sql: Sql, notice: Notice, now: int, due: int) -> None:
    """Writes one, where there is none of its kind in this turn."""
    args = msgspec.json.encode(notice.args).decode() if notice.args else "{}"
    key = (notice.player, notice.match, notice.kind, notice.turn)
    sql.run(_INSERT, *key, notice.version, args, now, due, notice.player, now - AGAIN)


class Row(msgspec.Struct, frozen=True):
    """A row of the outbox, claimed by a sender. ``sent``: the ids of the ways it has gone by."""

    player: str
    match: str
    kind: Kind | RecoveryKind
    turn: int
    version: int
    args: dict[str, object]
    created: int
    state: str
    tries: int
    tried: int | None
    sent: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What the row is found by."""
        return self.player, self.match, self.kind, self.turn
