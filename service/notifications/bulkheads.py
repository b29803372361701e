"""Bulkheads: limits on concurrent outgoing calls, so that slow calls do not block others.

A call takes a slot in the bulkhead of its player, of its pool and, for webhooks, of its target.
While other calls wait for a slot of a pool or target, each call that holds one has its deadline
shortened to `CONTENDED_TIMEOUT_S` seconds after it got the slot. This ends hanging calls; the great
majority, which finish quickly, are not affected.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CONTENDED_TIMEOUT_S = 1.0
"""Maximum seconds for which a call may hold its slot while others wait for one."""


class Bulkhead:
    """A limited number of slots for concurrent calls.

    ``max_calls``: the number of slots, 0 for no limit; ``shortens_deadlines``: whether waiting
    calls shorten the deadlines of the calls that hold a slot.
    """

    def __init__(self, max_calls: int, shortens_deadlines: bool) -> None:
        self._slots = asyncio.Semaphore(max_calls) if max_calls else None
        self._shortens_deadlines = shortens_deadlines
        self._calls: set[asyncio.Timeout] = set()
        self._unshortened: dict[asyncio.Timeout, float] = {}
        self._waiting = 0

    @property
    def is_unused(self) -> bool:
        """Whether no call holds or waits for a slot."""
        return not self._calls and not self._waiting

    @asynccontextmanager
    async def slot(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Wait for a slot and hold it while the block runs.

        ``deadline``: the timeout of the call, which is shortened while other calls wait.
        """
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
        """Shorten the deadline of each call that holds a slot, unless that was done already."""
        for call, began in self._unshortened.items():
            deadline, current = began + CONTENDED_TIMEOUT_S, call.when()
            if not call.expired() and (current is None or deadline < current):
                call.reschedule(deadline)
        self._unshortened.clear()


class BulkheadRegistry:
    """Bulkheads that share one limit, one for each key (a player or a target).

    Unused ones are removed.
    """

    def __init__(self, max_calls: int, *, shortens_deadlines: bool = True) -> None:
        self._max_calls = max_calls
        self._shortens_deadlines = shortens_deadlines
        self._bulkheads: dict[str, Bulkhead] = {}

    @asynccontextmanager
    async def slot(self, key: str, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Wait for a slot in the bulkhead of a key and hold it while the block runs.

        ``deadline``: the timeout of the call, which may be shortened.
        """
        bulkhead = self._bulkheads.get(key) or Bulkhead(self._max_calls, self._shortens_deadlines)
        self._bulkheads[key] = bulkhead
        try:
            async with bulkhead.slot(deadline):
                yield
        finally:
            if bulkhead.is_unused:
                self._bulkheads.pop(key, None)
