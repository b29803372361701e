"""Renders pictures in separate processes, one of each kind at a time, and caches them."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

from cachetools import LRUCache

from service.common.log_safety import logger
from service.http.problems import Fault
from service.media.pictures.fonts import Lettering
from service.media.pictures.render_job import Order
from service.media.pictures.render_processes import CannotDraw, Drawers

log = logger()

_KEPT = 48 * 1024 * 1024
"""Maximum size of the cache in bytes."""
_WAITING = 32
"""Maximum number of pictures being drawn or waiting to be."""


class Renderer:
    """Renders and caches pictures; concurrent requests for a picture share one rendering.

    ``fonts``: fonts in addition to the shipped ones. ``kept``: size of the cache in bytes.
    ``waiting``: maximum number of pictures being drawn or waiting to be.
    """

    def __init__(
        self, fonts: Sequence[Path] = (), kept: int = _KEPT, waiting: int = _WAITING
    ) -> None:
        self._words = Lettering(fonts)
        self._drawers = Drawers(fonts)
        self._waiting = waiting
        self._kept: LRUCache[Hashable, bytes] = LRUCache(kept, getsizeof=len)
        self._coming: dict[Hashable, asyncio.Task[bytes]] = {}
        # One per kind: a still need not wait for the animation of a whole match.
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def render(self, kind: str, key: Hashable, make: Callable[..., Order]) -> bytes:
        """Return the picture of a key, cached or rendered.

        ``make(shown=...)`` returns what to draw and is called only if it must be drawn; ``shown``
        replaces names that the fonts cannot show. Raises `Fault` 429 ``too_many_requests`` when too
        many are waiting, 503 ``no_picture`` when it cannot be drawn.
        """
        known = self._kept.get((kind, key))
        if known is not None:
            return known
        task = self._coming.get((kind, key))
        if task is None:
            if len(self._coming) >= self._waiting:
                headers = {"Retry-After": "5"}
                raise Fault(429, "too_many_requests", "Too many pictures at once.", headers)
            task = asyncio.create_task(self._draw(kind, key, make))
            self._coming[kind, key] = task
        return await asyncio.shield(task)

    async def _draw(self, kind: str, key: Hashable, make: Callable[..., Order]) -> bytes:
        try:
            async with self._slots.setdefault(kind, asyncio.Semaphore(1)):
                made = await self._made(make)
        finally:
            del self._coming[kind, key]
        if len(made) <= self._kept.maxsize:
            self._kept[kind, key] = made
        return made

    async def _made(self, make: Callable[..., Order]) -> bytes:
        order = await asyncio.to_thread(make, shown=self._words.drawable)
        try:
            return await self._drawers.draw(order)
        except CannotDraw as problem:
            log.error("a picture (%s) was not drawn: %s", order.kind, problem)
            headers = {"Retry-After": "60"}
            raise Fault(503, "no_picture", "This picture cannot be drawn now.", headers) from None

    async def aclose(self) -> None:
        """End the processes."""
        await self._drawers.aclose()
