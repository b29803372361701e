"""Bounds on calls that are under way at once, so that slow ones do not keep others out.

A call has a place in one lane for each bound it falls under: of its pool, of the person it is for,
of where it goes. While others wait for a place in a pool or for a target, each call in it has
`HURRIED_S` seconds instead of all its time: calls that hang make room, and calls that are
answered, as nearly all are at once, notice nothing.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

HURRIED_S = 1.0
"""Seconds that a call has from its place in a lane on while others wait for one."""


class Lane:
    """A number of places. ``most``: how many, 0 for any number."""

    def __init__(self, most: int, hurries: bool) -> None:
        self._places = asyncio.Semaphore(most) if most else None
        self._hurries = hurries
        self._calls: set[asyncio.Timeout] = set()
        self._unhurried: dict[asyncio.Timeout, float] = {}
        self._waiting = 0

    @property
    def is_unused(self) -> bool:
        """Whether nobody has or wants a place."""
        return not self._calls and not self._waiting

    @property
    def under_way(self) -> int:
        """Calls that have a place."""
        return len(self._calls)

    @asynccontextmanager
    async def place(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Have a place while the block runs; ``deadline``: the call's, which may be moved up."""
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
        """Leave the calls that have a place less time; each is asked once."""
        for call, began in self._unhurried.items():
            until, present = began + HURRIED_S, call.when()
            if not call.expired() and (present is None or until < present):
                call.reschedule(until)
        self._unhurried.clear()


class Lanes:
    """The lanes of one kind of bound, by whom or what it counts."""

    def __init__(self, most: int, *, hurries: bool = True) -> None:
        self._most = most
        self._hurries = hurries
        self._lanes: dict[str, Lane] = {}

    def __len__(self) -> int:
        return len(self._lanes)

    def under_way(self, key: str) -> int:
        """Calls that have a place in a lane."""
        lane = self._lanes.get(key)
        return lane.under_way if lane else 0

    @asynccontextmanager
    async def place(self, key: str, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Have a place in the lane of a key while the block runs."""
        lane = self._lanes.get(key) or Lane(self._most, self._hurries)
        self._lanes[key] = lane
        try:
            async with lane.place(deadline):
                yield
        finally:
            if lane.is_unused:
                self._lanes.pop(key, None)
