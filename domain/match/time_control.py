"""Time controls, and the arithmetic of time with weekends off.

Instants are milliseconds since 1970 UTC and durations milliseconds, except for the fields of
`Pace`, which are in seconds, days and minutes. Nothing here reads a clock. Ships to the browser.
"""

from typing import Literal

from msgspec import Struct

TimeControlKind = Literal["live", "days"]
"""Kind of a time control: "live" with a bank of time, or "days" with a number of days per turn."""
TimeoutAction = Literal["nudge", "bot_moves", "bot_takes", "vote"]
"""Consequence when a seat's time runs out: "nudge", only a reminder; "bot_moves", a bot makes this
move; "bot_takes", a bot takes the seat; "vote", the others may give the seat to a bot."""

MINUTE_MS = 60_000
DAY_MS = 86_400_000
WEEK_MS = 7 * DAY_MS
_WORKING_WEEK_MS = 5 * DAY_MS
_FIRST_MONDAY_MS = 4 * DAY_MS
"""The first Monday of 1970 (which began on a Thursday), in milliseconds since 1970 UTC."""

BANK_RANGE_S = (60, 86_400)
INCREMENT_RANGE_S = (0, 3_600)
MINIMUM_RANGE_S = (10, 3_600)
DAYS_RANGE = (1, 60)
ZONE_RANGE_MINUTES = (-840, 840)
"""The ranges of the fields of a `Pace`: minimum and maximum of each."""
MAX_ZONE_NAME_CHARS = 64
"""Maximum length of a time zone's name; the longest IANA name has 32 characters."""
MAX_OFFSET_CHANGES = 40
"""Maximum number of offset changes stored; no zone has more than four per year."""
LATEST_CHANGE_MINUTE = 100_000_000
"""Latest offset change in minutes since 1970 UTC: the year 2160."""

ClockRules = Literal[1, 2]
"""Version of the clock rules; a match keeps the version that it began with.

1: every undo gives all time back; a vacation always stops the player's clock, and so does leaving
a seat open.
2: a free undo gives its player no time back; a vacation stops the clock only in matches by days
that allow it; and the clock of a seat that was left open keeps running.
"""
CLOCK_RULES: ClockRules = 2
"""The clock rules of new matches."""


class Pace(Struct, frozen=True):
    """The time control of a match. Fields of the other ``kind`` are ignored.

    "live": each seat has a ``bank`` of seconds; at the beginning of its turn ``increment`` seconds
    are added, and the clock is raised to at least ``minimum`` seconds. "days": each turn has
    ``days`` days; ``weekends_off``: whether Saturdays and Sundays do not count, in a zone ``zone``
    minutes east of UTC; ``time_zone``: the IANA name of that zone, empty if only an offset is
    known; ``offsets``: later changes of its offset, as ``(minutes since 1970 UTC, minutes east of
    UTC)`` in ascending order, the last of which stays in force; ``vacation``: whether a player's
    vacation stops their clock. ``on_end``: the consequence when time runs out, for both kinds.
    """

    kind: TimeControlKind
    on_end: TimeoutAction = "nudge"
    bank: int = 900
    increment: int = 0
    minimum: int = 30
    days: int = 3
    weekends_off: bool = False
    zone: int = 0
    vacation: bool = True
    time_zone: str = ""
    offsets: tuple[tuple[int, int], ...] = ()


def is_within_bounds(pace: Pace) -> bool:
    """Return whether all fields of a time control are valid."""
    fields = (
        (pace.bank, BANK_RANGE_S),
        (pace.increment, INCREMENT_RANGE_S),
        (pace.minimum, MINIMUM_RANGE_S),
        (pace.days, DAYS_RANGE),
        (pace.zone, ZONE_RANGE_MINUTES),
    )
    within = all(low <= value <= high for value, (low, high) in fields)
    return within and _is_zone_name(pace.time_zone) and _are_offsets(pace.offsets)


def _is_zone_name(name: str) -> bool:
    known = all(c.isascii() and (c.isalnum() or c in "/_+-") for c in name)
    return known and len(name) <= MAX_ZONE_NAME_CHARS


