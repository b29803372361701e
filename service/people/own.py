"""What is a person's own, in plain tables: nobody else is ever told any of it."""

import hashlib
import secrets
from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from domain.match import Said
from projections.summary import Summary
from service.players import provenance
from service.players.identity import digest
from service.store import Store

_LOOKED_AT = 500
"""The latest events of a match, in which words are counted for who has not looked since."""
MOST_SHUNNED = 500
"""People whom one person may mute or block."""


class Stance(Struct, frozen=True):
    """How somebody holds it with another: hears none of their words, sits with them no more."""

    name: str
    muted: bool
    blocked: bool


class Shunned(Struct, frozen=True):
    """Whom a person has shut out, by id: ``deaf_to`` their words, also of those ``blocked``."""

    deaf_to: frozenset[str]
    blocked: frozenset[str]


def handle(player: str, other: str) -> str:
    """What a person calls another in addresses. It follows from two ids of which nobody knows both,
    and is a different one for everybody who knows the other."""
    return hashlib.sha256(f"{player}\n{other}".encode()).hexdigest()[:24]


class Own:
    """Reads and writes the tables. Every call asks the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -- at a match ------------------------------------------------------------------------

    def at(self, player: str, match: str) -> tuple[int | None, str]:
        """The version a player has seen last, None for never; and what they wrote to themselves."""
        with self._store.transaction(commit=False) as sql:
            seen = sql.one(
                "SELECT version FROM {0}seen WHERE player = ? AND match = ?", player, match
            )
            note = sql.one(
                "SELECT text FROM {0}own_notes WHERE player = ? AND match = ?", player, match
            )
        return seen["version"] if seen else None, note["text"] if note else ""

    def see(self, player: str, match: str, version: int) -> None:
        """Notes up to where a player has looked; never less than before."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "INSERT INTO {0}seen AS s VALUES (?,?,?) ON CONFLICT (player, match) DO UPDATE"
                " SET version = excluded.version WHERE s.version < excluded.version",
                *(player, match, version),
            )

    def write(self, player: str, match: str, text: str) -> None:
        """Keeps what a player writes to themselves; nothing of an empty text."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}own_notes WHERE player = ? AND match = ?", player, match)
            if text:
                sql.run("INSERT INTO {0}own_notes VALUES (?,?,?)", player, match, text)

    def unread(self, player: str, summaries: Iterable[Summary]) -> dict[str, int]:
        """By match, how many words there are for a player since they looked; none where they
        never did, and none of whom they have muted. Words of long ago are not counted: a list is
        not to read whole matches."""
        news = [summary for summary in summaries if summary.status != "open"]
        if not news:
            return {}
        marks = ",".join("?" * len(news))
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                f"SELECT match, version FROM {{0}}seen WHERE player = ? AND match IN ({marks})",
                *(player, *[summary.id for summary in news]),
            )
        seen = {row["match"]: row["version"] for row in rows}
        fresh = [s for s in news if s.id in seen and seen[s.id] < s.version]
        muted = self.muted_by(player) if fresh else set()
        return {s.id: self._words(s, player, seen[s.id], muted) for s in fresh}

    def _words(self, summary: Summary, player: str, after: int, muted: set[str]) -> int:
        held = {i for i, seat in enumerate(summary.seats) if seat.player == player}
        deaf = held | {i for i, seat in enumerate(summary.seats) if seat.player in muted}
        since = max(after, summary.version - _LOOKED_AT)
        words = [
            event
            for recorded in self._store.decisions(UUID(summary.id), since)
            for event in recorded.decision.events
            if isinstance(event, Said)
        ]
        return sum(w.seat not in deaf and (w.to is None or w.to in held) for w in words)

    # -- others ----------------------------------------------------------------------------

    def stances(self, player: str) -> dict[str, Stance]:
        """Whom a player has muted or blocked, by id."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all("SELECT * FROM {0}shunned WHERE player = ? ORDER BY name", player)
        return {r["other"]: Stance(r["name"], bool(r["muted"]), bool(r["blocked"])) for r in rows}

    def take(self, player: str, other: str, stance: Stance) -> bool:
        """Notes how a player holds it with another; False when there are too many of them."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}shunned WHERE player = ? AND other = ?", player, other)
            if not (stance.muted or stance.blocked):
                return True
            row = sql.one("SELECT COUNT(*) AS number FROM {0}shunned WHERE player = ?", player)
            if row["number"] >= MOST_SHUNNED:
                return False
            sql.run(
                "INSERT INTO {0}shunned VALUES (?,?,?,?,?)",
                *(player, other, stance.name, int(stance.muted), int(stance.blocked)),
            )
        return True

    def muted_by(self, player: str) -> set[str]:
        """The ids of those whose words a player does not want to hear."""
        return {other for other, stance in self.stances(player).items() if stance.muted}

    def shunned_by(self, player: str) -> Shunned:
        """Whom a player has muted or blocked."""
        stances = self.stances(player)
        blocked = frozenset(other for other, stance in stances.items() if stance.blocked)
        return Shunned(frozenset(stances), blocked)

    def blocked_by(self, player: str) -> set[str]:
        """The ids of those with whom a player does not want to sit."""
        return {other for other, stance in self.stances(player).items() if stance.blocked}

    def blocks(self, player: str, other: str) -> bool:
        """Whether a player does not want to sit with another."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one(
                "SELECT blocked FROM {0}shunned WHERE player = ? AND other = ?", player, other
            )
        return bool(row and row["blocked"])

    # -- the calendar ----------------------------------------------------------------------

    def calendar(self, player: str, token: str, now: int) -> str:
        """A new secret address of a player's calendar; the one before is good no more.

        ``token`` is the secret of the device that makes it.
        """
        code = secrets.token_urlsafe(24)
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, digest(token))
            provenance.note(sql, "calendar", player, digest(token))
            sql.run("DELETE FROM {0}calendars WHERE player = ?", player)
            sql.run("INSERT INTO {0}calendars VALUES (?,?,?)", player, digest(code), now)
        return code

    def end_calendar(self, player: str) -> None:
        """The address of the player's calendar is good no more."""
        with self._store.transaction(commit=True) as sql:
            provenance.forget(sql, "calendar", player)
            sql.run("DELETE FROM {0}calendars WHERE player = ?", player)

    def calendar_since(self, player: str) -> int | None:
        """When the player's calendar got its address; None where it has none."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT created FROM {0}calendars WHERE player = ?", player)
        return row["created"] if row else None

    def whose_calendar(self, code: str) -> str | None:
        """The player of an address, or None."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT player FROM {0}calendars WHERE code = ?", digest(code))
        return row["player"] if row else None
