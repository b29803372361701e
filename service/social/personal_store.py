"""Database store of players' personal data, which is never shown to other players."""

import hashlib
import secrets
from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from domain.match.events import Said
from projections.summary import Summary
from service.players import provenance
from service.players.identity import hash_secret
from service.store import Store

_MAX_EVENTS_READ = 500
"""Number of a match's latest events in which unread chat messages are counted."""
MAX_BLOCKED_PLAYERS = 500
"""Maximum number of people whom a player can mute or block."""


class Stance(Struct, frozen=True):
    """Whether a player has muted or blocked a person.

    ``name``: the person's name; ``muted``: whether their chat messages are hidden from the player;
    ``blocked``: whether they are prevented from joining the player's public matches.
    """

    name: str
    muted: bool
    blocked: bool


class Contact(Struct, frozen=True):
    """A person with whom a player has played, or whom the player has muted or blocked.

    ``player``: the person's player id; ``name``: their latest name; ``matches``: the number of the
    player's latest matches that they were in; ``last``: when the most recent of these was last
    updated, in milliseconds since 1970 UTC, 0 if there is none; ``stance``: the player's stance
    towards them.
    """

    player: str
    name: str
    matches: int
    last: int
    stance: Stance


class BlockList(Struct, frozen=True):
    """The player ids of the people whom a player has muted or blocked.

    ``silenced``: all of them, as the player gets no notification about their chat messages;
    ``blocked``: the blocked ones.
    """

    silenced: frozenset[str]
    blocked: frozenset[str]


def opaque_id(player: str, other: str) -> str:
    """Return an opaque id for the player ``other`` that only ``player`` sees, for use in URLs.

    It is a hash of both player ids. Nobody knows both ids, and different players see different
    opaque ids for the same person.
    """
    return hashlib.sha256(f"{player}\n{other}".encode()).hexdigest()[:24]


