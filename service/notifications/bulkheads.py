"""Limits on concurrent outgoing calls, so that slow calls do not keep others out (bulkheads).

A call takes a place in one lane for each limit that applies: that of its pool, of its player and
of its target. While others wait for a place in a pool or for a target, the deadline of each call
that has one is shortened to `HURRIED_S` seconds. Hanging calls make room; calls that are answered
at once, as nearly all are, are not affected.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

HURRIED_S = 1.0
"""Seconds that a call may keep its place in a lane while others wait for one."""


class Lane:
    """A limited number of places for concurrent calls.

    ``most``: the number of places, 0 for no limit; ``hurries``: whether waiting calls shorten the
    deadlines of those that have a place.
    """

    def __init__(self, most: int, hurries: bool) -> None:
        self._places = asyncio.Semaphore(most) if most else None
        self._hurries = hurries
        self._calls: set[asyncio.Timeout] = set()
        self._unhurried: dict[asyncio.Timeout, float] = {}
        self._waiting = 0

    @property
    def is_unused(self) -> bool:
        """Tell whether no call has or waits for a place."""
        return not self._calls and not self._waiting

    @property
    def under_way(self) -> int:
        """Return the number of calls that have a place."""
        return len(self._calls)

    @asynccontextmanager
    async def place(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Hold a place while the block runs; ``deadline`` of the call may be moved up."""
        await self._enter()
        self._calls.add(deadline)
        if self._hurries:
            self._unhurried[deadline] = asyncio.get_running_loop().time()
        try:
            if self._waiting:
                self._hurry()
            yield
        finally:
            self._calls.discard(deadline)
            self._unhurried.pop(deadline, None)
            if self._places is not None:
                self._places.release()

    async def _enter(self) -> None:
        if self._places is None:
            return
        if not self._places.locked():
            await self._places.acquire()
            return
        self._waiting += 1
        try:
            self._hurry()
            await self._places.acquire()
        finally:
            self._waiting -= 1

    def _hurry(self) -> None:
        """Shorten the deadlines of the calls that have a place, each once."""
        for call, began in self._unhurried.items():
            until, present = began + HURRIED_S, call.when()
            if not call.expired() and (present is None or until < present):
                call.reschedule(until)
        self._unhurried.clear()


class Lanes:
    """The lanes of one kind of limit, by key (a player or a target)."""

    def __init__(self, most: int, *, hurries: bool = True) -> None:
        self._most = most
        self._hurries = hurries
        self._lanes: dict[str, Lane] = {}

    def __len__(self) -> int:
        return len(self._lanes)

    def under_way(self, key: str) -> int:
        """Return the number of calls that have a place in the lane of a key."""
        lane = self._lanes.get(key)
        return lane.under_way if lane else 0

    @asynccontextmanager
    async def place(self, key: str, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Hold a place in the lane of a key while the block runs."""
        lane = self._lanes.get(key) or Lane(self._most, self._hurries)
        self._lanes[key] = lane
        try:
            async with lane.place(deadline):
                yield
        finally:
            if lane.is_unused:
                self._lanes.pop(key, None)
