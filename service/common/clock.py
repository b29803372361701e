"""The service's clock, in milliseconds since 1970 UTC."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

JUMP_GRACE_MS = 60_000
"""Milliseconds for which a forward jump of the wall clock is ignored."""
_MAX_DRIFT_MS = 2_000
"""Milliseconds by which the wall clock may advance without counting as a jump."""

ClockSource = Callable[[], int]
"""Function that returns milliseconds since 1970 UTC."""


class JumpTolerantClock:
    """Clock that follows the machine's wall clock, a forward jump only after a grace period.

    After the machine slept or its clock was corrected, the wall clock may jump by hours. For
    `JUMP_GRACE_MS` milliseconds this clock ignores the jump, so that no seat loses on time before
    its player can act. ``wall_clock`` and ``monotonic_clock`` return nanoseconds; only the first
    can jump.
    """

    def __init__(
        self,
        wall_clock: Callable[[], int] = time.time_ns,
        monotonic_clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall_clock = wall_clock
        self._monotonic_clock = monotonic_clock
        self._offset = self._read_clocks()[1]
        self._jumped_at: int | None = None

    def _read_clocks(self) -> tuple[int, int]:
        steady = self._monotonic_clock() // 1_000_000
        return steady, self._wall_clock() // 1_000_000 - steady

    def __call__(self) -> int:
        steady, offset = self._read_clocks()
        if offset - self._offset <= _MAX_DRIFT_MS:
            self._jumped_at = None
        else:
            self._jumped_at = steady if self._jumped_at is None else self._jumped_at
            if steady - self._jumped_at < JUMP_GRACE_MS:
                return steady + self._offset
            self._jumped_at = None
        self._offset = offset
        return steady + offset


_sources: list[ClockSource] = [JumpTolerantClock()]


def now_ms() -> int:
    """Return the current time in milliseconds since 1970 UTC."""
    return _sources[-1]()


@contextmanager
def override_clock(source: ClockSource) -> Iterator[None]:
    """Replace the service's clock while the block runs, for tests that span months."""
    _sources.append(source)
    try:
        yield
    finally:
        _sources.pop()


def format_timestamp(at_ms: int) -> str:
    """Format a time as RFC 3339 in UTC, with milliseconds."""
    seconds, rest = divmod(at_ms, 1000)
    return f"{_format_second(seconds)}.{rest:03}Z"


@lru_cache(1024)
def _format_second(seconds: int) -> str:
    """Format whole seconds since 1970; cached, as many times in a response share a second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
