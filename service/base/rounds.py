"""One look for everybody who asks at the same time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

_A = TypeVar("_A")
_T = TypeVar("_T")


class Rounds(Generic[_A, _T]):
    """Calls ``look`` with what several have asked for, one round after the other.

    A round that is under way may have looked too early for who asks now, so they wait for the
    next one, together with all who ask until it begins. What a round raises, all of them get.
    ``pause``: seconds for which more may join after a round that found something, so that many
    who ask one after the other do not each cost a round.
    """

    def __init__(self, look: Callable[[set[_A]], Awaitable[_T]], pause: float = 0.0) -> None:
        self._look = look
        self._pause = pause
        self._found_at = -pause
        self._asked: set[_A] = set()
        self._now: asyncio.Task[_T] | None = None
        self._next: asyncio.Task[_T] | None = None

    async def ask(self, what: _A) -> _T:
        """What the next round finds."""
        self._asked.add(what)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._round(self._now))
        # Who goes away meanwhile does not take the round from the others.
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
