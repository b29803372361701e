"""Players' notification channels, preferences and quiet hours.

The address of a channel may contain a secret. The API therefore returns only the channel's name,
and only to its player.
"""

import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from service.http.problems import ApiProblem
from service.notifications.triggers import ADDED_LATER, KINDS, Kind
from service.store import Store

ChannelKind = Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
MAX_CHANNELS = 20
"""Maximum number of channels per player."""
FAILURE_WINDOW_MS = 30_000
"""Milliseconds after a counted failure during which further failures are not counted."""
_FIRST_PAUSE_MS, _MAX_PAUSE_MS = 15 * 60_000, 24 * 3_600_000
"""Length in milliseconds of a channel's first pause and of its longest."""
_DAY_MINUTES = 24 * 60
"""Number of minutes in a day."""


class QuietHours(Struct, frozen=True):
    """Quiet hours: a daily period in which only urgent notifications and reminders are sent.

    A reminder is sent then only if its deadline is before the end of the period.

    ``start``, ``end``: minutes after midnight; ``zone``: the name of an IANA time zone.
    """

    start: int
    end: int
    zone: str


class Preferences(Struct, frozen=True):
    """A player's notification preferences: the kinds they want and their quiet hours, if any."""

    kinds: tuple[Kind, ...] = KINDS
    quiet: QuietHours | None = None


class _StoredPreferences(Struct, frozen=True):
    """Stored form of `Preferences`.

    ``more``: the wanted kinds among `ADDED_LATER`; all of them if the preferences were stored
    before those kinds existed. They are stored separately because earlier releases read ``kinds``
    and would reject kinds that they do not know.
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
    """A channel through which a player gets notifications. Times are milliseconds since 1970 UTC.

    - ``player``: the player's id;
    - ``way``: the kind of channel;
    - ``address``: a URL or an email address;
    - ``name``: the name under which the channel is shown to its player;
    - ``secret``: the keys of a push subscription, or the key that signs webhook requests, or "";
    - ``device``: for a push channel, the hash of the device's secret; otherwise "";
    - ``base``: the base URL for links in webhook and chat messages, otherwise "";
    - ``confirmed``: when its owner confirmed it, None until then;
    - ``problem``: the reason for the last failure, "" if the last delivery succeeded; see
      `service.notifications.delivery.sender.stored_problem`;
    - ``failures``: consecutive failures, counted at most once per `FAILURE_WINDOW_MS`;
    - ``failed``: when a failure was last counted, 0 for never;
    - ``paused``: when the latest pause ends, 0 if it was not paused since the last success;
    - ``warned``: 1 once its owner has been notified of the pause through another channel.
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
        """Return whether the channel is paused at ``now``, in milliseconds."""
        return self.paused > now


_COLUMNS = Channel.__struct_fields__
_INSERT_SQL = (
    f"INSERT INTO {{0}}notice_ways ({', '.join(_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _COLUMNS)})"
)


