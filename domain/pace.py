"""How long seats may take: the pace of a table, and the arithmetic of time that counts.

All instants are milliseconds since 1970 UTC, all spans milliseconds, but for the fields of a
`Pace`, which are in seconds, days and minutes as people say them. Nothing here reads a clock.
Ships to the browser.
"""

from typing import Literal

from msgspec import Struct

Kind = Literal["live", "days"]
"""At the table, with a bank of minutes; or so many days for each turn."""
OnEnd = Literal["nudge", "bot_moves", "bot_takes", "vote"]
"""What follows when a seat's time has run out: it is said and nothing else; a bot moves this once;
a bot has the seat from then on; the others may give it to a bot."""

DAY = 86_400_000
WEEK = 7 * DAY
_WORKING = 5 * DAY
_FIRST_MONDAY = 4 * DAY
"""1970 began on a Thursday."""

BANKS = (60, 86_400)
INCREMENTS = (0, 3_600)
MINIMUMS = (10, 3_600)
DAYS = (1, 60)
ZONES = (-840, 840)
"""The least and the most of each field of a pace."""


class Pace(Struct, frozen=True):
    """The pace of a table.

    ``live``: each seat has a ``bank`` of seconds; when a turn of it begins ``increment`` seconds
    are added, and it has ``minimum`` seconds at least. ``days``: so many ``days`` for each turn;
    ``weekends_off``: Saturdays and Sundays do not count, in a zone that lies ``zone`` minutes
    east of UTC and never changes its clocks. Fields of the other kind count for nothing.
    """

    kind: Kind
    on_end: OnEnd = "nudge"
    bank: int = 900
    increment: int = 0
    minimum: int = 30
    days: int = 3
    weekends_off: bool = False
    zone: int = 0


def fits(pace: Pace) -> bool:
    """Whether all numbers of a pace are within bounds."""
    fields = (
        (pace.bank, BANKS),
        (pace.increment, INCREMENTS),
        (pace.minimum, MINIMUMS),
        (pace.days, DAYS),
        (pace.zone, ZONES),
    )
    return all(low <= value <= high for value, (low, high) in fields)


def at_first(pace: Pace) -> int:
    """What a seat has before its first turn."""
    return pace.bank * 1000 if pace.kind == "live" else pace.days * DAY


def for_a_turn(pace: Pace, left: int) -> int:
    """What a seat with so much ``left`` has when a turn of it begins."""
    if pace.kind == "days":
        return pace.days * DAY
    return max(left + pace.increment * 1000, pace.minimum * 1000)


def counted(pace: Pace, since: int, until: int) -> int:
    """How much of the time between two instants counts; never below 0."""
    if until <= since:
        return 0
    if not _rests(pace):
        return until - since
    return _worked(_local(pace, until)) - _worked(_local(pace, since))


def end(pace: Pace, since: int, left: int) -> int:
    """The instant at which ``left`` is used up when it counts from ``since`` on."""
    if left <= 0:
        return since
    if not _rests(pace):
        return since + left
    shift = _local(pace, since) - since
    weeks, rest = divmod(_worked(_local(pace, since)) + left, _WORKING)
    # What ends with the week ends on Friday night, not when Monday begins.
    there = weeks * WEEK + rest if rest else (weeks - 1) * WEEK + _WORKING
    return there - shift


def _rests(pace: Pace) -> bool:
    return pace.kind == "days" and pace.weekends_off


def _local(pace: Pace, at: int) -> int:
    """The instant on a clock of the pace's zone that began with a Monday."""
    return at + pace.zone * 60_000 - _FIRST_MONDAY


def _worked(local: int) -> int:
    """The time on working days up to a local instant."""
    weeks, rest = divmod(local, WEEK)
    return weeks * _WORKING + min(rest, _WORKING)