class PersonalStore:
    """Database store of players' read positions, notes, stances and calendar codes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -- read positions and notes ----------------------------------------------------------

    def read_position_and_note(self, player: str, match: str) -> tuple[int | None, str]:
        """Return the version up to which a player has read a match, and their private note.

        The version is None if they never looked at the match; the note is "" if there is none.
        """
        with self._store.transaction(commit=False) as sql:
            seen = sql.one(
                "SELECT version FROM {0}seen WHERE player = ? AND match = ?", player, match
            )
            note = sql.one(
                "SELECT text FROM {0}own_notes WHERE player = ? AND match = ?", player, match
            )
        return seen["version"] if seen else None, note["text"] if note else ""

    def set_read_position(self, player: str, match: str, version: int) -> None:
        """Store the version up to which a player has read a match, unless it is already later."""
        self._store.execute(
            "INSERT INTO {0}seen AS s VALUES (?,?,?) ON CONFLICT (player, match) DO UPDATE"
            " SET version = excluded.version WHERE s.version < excluded.version",
            *(player, match, version),
        )

    def set_note(self, player: str, match: str, text: str) -> None:
        """Store a player's private note about a match; an empty ``text`` deletes the note."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}own_notes WHERE player = ? AND match = ?", player, match)
            if text:
                sql.run("INSERT INTO {0}own_notes VALUES (?,?,?)", player, match, text)

    def count_unread(self, player: str, summaries: Iterable[Summary]) -> dict[str, int]:
        """Return the number of a player's unread chat messages by match id.

        Matches that are open, that the player never looked at or that have no new events are left
        out. Messages from muted people do not count. Only the latest `_MAX_EVENTS_READ` events of a
        match are considered, so that lists do not read whole matches.
        """
        news = [summary for summary in summaries if summary.status != "open"]
        if not news:
            return {}
        marks = ",".join("?" * len(news))
        rows = self._store.fetch_all(
            f"SELECT match, version FROM {{0}}seen WHERE player = ? AND match IN ({marks})",
            *(player, *[summary.id for summary in news]),
        )
        seen = {row["match"]: row["version"] for row in rows}
        fresh = [s for s in news if s.id in seen and seen[s.id] < s.version]
        muted = self.muted_players(player) if fresh else set()
        return {s.id: self._count_chat_messages(s, player, seen[s.id], muted) for s in fresh}

    def _count_chat_messages(
        self, summary: Summary, player: str, after: int, muted: set[str]
    ) -> int:
        held = {i for i, seat in enumerate(summary.seats) if seat.player == player}
        ignored_seats = held | {i for i, seat in enumerate(summary.seats) if seat.player in muted}
        since = max(after, summary.version - _MAX_EVENTS_READ)
        words = [
            event
            for recorded in self._store.decisions(UUID(summary.id), since)
            for event in recorded.decision.events
            if isinstance(event, Said)
        ]
        return sum(w.seat not in ignored_seats and (w.to is None or w.to in held) for w in words)

    # -- other people ----------------------------------------------------------------------

    def stances(self, player: str) -> dict[str, Stance]:
        """Return a player's stances towards others by player id, sorted by name.

        Only people whom the player has muted or blocked are included.
        """
        rows = self._store.fetch_all(
            "SELECT * FROM {0}shunned WHERE player = ? ORDER BY name", player
        )
        return {r["other"]: Stance(r["name"], bool(r["muted"]), bool(r["blocked"])) for r in rows}

    def set_stance(self, player: str, other: str, stance: Stance) -> bool:
        """Mute, block, unmute or unblock a person.

        Returns False and changes nothing if muting or blocking would exceed `MAX_BLOCKED_PLAYERS`.
        """
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}shunned WHERE player = ? AND other = ?", player, other)
            if not (stance.muted or stance.blocked):
                return True
            row = sql.one("SELECT COUNT(*) AS number FROM {0}shunned WHERE player = ?", player)
            if row["number"] >= MAX_BLOCKED_PLAYERS:
                return False
            sql.run(
                "INSERT INTO {0}shunned VALUES (?,?,?,?,?)",
                *(player, other, stance.name, int(stance.muted), int(stance.blocked)),
            )
        return True

    def muted_players(self, player: str) -> set[str]:
        """Return the player ids of the people whom a player has muted."""
        return {other for other, stance in self.stances(player).items() if stance.muted}

    def block_list(self, player: str) -> BlockList:
        """Return the people whom a player has muted or blocked, as a `BlockList`."""
        stances = self.stances(player)
        blocked = frozenset(other for other, stance in stances.items() if stance.blocked)
        return BlockList(frozenset(stances), blocked)

    def blocked_players(self, player: str) -> set[str]:
        """Return the player ids of the people whom a player has blocked."""
        return {other for other, stance in self.stances(player).items() if stance.blocked}

    def is_blocked(self, player: str, other: str) -> bool:
        """Return whether a player has blocked another player."""
        row = self._store.fetch_one(
            "SELECT blocked FROM {0}shunned WHERE player = ? AND other = ?", player, other
        )
        return bool(row and row["blocked"])

    # -- the calendar ----------------------------------------------------------------------

    def create_calendar_code(self, player: str, token: str, now: int) -> str:
        """Create the secret code of a player's calendar address, which replaces the previous one.

        ``token``: the secret of the device that creates it; ``now``: milliseconds since 1970 UTC.
        Raises `ApiProblem` 401 if that device is signed out.
        """
        code = secrets.token_urlsafe(24)
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, hash_secret(token))
            provenance.record_maker(sql, "calendar", player, hash_secret(token))
            sql.run("DELETE FROM {0}calendars WHERE player = ?", player)
            sql.run("INSERT INTO {0}calendars VALUES (?,?,?)", player, hash_secret(code), now)
        return code

    def revoke_calendar(self, player: str) -> None:
        """Revoke a player's calendar address; does nothing if there is none."""
        with self._store.transaction(commit=True) as sql:
            provenance.delete_record(sql, "calendar", player)
            sql.run("DELETE FROM {0}calendars WHERE player = ?", player)

    def calendar_created_at(self, player: str) -> int | None:
        """Return when a player's calendar address was created, or None if there is none.

        The time is in milliseconds since 1970 UTC.
        """
        row = self._store.fetch_one("SELECT created FROM {0}calendars WHERE player = ?", player)
        return row["created"] if row else None

    def player_of_calendar(self, code: str) -> str | None:
        """Return the id of the player whose calendar address contains ``code``, or None."""
        row = self._store.fetch_one(
            "SELECT player FROM {0}calendars WHERE code = ?", hash_secret(code)
        )
        return row["player"] if row else None
