"""The ways by which people are reached, what they want to hear and when not.

Addresses are secrets of their person: they leave the service only to the person, cut short.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from projections.sql import Sql
from service.base.problems import Fault
from service.notices.told import KINDS, Kind
from service.store import Store

Form = Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
MOST = 20
"""Ways of one person."""
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


_wishes = msgspec.json.Decoder(Wishes).decode


class Way(Struct, frozen=True):
    """A way to a person. ``address``: a URL or a mail address; ``secret``: what is needed besides
    (the keys of a subscription, the key of signatures); ``device``: the hash of the device's
    secret where it hangs on one; ``base``: where links lead; ``problem``: why it failed last;
    ``confirmed``: None until its owner said that it is theirs (milliseconds)."""

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
        """Notes why a way failed, "" that it did not."""
        if way.problem != problem:
            with self._store.transaction(commit=True) as sql:
                sql.run("UPDATE {0}notice_ways SET problem = ? WHERE id = ?", problem, way.id)

    # -- mail addresses ----------------------------------------------------------------------

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
                *(player, msgspec.json.encode(wishes).decode()),
            )
            if language is not None:
                sql.run("UPDATE {0}notice_ways SET language = ? WHERE player = ?", language, player)

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
    here = datetime.fromtimestamp(now / 1000, zone_of(quiet.zone))
    minute = here.hour * 60 + here.minute
    length = (quiet.end - quiet.start) % _DAY
    if (minute - quiet.start) % _DAY >= length:
        return None
    days = 1 if minute >= quiet.end else 0
    day = here.date() + timedelta(days=days)
    end = datetime(
        day.year, day.month, day.day, quiet.end // 60, quiet.end % 60, tzinfo=here.tzinfo
    )
    return int(end.timestamp() * 1000)
