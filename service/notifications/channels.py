"""Channels of players, their notification preferences and quiet hours.

Addresses are secrets of their player: the API shows them to that player only, shortened.
"""

import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from projections.database.sql import Sql
from service.http.problems import ApiProblem
from service.notifications.triggers import ADDED_LATER, KINDS, Kind
from service.store import Store

ChannelKind = Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
MAX_CHANNELS = 20
"""Maximum number of channels of one player."""
FAILURE_WINDOW_MS = 30_000
"""Milliseconds within which several failures of a channel count as one."""
_FIRST_PAUSE_MS, _MAX_PAUSE_MS = 15 * 60_000, 24 * 3_600_000
"""Milliseconds of the first and of the longest pause of a channel."""
_DAY_MINUTES = 24 * 60
"""Minutes of a day."""


class QuietHours(Struct, frozen=True):
    """Quiet hours: a part of each day in which nothing is sent.

    ``start``, ``end``: minutes after midnight; ``zone``: a time zone of the IANA database.
    """

    start: int
    end: int
    zone: str


class Preferences(Struct, frozen=True):
    """The notification preferences of a player: the kinds they want, and their quiet hours."""

    kinds: tuple[Kind, ...] = KINDS
    quiet: QuietHours | None = None


class _StoredPreferences(Struct, frozen=True):
    """Preferences as they are stored.

    ``more``: the wanted kinds among `ADDED_LATER`, all of them if the preferences were stored
    before those kinds existed. They are kept apart because earlier releases read ``kinds`` only and
    do not know them.
    """

    kinds: tuple[Kind, ...] = KINDS
    quiet: QuietHours | None = None
    more: tuple[Kind, ...] = ADDED_LATER


_decode_preferences = msgspec.json.Decoder(_StoredPreferences).decode


def _read_preferences(text: str) -> Preferences:
    stored = _decode_preferences(text)
    return Preferences((*stored.kinds, *stored.more), stored.quiet)


def _encode_preferences(preferences: Preferences) -> str:
    kinds = tuple(kind for kind in preferences.kinds if kind not in ADDED_LATER)
    more = tuple(kind for kind in preferences.kinds if kind in ADDED_LATER)
    return msgspec.json.encode(_StoredPreferences(kinds, preferences.quiet, more)).decode()


class Channel(Struct, frozen=True):
    """A channel by which a player gets notifications. Times are milliseconds since 1970 UTC.

    - ``way``: the kind of channel;
    - ``address``: a URL or a mail address;
    - ``secret``: the keys of a push subscription, or the key that signs webhook requests;
    - ``device``: the hash of the device's secret for a push channel, else "";
    - ``base``: the base URL of links;
    - ``confirmed``: when its owner confirmed it, None until then;
    - ``problem``: why it failed last, see `service.notifications.delivery.sender.stored_problem`;
    - ``failures``: failures in a row, counted at most once in `FAILURE_WINDOW_MS`;
    - ``failed``: when the last failure was counted;
    - ``paused``: until when nothing is sent by it, 0 if not paused since it last worked;
    - ``warned``: 1 once its owner was notified of the pause by another channel.
    """

    id: str
    player: str
    way: ChannelKind
    address: str
    device: str
    name: str
    secret: str
    base: str
    language: str
    created: int
    confirmed: int | None
    problem: str
    failures: int = 0
    failed: int = 0
    paused: int = 0
    warned: int = 0

    def is_paused(self, now: int) -> bool:
        """Return whether the channel is paused now."""
        return self.paused > now


_COLUMNS = Channel.__struct_fields__
_INSERT_SQL = (
    f"INSERT INTO {{0}}notice_ways ({', '.join(_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _COLUMNS)})"
)


