"""The service's clock, in milliseconds since 1970 UTC."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

GRACE = 60_000
"""Milliseconds for which a forward jump of the wall clock is ignored."""
_DRIFT = 2_000
"""Milliseconds by which the wall clock may be corrected at once."""

Source = Callable[[], int]
"""Function that returns milliseconds since 1970 UTC."""


class Steady:
    """The machine's clock, which follows a forward jump only after a grace period.

    When the machine slept or its clock was corrected, hours pass at once. For `GRACE` milliseconds
    this clock runs on as if nothing had happened, so that no seat loses on time before its player
    can act. ``wall`` and ``steady`` return nanoseconds; only the first can jump.
    """

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        steady: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = self._apart()[1]
        self._jumped: int | None = None

    def _apart(self) -> tuple[int, int]:
        steady = self._steady() // 1_000_000
        return steady, self._wall() // 1_000_000 - steady

    def recall(self, at: int) -> bool:
        """Continue from ``at``, the time by this clock before a restart.

        Returns whether the machine's clock is ahead of it by more than `_DRIFT`; if not, ``at`` is
        ignored.
        """
        steady, offset = self._apart()
        if offset - (at - steady) <= _DRIFT:
            return False
        self._offset = at - steady
        return True

    def __call__(self) -> int:
        steady, offset = self._apart()
        if offset - self._offset <= _DRIFT:
            self._jumped = None
        else:
            self._jumped = steady if self._jumped is None else self._jumped
            if steady - self._jumped < GRACE:
                return steady + self._offset
            self._jumped = None
        self._offset = offset
        return steady + offset


_source: list[Source] = [Steady()]


def clock() -> int:
    """Return milliseconds since 1970 UTC."""
    return _source[-1]()


def machine() -> Steady | None:
    """Return the machine's clock, or None while `told_by` replaces it."""
    source = _source[-1]
    return source if isinstance(source, Steady) else None


@contextmanager
def told_by(source: Source) -> Iterator[None]:
    """Replace the clock while the block runs, for tests that span months."""
    _source.append(source)
    try:
        yield
    finally:
        _source.pop()


def timestamp(milliseconds: int) -> str:
    """Format a time as RFC 3339 in UTC, with milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(1024)
def _second(seconds: int) -> str:
    """Format a whole second; cached, because many times in one answer share it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
