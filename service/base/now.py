"""What time it is."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

GRACE = 60_000
"""Milliseconds for which a clock that was put forward is not believed."""
_DRIFT = 2_000
"""Milliseconds by which a clock may be put right at once."""

Source = Callable[[], int]
"""Gives milliseconds since 1970 UTC."""


class Steady:
    """The clock of the machine; one that jumps forward is believed after a grace.

    A machine that slept, or whose clock was put right, finds that hours have passed at once. Until
    the `GRACE` is over its time goes on as if nothing had been: so nobody's turn ends before they
    could do anything about it. ``wall`` and ``steady`` give nanoseconds; only the first can jump.
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
        """``at``: what time it is by what was believed before; whether the machine is further on
        by more than is put right at once."""
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
    """Milliseconds since 1970 UTC."""
    return _source[-1]()


def machine() -> Steady | None:
    """The clock of the machine; None where the time comes from elsewhere."""
    source = _source[-1]
    return source if isinstance(source, Steady) else None


@contextmanager
def told_by(source: Source) -> Iterator[None]:
    """Takes the time from elsewhere while the block runs, for tests that last months."""
    _source.append(source)
    try:
        yield
    finally:
        _source.pop()


def timestamp(milliseconds: int) -> str:
    """RFC 3339 in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(1024)
def _second(seconds: int) -> str:
    """Much that is told happened in the same second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