class ChannelStore:
    """The stored channels and notification preferences. All times are milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -- channels ----------------------------------------------------------------------------

    def add(self, channel: Channel) -> Channel:
        """Add a channel, replacing the player's channel with the same address.

        A push address is also replaced if another player has it. Raises `ApiProblem` 409
        ``too_many_ways``.
        """
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "DELETE FROM {0}notice_ways WHERE way = ? AND address = ? AND"
                " (player = ? OR way = 'push')",
                *(channel.way, channel.address, channel.player),
            )
            count = sql.one(
                "SELECT COUNT(*) AS n FROM {0}notice_ways WHERE player = ?", channel.player
            )
            if count["n"] >= MAX_CHANNELS:
                raise ApiProblem(
                    409, "too_many_ways", "These are too many ways; take one away first."
                )
            sql.run(_INSERT_SQL, *(getattr(channel, field) for field in _COLUMNS))
        return channel

    def list_channels(self, player: str) -> list[Channel]:
        """Return the channels of a player, oldest first, without those of signed-out devices."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT w.* FROM {0}notice_ways w WHERE w.player = ? AND (w.device = '' OR EXISTS"
                " (SELECT 1 FROM {0}devices d WHERE d.token = w.device AND d.player = w.player))"
                " ORDER BY w.created, w.id",
                player,
            )
        return [_channel_from_row(row) for row in rows]

    def find(self, player: str, channel_id: str) -> Channel:
        """Return a channel of the player; `ApiProblem` 404 ``no_such_way``."""
        for each in self.list_channels(player):
            if each.id == channel_id:
                return each
        raise no_such_channel()

    def remove(self, player: str, channel_id: str) -> None:
        """Remove a channel of the player; `ApiProblem` 404 ``no_such_way``."""
        with self._store.transaction(commit=True) as sql:
            removed = sql.all(
                "DELETE FROM {0}notice_ways WHERE player = ? AND id = ? RETURNING id",
                player,
                channel_id,
            )
        if not removed:
            raise no_such_channel()

    def remove_dead(self, channel: Channel) -> None:
        """Remove a channel whose address no longer exists."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}notice_ways WHERE id = ?", channel.id)

    def record_result(self, channel: Channel, problem: str) -> None:
        """Store why a channel failed; "" for success, which also ends its pause."""
        if channel.problem == problem and not (channel.failures and not problem):
            return
        again = ", failures = 0, failed = 0, paused = 0, warned = 0" if not problem else ""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                f"UPDATE {{0}}notice_ways SET problem = ?{again} WHERE id = ?",
                problem,
                channel.id,
            )

    def record_failure(self, channel: Channel, problem: str, at_ms: int, max_failures: int) -> None:
        """Store why a channel failed, and pause it after too many failures in a row.

        ``max_failures``: the number of failures that pauses it, 0 for never. Each further failure
        makes the pause longer (`pause_ms`).
        """
        with self._store.transaction(commit=True) as sql:
            counted = sql.one(
                "UPDATE {0}notice_ways SET problem = ?, failures = failures + 1, failed = ?"
                " WHERE id = ? AND failed <= ? RETURNING failures",
                *(problem, at_ms, channel.id, at_ms - FAILURE_WINDOW_MS),
            )
            more = counted["failures"] - max_failures if counted and max_failures else -1
            if more >= 0:
                paused = at_ms + pause_ms(more)
                sql.run("UPDATE {0}notice_ways SET paused = ? WHERE id = ?", paused, channel.id)

    def resume(self, player: str, channel_id: str, now: int) -> None:
        """End the pause of a channel and make waiting rows due now.

        `ApiProblem` 404 ``no_such_way``.
        """
        with self._store.transaction(commit=True) as sql:
            found = sql.all(
                "UPDATE {0}notice_ways SET problem = '', failures = 0, failed = 0, paused = 0,"
                " warned = 0 WHERE player = ? AND id = ? RETURNING id",
                *(player, channel_id),
            )
            # The sender checks each row again and may postpone it for another reason.
            sql.run(
                "UPDATE {0}notices SET due = ? WHERE player = ? AND state = 'waiting' AND due > ?",
                *(now, player, now + _FIRST_PAUSE_MS // 2),
            )
        if not found:
            raise no_such_channel()

    def mark_warned(self, channel: Channel) -> bool:
        """Mark the owner as notified of a pause; return False if another worker has done so."""
        with self._store.transaction(commit=True) as sql:
            return bool(
                sql.all(
                    "UPDATE {0}notice_ways SET warned = 1 WHERE id = ? AND paused > 0"
                    " AND warned = 0 RETURNING id",
                    channel.id,
                )
            )

    # -- mail addresses ----------------------------------------------------------------------

    def is_stopped(self, mailbox: str) -> bool:
        """Return whether the owner of a mailbox stopped all mails. ``mailbox``: its hash."""
        with self._store.transaction(commit=False) as sql:
            return _is_stopped(sql, mailbox)

    def add_mail(self, channel: Channel, mailbox: str) -> Channel | None:
        """Add a mail channel, as `add`; return None if its mailbox is stopped.

        Checked before and after adding, since the owner may stop it at the same moment.
        """
        if self.is_stopped(mailbox):
            return None
        added = self.add(channel)
        if self.is_stopped(mailbox):
            self.remove_dead(channel)
            return None
        return added

    def stop_mailbox(self, mailbox: str, now: int, hash_of: Callable[[str], str]) -> None:
        """Remove all channels to a mailbox, of any player, and block adding it again.

        ``mailbox``: its hash; ``hash_of`` returns that of an address.
        """
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}notice_stops VALUES (?,?) ON CONFLICT DO NOTHING", mailbox, now)
            rows = sql.all("SELECT id, address FROM {0}notice_ways WHERE way = 'mail'")
            for row in rows:
                if hash_of(row["address"]) == mailbox:
                    sql.run("DELETE FROM {0}notice_ways WHERE id = ?", row["id"])

    def allow_mailbox(self, mailbox: str) -> None:
        """Allow a stopped mailbox to be added again. ``mailbox``: its hash."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}notice_stops WHERE mailbox = ?", mailbox)

    def find_by_id(self, channel_id: str) -> Channel | None:
        """Return a channel of any player by its id, or None."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT * FROM {0}notice_ways WHERE id = ?", channel_id)
        return _channel_from_row(row) if row else None

    def confirm(self, channel: Channel, now: int) -> None:
        """Mark a channel as confirmed by its owner."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "UPDATE {0}notice_ways SET confirmed = ? WHERE id = ? AND confirmed IS NULL",
                *(now, channel.id),
            )

    # -- preferences -------------------------------------------------------------------------

    def preferences(self, player: str) -> Preferences:
        """Return the notification preferences of a player; all kinds by default."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT wishes FROM {0}notice_wishes WHERE player = ?", player)
        return _read_preferences(row["wishes"]) if row else Preferences()

    def set_preferences(self, player: str, preferences: Preferences, language: str | None) -> None:
        """Store the preferences of a player and, if given, the language of their channels.

        Raises `ApiProblem` 422 ``bad_zone``.
        """
        if preferences.quiet is not None:
            find_zone(preferences.quiet.zone)
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "INSERT INTO {0}notice_wishes VALUES (?,?) ON CONFLICT (player) DO UPDATE SET"
                " wishes = excluded.wishes",
                *(player, _encode_preferences(preferences)),
            )
            if language is not None:
                sql.run("UPDATE {0}notice_ways SET language = ? WHERE player = ?", language, player)

    def players_with_quiet_hours(self) -> list[tuple[str, QuietHours]]:
        """Return the players with a confirmed channel and quiet hours, and those hours."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT player, wishes FROM {0}notice_wishes p WHERE wishes LIKE ? AND EXISTS"
                " (SELECT 1 FROM {0}notice_ways w WHERE w.player = p.player AND"
                " w.confirmed IS NOT NULL)",
                '%"quiet":{%',
            )
        found = [(row["player"], _read_preferences(row["wishes"])) for row in rows]
        return [
            (player, preferences.quiet)
            for player, preferences in found
            if preferences.quiet is not None
        ]

    def is_muted(self, player: str, match: str) -> bool:
        """Return whether the player has muted a match."""
        with self._store.transaction(commit=False) as sql:
            return _is_muted(sql, player, match)

    def muted_matches(self, player: str) -> list[str]:
        """Return the ids of the matches that the player has muted."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT match FROM {0}notice_mutes WHERE player = ? ORDER BY match", player
            )
        return [row["match"] for row in rows]

    def set_muted(self, player: str, match: str, muted: bool) -> None:
        """Mute or unmute a match for a player."""
        statement = (
            "INSERT INTO {0}notice_mutes VALUES (?,?) ON CONFLICT DO NOTHING"
            if muted
            else "DELETE FROM {0}notice_mutes WHERE player = ? AND match = ?"
        )
        with self._store.transaction(commit=True) as sql:
            sql.run(statement, player, match)


def _is_stopped(sql: Sql, mailbox: str) -> bool:
    found = sql.one("SELECT 1 AS one FROM {0}notice_stops WHERE mailbox = ?", mailbox)
    return found is not None


def pause_ms(further_failures: int) -> int:
    """Return the length of a pause in milliseconds.

    ``further_failures``: the failures since the one that caused the first pause; each multiplies it
    by 4.
    """
    length: int = min(_FIRST_PAUSE_MS * 4 ** min(further_failures, 8), _MAX_PAUSE_MS)
    return length


def _is_muted(sql: Sql, player: str, match: str) -> bool:
    found = sql.one(
        "SELECT 1 AS one FROM {0}notice_mutes WHERE player = ? AND match = ?", player, match
    )
    return found is not None


def _channel_from_row(row: Any) -> Channel:
    return Channel(**{field: row[field] for field in _COLUMNS})


def new_channel_id() -> str:
    """Return a random id for a channel: 16 hex digits."""
    return secrets.token_hex(8)


def no_such_channel() -> ApiProblem:
    return ApiProblem(404, "no_such_way", "You have no such way to be told.")


def find_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name in the IANA database; `ApiProblem` 422 ``bad_zone``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ApiProblem(422, "bad_zone", "No such time zone is known.", field="quiet") from None


def quiet_until(quiet: QuietHours | None, now: int) -> int | None:
    """Return when the current quiet hours end, None outside of quiet hours.

    Start and end are local times, so daylight saving time shifts them.
    """
    if quiet is None or quiet.start == quiet.end:
        return None
    start, end = quiet_hours(quiet, now)
    return end if start <= now < end else None


def quiet_hours(quiet: QuietHours, now: int) -> tuple[int, int]:
    """Return start and end of the current quiet hours, or of the next ones, in milliseconds."""
    here = datetime.fromtimestamp(now / 1000, find_zone(quiet.zone))
    minute = here.hour * 60 + here.minute
    length = (quiet.end - quiet.start) % _DAY_MINUTES
    is_quiet = (minute - quiet.start) % _DAY_MINUTES < length
    starts_today = minute >= quiet.start if is_quiet else minute < quiet.start
    day = here.date()
    if not starts_today:
        day += timedelta(days=-1 if is_quiet else 1)
    end_day = day + timedelta(days=1) if quiet.end < quiet.start else day
    return _to_ms(day, quiet.start, here.tzinfo), _to_ms(end_day, quiet.end, here.tzinfo)


def _to_ms(day: date, minute: int, zone: tzinfo | None) -> int:
    time = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    return int(time.timestamp() * 1000)
