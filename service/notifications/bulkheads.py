"""Limits on concurrent outgoing calls, so that slow calls do not keep others out (bulkheads).

A call takes a place in one lane for each limit that applies: that of its pool, of its player and
of its target. While others wait for a place in a pool or for a target, the deadline of each call
that has one is shortened to `CONTENDED_TIMEOUT_S` seconds. Hanging calls make room; calls that are
answered at once, as nearly all are, are not affected.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CONTENDED_TIMEOUT_S = 1.0
"""Seconds that a call may keep its place in a lane while others wait for one."""


class Bulkhead:
    """A limited number of places for concurrent calls.

    ``max_calls``: the number of places, 0 for no limit; ``shortens_deadlines``: whether waiting
    calls shorten the deadlines of those that have a place.
    """

    def __init__(self, max_calls: int, shortens_deadlines: bool) -> None:
        self._slots = asyncio.Semaphore(max_calls) if max_calls else None
        self._shortens_deadlines = shortens_deadlines
        self._calls: set[asyncio.Timeout] = set()
        self._unshortened: dict[asyncio.Timeout, float] = {}
        self._waiting = 0

    @property
    def is_unused(self) -> bool:
        """Tell whether no call has or waits for a place."""
        return not self._calls and not self._waiting

    @property
    def active_calls(self) -> int:
        """Return the number of calls that have a place."""
        return len(self._calls)

    @asynccontextmanager
    async def slot(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Hold a place while the block runs; ``deadline`` of the call may be moved up."""
        await self._acquire()
        self._calls.add(deadline)
        if self._shortens_deadlines:
            self._unshortened[deadline] = asyncio.get_running_loop().time()
        try:
            if self._waiting:
                self._shorten_deadlines()
            yield
        finally:
            self._calls.discard(deadline)
            self._unshortened.pop(deadline, None)
            if self._slots is not None:
                self._slots.release()

    async def _acquire(self) -> None:
        if self._slots is None:
            return
        if not self._slots.locked():
            await self._slots.acquire()
            return
        self._waiting += 1
        try:
            self._shorten_deadlines()
            await self._slots.acquire()
        finally:
            self._waiting -= 1

    def _shorten_deadlines(self) -> None:
        """Shorten the deadlines of the calls that have a place, each once."""
        for call, began in self._unshortened.items():
            until, present = began + CONTENDED_TIMEOUT_S, call.when()
            if not call.expired() and (present is None or until < present):
                call.reschedule(until)
        self._unshortened.clear()


class BulkheadRegistry:
    """The lanes of one kind of limit, by key (a player or a target)."""

    def __init__(self, max_calls: int, *, shortens_deadlines: bool = True) -> None:
        self._max_calls = max_calls
        self._shortens_deadlines = shortens_deadlines
        self._bulkheads: dict[str, Bulkhead] = {}

    def __len__(self) -> int:
        return len(self._bulkheads)

    def active_calls(self, key: str) -> int:
        """Return the number of calls that have a place in the lane of a key."""
        lane = self._bulkheads.get(key)
        return lane.active_calls if lane else 0

    @asynccontextmanager
    async def slot(self, key: str, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Hold a place in the lane of a key while the block runs."""
        lane = self._bulkheads.get(key) or Bulkhead(self._max_calls, self._shortens_deadlines)
        self._bulkheads[key] = lane
        try:
            async with lane.slot(deadline):
                yield
        finally:
            if lane.is_unused:
                self._bulkheads.pop(key, None)
