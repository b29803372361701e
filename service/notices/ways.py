"""The ways by which people are reached, what they want to hear and when not.

Addresses are secrets of their person: they leave the service only to the person, cut short.
"""

import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from projections.sql import Sql
from service.base.problems import Fault
from service.notices.told import KINDS, LATER, Kind
from service.store import Store

Form = Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
MOST = 20
"""Ways of one person."""
BETWEEN_FAILURES = 30_000
"""Milliseconds in which several failures of a way count as one."""
_FIRST_PAUSE, _LAST_PAUSE = 15 * 60_000, 24 * 3_600_000
"""Milliseconds of the first pause of a way and of the longest."""
_DAY = 24 * 60


class Quiet(Struct, frozen=True):
    """A part of each day in which nothing is sent: minutes after midnight, in a time zone."""

    start: int
    end: int
    zone: str


class Wishes(Struct, frozen=True):
    """What a person wants to hear, and when not."""

    kinds: tuple[Kind, ...] = KINDS
    quiet: Quiet | None = None


class _StoredWishes(Struct, frozen=True):
    """Wishes as they are kept. ``more``: which of the kinds that came later than ``kinds`` are
    wanted; all of them where somebody wished before there were any. A release before them reads
    ``kinds`` only."""

    kinds: tuple[Kind, ...] = KINDS
    quiet: Quiet | None = None
    more: tuple[Kind, ...] = LATER


_stored_wishes = msgspec.json.Decoder(_StoredWishes).decode


def _wishes(text: str) -> Wishes:
    stored = _stored_wishes(text)
    return Wishes((*stored.kinds, *stored.more), stored.quiet)


def _stored(wishes: Wishes) -> str:
    kinds = tuple(kind for kind in wishes.kinds if kind not in LATER)
    more = tuple(kind for kind in wishes.kinds if kind in LATER)
    return msgspec.json.encode(_StoredWishes(kinds, wishes.quiet, more)).decode()


class Way(Struct, frozen=True):
    """A way to a person. ``address``: a URL or a mail address; ``secret``: what is needed besides
    (the keys of a subscription, the key of signatures); ``device``: the hash of the device's
    secret where it hangs on one; ``base``: where links lead; ``problem``: why it failed last;
    ``confirmed``: None until its owner said that it is theirs (milliseconds).

    ``failures``: in a row, counted at most once in `BETWEEN_FAILURES`; ``failed``: when the last
    one was counted; ``paused``: until when nothing is sent by it, 0 for never paused since it
    worked; ``warned``: 1 when its owner was told so by another way. Times are milliseconds."""

    id: str
    player: str
    way: Form
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
        """Whether nothing is sent by it now."""
        return self.paused > now


_FIELDS = Way.__struct_fields__
_INSERT = (
    f"INSERT INTO {{0}}notice_ways ({', '.join(_FIELDS)})"
    f" VALUES ({', '.join('?' for _ in _FIELDS)})"
)


