"""Draws pictures away from the event loop, one of a kind at a time, and keeps them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable

from service.problems import Fault

_KEPT = 48 * 1024 * 1024
"""Bytes of pictures that are kept."""
_WAITING = 32
"""How many pictures may wait to be drawn."""


class Studio:
    """A picture is drawn once, however many ask for it at the same time."""

    def __init__(self, kept: int = _KEPT, waiting: int = _WAITING) -> None:
        self._most = kept
        self._waiting = waiting
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._coming: dict[Hashable, asyncio.Task[bytes]] = {}
        # a still need not wait until a whole match is animated
        self._benches: dict[str, asyncio.Semaphore] = {}

    async def picture(self, kind: str, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The picture of a key; ``make`` draws it if need be. `Fault` 429 when too many wait."""
        known = self._kept.get((kind, key))
        if known is not None:
            self._kept.move_to_end((kind, key))
            return known
        task = self._coming.get((kind, key))
        if task is None:
            if len(self._coming) >= self._waiting:
                headers = {"Retry-After": "5"}
                raise Fault(429, "too_many_requests", "Too many pictures at once.", headers)
            task = asyncio.create_task(self._draw(kind, key, make))
            self._coming[kind, key] = task
        return await asyncio.shield(task)

    async def _draw(self, kind: str, key: Hashable, make: Callable[[], bytes]) -> bytes:
        try:
            async with self._benches.setdefault(kind, asyncio.Semaphore(1)):
                made = await asyncio.to_thread(make)
        finally:
            del self._coming[kind, key]
        self._kept[kind, key] = made
        self._bytes += len(made)
        while self._bytes > self._most:
            _, old = self._kept.popitem(last=False)
            self._bytes -= len(old)
        return made
