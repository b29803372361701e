"""Time zones of new tables: what the opening event keeps of the IANA database.

The fold of a match reads no zone files: they differ between machines and change several times a
year. So the opening event holds the changes of the offset for some years, and the last one holds
for good.
"""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from domain.pace import DAY, MINUTE
from service.base.problems import Fault

WRITTEN_AHEAD_MS = (3 * 365 + 1) * DAY
"""How far ahead the changes of an offset are written: three years."""

Offsets = tuple[tuple[int, int], ...]


def offsets_from(name: str, now: int) -> tuple[int, Offsets]:
    """The offset of a time zone and its changes in the three years from ``now`` on.

    Minutes east of UTC, and the changes as in `domain.pace.Pace`. `Fault` 422 for a name that the
    IANA database does not have.
    """
    if name not in _names():
        raise no_such_time_zone(name)
    return _offsets(name, now // DAY * DAY)


@lru_cache(1)
def _names() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(1024)
def _offsets(name: str, start: int) -> tuple[int, Offsets]:
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise no_such_time_zone(name) from None
    first = offset = _offset(zone, start)
    changes = []
    for day in range(start + DAY, start + WRITTEN_AHEAD_MS, DAY):
        if (later := _offset(zone, day)) != offset:
            changes.append((_change(zone, day - DAY, day), later))
            offset = later
    return first, tuple(changes)


def _change(zone: tzinfo, before: int, after: int) -> int:
    """The first minute (since 1970 UTC) between two instants with another offset."""
    offset = _offset(zone, before)
    while after - before > MINUTE:
        middle = (before + after) // 2 // MINUTE * MINUTE
        if _offset(zone, middle) == offset:
            before = middle
        else:
            after = middle
    return after // MINUTE


def _offset(zone: tzinfo, at: int) -> int:
    offset = datetime.fromtimestamp(at // 1000, UTC).astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def no_such_time_zone(name: str) -> Fault:
    return Fault(
        422,
        "no_such_time_zone",
        "Unknown time zone: {zone}. Use an IANA name such as Europe/Paris, or let weekends count.",
        args={"zone": name},
        field="pace.time_zone",
    )