class Ways:
    """Keeps ways and wishes. All times are milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -- ways --------------------------------------------------------------------------------

    def add(self, way: Way) -> Way:
        """A new way, in place of the one to the same address; `Fault` 409 when there are too
        many."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "DELETE FROM {0}notice_ways WHERE way = ? AND address = ? AND"
                " (player = ? OR way = 'push')",
                *(way.way, way.address, way.player),
            )
            count = sql.one("SELECT COUNT(*) AS n FROM {0}notice_ways WHERE player = ?", way.player)
            if count["n"] >= MOST:
                raise Fault(409, "too_many_ways", "These are too many ways; take one away first.")
            sql.run(_INSERT, *(getattr(way, field) for field in _FIELDS))
        return way

    def of(self, player: str) -> list[Way]:
        """A person's ways, the oldest first; those of devices that are signed out are gone."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT w.* FROM {0}notice_ways w WHERE w.player = ? AND (w.device = '' OR EXISTS"
                " (SELECT 1 FROM {0}devices d WHERE d.token = w.device AND d.player = w.player))"
                " ORDER BY w.created, w.id",
                player,
            )
        return [_way(row) for row in rows]

    def one(self, player: str, way: str) -> Way:
        """A way of the person's; `Fault` 404."""
        for each in self.of(player):
            if each.id == way:
                return each
        raise no_such_way()

    def remove(self, player: str, way: str) -> None:
        """Takes a way away; `Fault` 404."""
        with self._store.transaction(commit=True) as sql:
            gone = sql.all(
                "DELETE FROM {0}notice_ways WHERE player = ? AND id = ? RETURNING id", player, way
            )
        if not gone:
            raise no_such_way()

    def forget(self, way: Way) -> None:
        """Takes away a way that leads nowhere any more."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}notice_ways WHERE id = ?", way.id)

    def note(self, way: Way, problem: str) -> None:
        """Note why a way failed, "" that it did not: then it is not paused any more either."""
        if way.problem == problem and not (way.failures and not problem):
            return
        again = ", failures = 0, failed = 0, paused = 0, warned = 0" if not problem else ""
        with self._store.transaction(commit=True) as sql:
            sql.run(f"UPDATE {{0}}notice_ways SET problem = ?{again} WHERE id = ?", problem, way.id)

    def note_failure(self, way: Way, problem: str, now: int, pause_after: int) -> None:
        """Note why a way failed; after so many failures in a row pause it, each time for longer.

        ``pause_after``: 0 pauses none.
        """
        with self._store.transaction(commit=True) as sql:
            counted = sql.one(
                "UPDATE {0}notice_ways SET problem = ?, failures = failures + 1, failed = ?"
                " WHERE id = ? AND failed <= ? RETURNING failures",
                *(problem, now, way.id, now - BETWEEN_FAILURES),
            )
            more = counted["failures"] - pause_after if counted and pause_after else -1
            if more >= 0:
                paused = now + pause_ms(more)
                sql.run("UPDATE {0}notice_ways SET paused = ? WHERE id = ?", paused, way.id)

    def resume(self, player: str, way: str, now: int) -> None:
        """Send by a paused way again, what waited for it at once; `Fault` 404."""
        with self._store.transaction(commit=True) as sql:
            found = sql.all(
                "UPDATE {0}notice_ways SET problem = '', failures = 0, failed = 0, paused = 0,"
                " warned = 0 WHERE player = ? AND id = ? RETURNING id",
                *(player, way),
            )
            # The sender looks again at each whether it is to be sent now.
            sql.run(
                "UPDATE {0}notices SET due = ? WHERE player = ? AND state = 'waiting' AND due > ?",
                *(now, player, now + _FIRST_PAUSE // 2),
            )
        if not found:
            raise no_such_way()

    def warn(self, way: Way) -> bool:
        """Note that the owner is told of a pause; False if somebody else is telling already."""
        with self._store.transaction(commit=True) as sql:
            return bool(
                sql.all(
                    "UPDATE {0}notice_ways SET warned = 1 WHERE id = ? AND paused > 0"
                    " AND warned = 0 RETURNING id",
                    way.id,
                )
            )

    # -- mail addresses ----------------------------------------------------------------------

    def is_stopped(self, mailbox: str) -> bool:
        """Tell whether the owner of a mailbox wants no mails. ``mailbox``: its hash."""
        with self._store.transaction(commit=False) as sql:
            return _is_stopped(sql, mailbox)

    def add_mail(self, way: Way, mailbox: str) -> Way | None:
        """Add an address, as `add`; None when its mailbox wants no mails."""
        if self.is_stopped(mailbox):
            return None
        added = self.add(way)
        if self.is_stopped(mailbox):
            self.forget(way)
            return None
        return added

    def stop(self, mailbox: str, now: int, hash_of: Callable[[str], str]) -> None:
        """Take away every way to a mailbox, whoever's it is, and let nobody add one again."""
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}notice_stops VALUES (?,?) ON CONFLICT DO NOTHING", mailbox, now)
            rows = sql.all("SELECT id, address FROM {0}notice_ways WHERE way = 'mail'")
            for row in rows:
                if hash_of(row["address"]) == mailbox:
                    sql.run("DELETE FROM {0}notice_ways WHERE id = ?", row["id"])

    def allow(self, mailbox: str) -> None:
        """Let people add the mailbox again."""
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}notice_stops WHERE mailbox = ?", mailbox)

    def by_id(self, way: str) -> Way | None:
        """A way, whoever's it is."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT * FROM {0}notice_ways WHERE id = ?", way)
        return _way(row) if row else None

    def confirm(self, way: Way, now: int) -> None:
        """The address is the person's."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "UPDATE {0}notice_ways SET confirmed = ? WHERE id = ? AND confirmed IS NULL",
                *(now, way.id),
            )

    # -- wishes ------------------------------------------------------------------------------

    def wishes(self, player: str) -> Wishes:
        """What the person wants to hear."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT wishes FROM {0}notice_wishes WHERE player = ?", player)
        return _wishes(row["wishes"]) if row else Wishes()

    def wish(self, player: str, wishes: Wishes, language: str | None) -> None:
        """Notes what the person wants to hear, and in which language if it is told."""
        if wishes.quiet is not None:
            zone_of(wishes.quiet.zone)
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "INSERT INTO {0}notice_wishes VALUES (?,?) ON CONFLICT (player) DO UPDATE SET"
                " wishes = excluded.wishes",
                *(player, _stored(wishes)),
            )
            if language is not None:
                sql.run("UPDATE {0}notice_ways SET language = ? WHERE player = ?", language, player)

    def with_quiet_hours(self) -> list[tuple[str, Quiet]]:
        """The players who can be reached and have quiet hours."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT player, wishes FROM {0}notice_wishes p WHERE wishes LIKE ? AND EXISTS"
                " (SELECT 1 FROM {0}notice_ways w WHERE w.player = p.player AND"
                " w.confirmed IS NOT NULL)",
                '%"quiet":{%',
            )
        found = [(row["player"], _wishes(row["wishes"])) for row in rows]
        return [(player, wishes.quiet) for player, wishes in found if wishes.quiet is not None]

    def muted(self, player: str, match: str) -> bool:
        """Whether the person wants to hear nothing of a match."""
        with self._store.transaction(commit=False) as sql:
            return _is_muted(sql, player, match)

    def all_muted(self, player: str) -> list[str]:
        """The matches of which the person wants to hear nothing."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT match FROM {0}notice_mutes WHERE player = ? ORDER BY match", player
            )
        return [row["match"] for row in rows]

    def mute(self, player: str, match: str, muted: bool) -> None:
        """Notes whether the person wants to hear of a match."""
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


def pause_ms(more: int) -> int:
    """Milliseconds of a pause after so many failures beyond those that brought the first."""
    length: int = min(_FIRST_PAUSE * 4 ** min(more, 8), _LAST_PAUSE)
    return length


def _is_muted(sql: Sql, player: str, match: str) -> bool:
    found = sql.one(
        "SELECT 1 AS one FROM {0}notice_mutes WHERE player = ? AND match = ?", player, match
    )
    return found is not None


def _way(row: Any) -> Way:
    return Way(**{field: row[field] for field in _FIELDS})


def new_id() -> str:
    """A name for a way, which says nothing."""
    return secrets.token_hex(8)


def no_such_way() -> Fault:
    return Fault(404, "no_such_way", "You have no such way to be told.")


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name in the IANA database; `Fault` 422."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Fault(422, "bad_zone", "No such time zone is known.", field="quiet") from None


def quiet_until(quiet: Quiet | None, now: int) -> int | None:
    """When the quiet part of the day ends that it is now; None when it is not quiet.

    Clocks that are put forward or back move it as they move everything of that day.
    """
    if quiet is None or quiet.start == quiet.end:
        return None
    start, end = quiet_hours(quiet, now)
    return end if start <= now < end else None


def quiet_hours(quiet: Quiet, now: int) -> tuple[int, int]:
    """Start and end of the quiet hours that it is now, or of the next ones."""
    here = datetime.fromtimestamp(now / 1000, zone_of(quiet.zone))
    minute = here.hour * 60 + here.minute
    length = (quiet.end - quiet.start) % _DAY
    is_quiet = (minute - quiet.start) % _DAY < length
    starts_today = minute >= quiet.start if is_quiet else minute < quiet.start
    day = here.date()
    if not starts_today:
        day += timedelta(days=-1 if is_quiet else 1)
    end_day = day + timedelta(days=1) if quiet.end < quiet.start else day
    return _instant(day, quiet.start, here.tzinfo), _instant(end_day, quiet.end, here.tzinfo)


def _instant(day: date, minute: int, zone: tzinfo | None) -> int:
    time = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    return int(time.timestamp() * 1000)
