"""UTC offsets of time zones for the opening event of a match, from the IANA database.

Folding a match does not read zone files, because they differ between machines and change several
times a year. Instead, the opening event contains the offset changes of three years; after the last
of them the offset stays the same.
"""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from domain.match.time_control import DAY_MS, MINUTE_MS
from service.http.problems import ApiProblem

OFFSET_HORIZON_MS = (3 * 365 + 1) * DAY_MS
"""Period for which offset changes are stored, in milliseconds: three years."""

Offsets = tuple[tuple[int, int], ...]


def offsets_from(name: str, at_ms: int) -> tuple[int, Offsets]:
    """Return the offset of a time zone and its changes in the three years from ``at_ms`` on.

    ``at_ms``: milliseconds since 1970 UTC, rounded down to a whole day. The offset is in minutes
    east of UTC, the changes are as in `domain.match.time_control.Pace`. Raises `ApiProblem` 422
    ``no_such_time_zone`` for a name that is not in the IANA database.
    """
    if name not in _zone_names():
        raise no_such_time_zone(name)
    return _cached_offsets(name, at_ms // DAY_MS * DAY_MS)


@lru_cache(1)
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(1024)
def _cached_offsets(name: str, start: int) -> tuple[int, Offsets]:
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise no_such_time_zone(name) from None
    first = offset = _offset_at(zone, start)
    changes = []
    for day in range(start + DAY_MS, start + OFFSET_HORIZON_MS, DAY_MS):
        if (later := _offset_at(zone, day)) != offset:
            changes.append((_find_change(zone, day - DAY_MS, day), later))
            offset = later
    return first, tuple(changes)


def _find_change(zone: tzinfo, before: int, after: int) -> int:
    """Return the first minute since 1970 UTC whose offset differs from that at ``before``.

    Bisects between ``before`` and ``after``, in milliseconds, which have different offsets.
    """
    offset = _offset_at(zone, before)
    while after - before > MINUTE_MS:
        middle = (before + after) // 2 // MINUTE_MS * MINUTE_MS
        if _offset_at(zone, middle) == offset:
            before = middle
        else:
            after = middle
    return after // MINUTE_MS


def _offset_at(zone: tzinfo, at: int) -> int:
    offset = datetime.fromtimestamp(at // 1000, UTC).astimezone(zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def no_such_time_zone(name: str) -> ApiProblem:
    return ApiProblem(
        422,
        "no_such_time_zone",
        "error.no_such_time_zone",
        args={"zone": name},
        field="pace.time_zone",
    )
