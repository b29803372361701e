"""Coalescing of concurrent queries into one."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

_A = TypeVar("_A")
_T = TypeVar("_T")


class Rounds(Generic[_A, _T]):
    """Runs ``look`` for a set of keys collected from several callers, one run after another.

    A run in progress may have read too early for a new caller, so new callers wait for the next
    one, together with all who ask before it begins. An exception of a run is raised for all of its
    callers. ``pause``: seconds for which more callers may join after a run that found something, so
    that many in a row do not each cost a run.
    """

    def __init__(self, look: Callable[[set[_A]], Awaitable[_T]], pause: float = 0.0) -> None:
        self._look = look
        self._pause = pause
        self._found_at = -pause
        self._asked: set[_A] = set()
        self._now: asyncio.Task[_T] | None = None
        self._next: asyncio.Task[_T] | None = None

    async def ask(self, what: _A) -> _T:
        """Return the result of the next run, which includes ``what``."""
        self._asked.add(what)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._round(self._now))
        # A caller that is cancelled must not cancel the run for the others.
        return await asyncio.shield(self._next)

    async def _round(self, before: "asyncio.Task[_T] | None") -> _T:
        if before is not None:
            await asyncio.wait([before])
        left = self._found_at + self._pause - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
        self._now, self._next = self._next, None
        asked, self._asked = self._asked, set()
        found = await self._look(asked)
        if found:
            self._found_at = time.monotonic()
        return found