def _are_offsets(offsets: tuple[tuple[int, int], ...]) -> bool:
    if len(offsets) > MAX_OFFSET_CHANGES:
        return False
    previous = -1
    for minute, offset in offsets:
        if not (
            previous < minute <= LATEST_CHANGE_MINUTE
            and ZONE_RANGE_MINUTES[0] <= offset <= ZONE_RANGE_MINUTES[1]
        ):
            return False
        previous = minute
    return True


def allows_vacation(pace: Pace, clock_rules: ClockRules) -> bool:
    """Return whether a player's vacation stops their clock."""
    return clock_rules < 2 or (pace.kind == "days" and pace.vacation)


def initial_time(pace: Pace) -> int:
    """Return the time in milliseconds that a seat has before its first turn."""
    return pace.bank * 1000 if pace.kind == "live" else pace.days * DAY_MS


def time_for_turn(pace: Pace, left: int) -> int:
    """Return the time of a seat at the beginning of its turn; ``left``: its time before that."""
    return (
        max(left + pace.increment * 1000, minimum_time(pace))
        if pace.kind == "live"
        else minimum_time(pace)
    )


def minimum_time(pace: Pace) -> int:
    """Return the minimum time of a seat at the beginning of its turn."""
    return pace.minimum * 1000 if pace.kind == "live" else pace.days * DAY_MS


def counted_time(pace: Pace, since: int, until: int) -> int:
    """Return how much of the time between two instants counts; 0 if ``until`` is not later."""
    if until <= since:
        return 0
    if not _has_days_off(pace):
        return until - since
    total = 0
    for start, stop, offset in _offset_intervals(pace, since):
        if until <= start:
            break
        last = until if stop is None else min(stop, until)
        total += _working_time_between(start, offset, last)
    return total


def deadline_after(pace: Pace, since: int, left: int) -> int:
    """Return the instant at which the time ``left`` is used up if the clock runs from ``since``."""
    if left <= 0:
        return since
    if not _has_days_off(pace):
        return since + left
    for start, stop, offset in _offset_intervals(pace, since):
        if stop is None or _working_time_between(start, offset, stop) >= left:
            return _deadline_within(start, offset, left)
        left -= _working_time_between(start, offset, stop)
    raise AssertionError("the last stretch has no end")


def _deadline_within(start: int, offset: int, left: int) -> int:
    """Return the instant at which the time ``left`` is used up, given a constant zone offset."""
    local = _to_local(start, offset)
    weeks, rest = divmod(_working_time(local) + left, _WORKING_WEEK_MS)
    # Time that is used up exactly at the end of a working week ends on Friday night, not on Monday.
    there = weeks * WEEK_MS + rest if rest else (weeks - 1) * WEEK_MS + _WORKING_WEEK_MS
    return there - local + start


def _has_days_off(pace: Pace) -> bool:
    return pace.kind == "days" and pace.weekends_off


def _offset_intervals(pace: Pace, since: int) -> list[tuple[int, int | None, int]]:
    """Return the intervals of constant zone offset from an instant on.

    Each is ``(start, end, offset)``; the end of the last one is None.
    """
    stretches: list[tuple[int, int | None, int]] = []
    start, offset = since, pace.zone
    for minute, later in pace.offsets:
        at = minute * MINUTE_MS
        if at > start:
            stretches.append((start, at, offset))
            start = at
        offset = later
    stretches.append((start, None, offset))
    return stretches


def _working_time_between(start: int, offset: int, stop: int) -> int:
    """Return the time on working days between two instants with the same offset."""
    return _working_time(_to_local(stop, offset)) - _working_time(_to_local(start, offset))


def _to_local(at: int, offset: int) -> int:
    """Return the local time, ``offset`` minutes east of UTC, since the first Monday of 1970."""
    return at + offset * MINUTE_MS - _FIRST_MONDAY_MS


def _working_time(local: int) -> int:
    """Return the time on working days between the first Monday of 1970 and a local instant."""
    weeks, rest = divmod(local, WEEK_MS)
    return weeks * _WORKING_WEEK_MS + min(rest, _WORKING_WEEK_MS)
