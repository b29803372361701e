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

MINUTE = 60_000
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
MAX_ZONE_NAME = 64
"""Characters of a time zone's name; the longest of IANA has 32."""
MAX_OFFSET_CHANGES = 40
"""Changes of a zone's offset; no zone changes it more than four times a year."""
LATEST_CHANGE_MINUTE = 100_000_000
"""Minutes since 1970 UTC up to which changes of an offset are known: the year 2160."""

ClockRules = Literal[1, 2]
"""By which rules clocks run; `MatchOpened` says by which ones a match began.

1: every undo gives all time back, a vacation stops every clock, and so does leaving a seat.
2: a free undo gives no time back to whoever takes back, a vacation counts at tables by days only
and only where the table allows it, and the clock of a seat runs on while the seat is free.
"""
CLOCK_RULES: ClockRules = 2
"""The rules of new tables."""


class Pace(Struct, frozen=True):
    """The pace of a table.

    ``live``: each seat has a ``bank`` of seconds; when a turn of it begins ``increment`` seconds
    are added, and it has ``minimum`` seconds at least. ``days``: so many ``days`` for each turn;
    ``weekends_off``: Saturdays and Sundays do not count, in a zone that lies ``zone`` minutes
    east of UTC. ``time_zone``: the IANA name of that zone, empty where only minutes were given;
    ``offsets``: the changes of its offset, as ``(minutes since 1970 UTC, minutes east of UTC)`` in
    ascending order. The last offset holds for good. ``vacation``: whether a player's vacation
    stops their clock, by days only. Fields of the other kind count for nothing.
    """

    kind: Kind
    on_end: OnEnd = "nudge"
    bank: int = 900
    increment: int = 0
    minimum: int = 30
    days: int = 3
    weekends_off: bool = False
    zone: int = 0
    vacation: bool = True
    time_zone: str = ""
    offsets: tuple[tuple[int, int], ...] = ()


def fits(pace: Pace) -> bool:
    """Whether all numbers of a pace are within bounds."""
    fields = (
        (pace.bank, BANKS),
        (pace.increment, INCREMENTS),
        (pace.minimum, MINIMUMS),
        (pace.days, DAYS),
        (pace.zone, ZONES),
    )
    within = all(low <= value <= high for value, (low, high) in fields)
    return within and _is_zone_name(pace.time_zone) and _are_offsets(pace.offsets)


def _is_zone_name(name: str) -> bool:
    known = all(c.isascii() and (c.isalnum() or c in "/_+-") for c in name)
    return known and len(name) <= MAX_ZONE_NAME


def _are_offsets(offsets: tuple[tuple[int, int], ...]) -> bool:
    if len(offsets) > MAX_OFFSET_CHANGES:
        return False
    previous = -1
    for minute, offset in offsets:
        if not (previous < minute <= LATEST_CHANGE_MINUTE and ZONES[0] <= offset <= ZONES[1]):
            return False
        previous = minute
    return True


def allows_vacation(pace: Pace, clock_rules: ClockRules) -> bool:
    """Whether a player's vacation stops their clock at a table."""
    return clock_rules < 2 or (pace.kind == "days" and pace.vacation)


def at_first(pace: Pace) -> int:
    """What a seat has before its first turn."""
    return pace.bank * 1000 if pace.kind == "live" else pace.days * DAY


def for_a_turn(pace: Pace, left: int) -> int:
    """What a seat with so much ``left`` has when a turn of it begins."""
    return max(left + pace.increment * 1000, least(pace)) if pace.kind == "live" else least(pace)


def least(pace: Pace) -> int:
    """What a seat has at least when a turn of it begins."""
    return pace.minimum * 1000 if pace.kind == "live" else pace.days * DAY


def counted(pace: Pace, since: int, until: int) -> int:
    """How much of the time between two instants counts; never below 0."""
    if until <= since:
        return 0
    if not _rests(pace):
        return until - since
    total = 0
    for start, stop, offset in _stretches(pace, since):
        if until <= start:
            break
        last = until if stop is None else min(stop, until)
        total += _worked(start, offset, last)
    return total


def end(pace: Pace, since: int, left: int) -> int:
    """The instant at which ``left`` is used up when it counts from ``since`` on."""
    if left <= 0:
        return since
    if not _rests(pace):
        return since + left
    for start, stop, offset in _stretches(pace, since):
        if stop is None or _worked(start, offset, stop) >= left:
            return _end_within(start, offset, left)
        left -= _worked(start, offset, stop)
    raise AssertionError("the last stretch has no end")


def _end_within(start: int, offset: int, left: int) -> int:
    """The instant at which ``left`` is used up, where the offset does not change before it."""
    local = _local(start, offset)
    weeks, rest = divmod(_working_time(local) + left, _WORKING)
    # What ends with the week ends on Friday night, not when Monday begins.
    there = weeks * WEEK + rest if rest else (weeks - 1) * WEEK + _WORKING
    return there - local + start


def _rests(pace: Pace) -> bool:
    return pace.kind == "days" and pace.weekends_off


def _stretches(pace: Pace, since: int) -> list[tuple[int, int | None, int]]:
    """The time from an instant on, cut where the offset of the zone changes.

    Start, end and offset of each stretch; the last one has no end.
    """
    stretches: list[tuple[int, int | None, int]] = []
    start, offset = since, pace.zone
    for minute, later in pace.offsets:
        at = minute * MINUTE
        if at > start:
            stretches.append((start, at, offset))
            start = at
        offset = later
    stretches.append((start, None, offset))
    return stretches


def _worked(start: int, offset: int, stop: int) -> int:
    """The time on working days between two instants with the same offset."""
    return _working_time(_local(stop, offset)) - _working_time(_local(start, offset))


def _local(at: int, offset: int) -> int:
    """The instant on a clock ``offset`` minutes east of UTC that began with a Monday."""
    return at + offset * MINUTE - _FIRST_MONDAY


def _working_time(local: int) -> int:
    """The time on working days up to a local instant."""
    weeks, rest = divmod(local, WEEK)
    return weeks * _WORKING + min(rest, _WORKING)