class ChannelStore:
    """Database store of channels and preferences. All times are milliseconds since 1970 UTC."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -- channels ----------------------------------------------------------------------------

    def add(self, channel: Channel) -> Channel:
        """Add a channel, replacing the player's channel with the same address, and return it.

        Another player's push channel with the same address is replaced too. Raises `ApiProblem` 409
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
                raise ApiProblem(409, "too_many_ways", "error.too_many_ways")
            sql.run(_INSERT_SQL, *(getattr(channel, field) for field in _COLUMNS))
        return channel

    def list_channels(self, player: str) -> list[Channel]:
        """Return a player's channels, oldest first, except push channels of signed-out devices."""
        rows = self._store.fetch_all(
            "SELECT w.* FROM {0}notice_ways w WHERE w.player = ? AND (w.device = '' OR EXISTS"
            " (SELECT 1 FROM {0}devices d WHERE d.token = w.device AND d.player = w.player))"
            " ORDER BY w.created, w.id",
            player,
        )
        return [_channel_from_row(row) for row in rows]

    def find(self, player: str, channel_id: str) -> Channel:
        """Return a player's channel; raise `ApiProblem` 404 ``no_such_way`` if there is none."""
        for each in self.list_channels(player):
            if each.id == channel_id:
                return each
        raise no_such_channel()

    def remove(self, player: str, channel_id: str) -> None:
        """Remove a player's channel; raise `ApiProblem` 404 ``no_such_way`` if there is none."""
        removed = self._store.execute_returning(
            "DELETE FROM {0}notice_ways WHERE player = ? AND id = ? RETURNING id",
            player,
            channel_id,
        )
        if not removed:
            raise no_such_channel()

    def remove_dead(self, channel: Channel) -> None:
        """Remove a channel that is no longer usable; does nothing if it was removed already."""
        self._store.execute("DELETE FROM {0}notice_ways WHERE id = ?", channel.id)

    def record_result(self, channel: Channel, problem: str) -> None:
        """Store why a delivery failed without counting the failure; "" for success.

        A success also resets the failure count and ends the pause.
        """
        if channel.problem == problem and not (channel.failures and not problem):
            return
        again = ", failures = 0, failed = 0, paused = 0, warned = 0" if not problem else ""
        self._store.execute(
            f"UPDATE {{0}}notice_ways SET problem = ?{again} WHERE id = ?", problem, channel.id
        )

    def record_failure(self, channel: Channel, problem: str, at_ms: int, max_failures: int) -> None:
        """Store why a delivery failed, and pause the channel after too many failures in a row.

        Nothing is stored within `FAILURE_WINDOW_MS` after a counted failure. ``max_failures``: the
        number of failures at which it is paused, 0 for never. Each further failure makes the pause
        longer (`pause_ms`).
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
        """End the pause of a channel and make the player's long-postponed outbox rows due now.

        Raises `ApiProblem` 404 ``no_such_way`` if the player has no such channel.
        """
        with self._store.transaction(commit=True) as sql:
            found = sql.all(
                "UPDATE {0}notice_ways SET problem = '', failures = 0, failed = 0, paused = 0,"
                " warned = 0 WHERE player = ? AND id = ? RETURNING id",
                *(player, channel_id),
            )
            if not found:
                raise no_such_channel()
            # The sender checks each row again and may postpone it for another reason.
            sql.run(
                "UPDATE {0}notices SET due = ? WHERE player = ? AND state = 'waiting' AND due > ?",
                *(now, player, now + _FIRST_PAUSE_MS // 2),
            )

    def mark_warned(self, channel: Channel) -> bool:
        """Mark the owner of a paused channel as notified of the pause.

        Returns False if that was done already, or if the channel is no longer paused.
        """
        return bool(
            self._store.execute_returning(
                "UPDATE {0}notice_ways SET warned = 1 WHERE id = ? AND paused > 0"
                " AND warned = 0 RETURNING id",
                channel.id,
            )
        )

    # -- mail addresses ----------------------------------------------------------------------

    def is_stopped(self, mailbox: str) -> bool:
        """Return whether the owner of a mailbox has stopped all emails. ``mailbox``: its hash."""
        query = "SELECT 1 AS one FROM {0}notice_stops WHERE mailbox = ?"
        return self._store.fetch_one(query, mailbox) is not None

    def add_mail(self, channel: Channel, mailbox: str) -> Channel | None:
        """Add an email channel as `add` does; return None if its mailbox is stopped.

        ``mailbox``: the hash of the mailbox. It is checked before and after adding the channel,
        because its owner may stop it in between.
        """
        if self.is_stopped(mailbox):
            return None
        added = self.add(channel)
        if self.is_stopped(mailbox):
            self.remove_dead(channel)
            return None
        return added

    def stop_mailbox(self, mailbox: str, now: int, hash_of: Callable[[str], str]) -> None:
        """Remove every player's channels to a mailbox and prevent it from being added again.

        ``mailbox``: the hash of the mailbox; ``hash_of`` returns the mailbox hash of an address.
        """
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}notice_stops VALUES (?,?) ON CONFLICT DO NOTHING", mailbox, now)
            rows = sql.all("SELECT id, address FROM {0}notice_ways WHERE way = 'mail'")
            for row in rows:
                if hash_of(row["address"]) == mailbox:
                    sql.run("DELETE FROM {0}notice_ways WHERE id = ?", row["id"])

    def allow_mailbox(self, mailbox: str) -> None:
        """Allow a stopped mailbox to be added again. ``mailbox``: its hash."""
        self._store.execute("DELETE FROM {0}notice_stops WHERE mailbox = ?", mailbox)

    def find_by_id(self, channel_id: str) -> Channel | None:
        """Return a channel by its id, whichever player it belongs to, or None."""
        row = self._store.fetch_one("SELECT * FROM {0}notice_ways WHERE id = ?", channel_id)
        return _channel_from_row(row) if row else None

    def confirm(self, channel: Channel, now: int) -> None:
        """Mark a channel as confirmed by its owner; does nothing if it was confirmed already."""
        self._store.execute(
            "UPDATE {0}notice_ways SET confirmed = ? WHERE id = ? AND confirmed IS NULL",
            *(now, channel.id),
        )

    # -- preferences -------------------------------------------------------------------------

    def preferences(self, player: str) -> Preferences:
        """Return a player's preferences; by default, all kinds and no quiet hours."""
        row = self._store.fetch_one("SELECT wishes FROM {0}notice_wishes WHERE player = ?", player)
        return _read_preferences(row["wishes"]) if row else Preferences()

    def set_preferences(self, player: str, preferences: Preferences, language: str | None) -> None:
        """Store a player's preferences and, unless None, the language of all their channels.

        Raises `ApiProblem` 422 ``bad_zone`` if the time zone is unknown.
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
        """Return the players who have a confirmed channel and quiet hours, with those hours."""
        rows = self._store.fetch_all(
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
        query = "SELECT 1 AS one FROM {0}notice_mutes WHERE player = ? AND match = ?"
        return self._store.fetch_one(query, player, match) is not None

    def muted_matches(self, player: str) -> list[str]:
        """Return the ids of the matches that the player has muted."""
        rows = self._store.fetch_all(
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
        self._store.execute(statement, player, match)


def pause_ms(further_failures: int) -> int:
    """Return the length of a pause in milliseconds, at most `_MAX_PAUSE_MS`.

    ``further_failures``: the number of failures since the one that caused the first pause; each
    multiplies the length by 4.
    """
    length: int = min(_FIRST_PAUSE_MS * 4 ** min(further_failures, 8), _MAX_PAUSE_MS)
    return length


def _channel_from_row(row: Any) -> Channel:
    return Channel(**{field: row[field] for field in _COLUMNS})


def new_channel_id() -> str:
    """Return a random channel id of 16 hex digits."""
    return secrets.token_hex(8)


def no_such_channel() -> ApiProblem:
    return ApiProblem(404, "no_such_way", "error.no_such_way")


def find_zone(name: str) -> ZoneInfo:
    """Return the IANA time zone called ``name``; raise `ApiProblem` 422 ``bad_zone`` if unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ApiProblem(422, "bad_zone", "error.bad_zone", field="quiet") from None


def quiet_until(quiet: QuietHours | None, now: int) -> int | None:
    """Return when the current quiet hours end, in milliseconds; None outside quiet hours.

    Start and end are local times, so they follow daylight saving time. If they are equal, there are
    no quiet hours.
    """
    if quiet is None or quiet.start == quiet.end:
        return None
    start, end = quiet_hours(quiet, now)
    return end if start <= now < end else None


def quiet_hours(quiet: QuietHours, now: int) -> tuple[int, int]:
    """Return the start and end of the current or next quiet hours, in milliseconds."""
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
