"""Renders pictures in separate processes, one of each kind at a time, and caches them."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

from cachetools import LRUCache

from service.common.log_safety import service_logger
from service.http.problems import ApiProblem
from service.media.pictures.fonts import FontSet
from service.media.pictures.render_job import RenderJob
from service.media.pictures.render_processes import RenderFailed, RenderPool

log = service_logger()

_MAX_CACHE_BYTES = 48 * 1024 * 1024
"""Maximum size of the cache in bytes."""
_MAX_WAITING = 32
"""Maximum number of pictures being drawn or waiting to be."""


class PictureCache:
    """Renders and caches pictures; concurrent requests for a picture share one rendering.

    ``fonts``: fonts in addition to the shipped ones. ``cache_bytes``: size of the cache in bytes.
    ``max_waiting``: maximum number of pictures being drawn or waiting to be.
    """

    def __init__(
        self,
        fonts: Sequence[Path] = (),
        cache_bytes: int = _MAX_CACHE_BYTES,
        max_waiting: int = _MAX_WAITING,
    ) -> None:
        self._fonts = FontSet(fonts)
        self._processes = RenderPool(fonts)
        self._max_waiting = max_waiting
        self._cache: LRUCache[Hashable, bytes] = LRUCache(cache_bytes, getsizeof=len)
        self._pending: dict[Hashable, asyncio.Task[bytes]] = {}
        # One per kind, so that a still need not wait for the animation of a whole match.
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def render(self, kind: str, key: Hashable, make_job: Callable[..., RenderJob]) -> bytes:
        """Return the picture of a key, cached or rendered.

        ``make_job(replace_name=...)`` returns what to draw and is called only if it must be drawn;
        ``replace_name`` replaces names that the fonts cannot show. Raises `ApiProblem` 429
        ``too_many_requests`` when too many are waiting, 503 ``no_picture`` when it cannot be drawn.
        """
        known = self._cache.get((kind, key))
        if known is not None:
            return known
        task = self._pending.get((kind, key))
        if task is None:
            if len(self._pending) >= self._max_waiting:
                headers = {"Retry-After": "5"}
                raise ApiProblem(429, "too_many_requests", "Too many pictures at once.", headers)
            task = asyncio.create_task(self._render_in_turn(kind, key, make_job))
            self._pending[kind, key] = task
        return await asyncio.shield(task)

    async def _render_in_turn(
        self, kind: str, key: Hashable, make_job: Callable[..., RenderJob]
    ) -> bytes:
        try:
            async with self._slots.setdefault(kind, asyncio.Semaphore(1)):
                made = await self._render_job(make_job)
        finally:
            del self._pending[kind, key]
        if len(made) <= self._cache.maxsize:
            self._cache[kind, key] = made
        return made

    async def _render_job(self, make_job: Callable[..., RenderJob]) -> bytes:
        order = await asyncio.to_thread(make_job, replace_name=self._fonts.supported_text)
        try:
            return await self._processes.render(order)
        except RenderFailed as problem:
            log.error("a picture (%s) was not drawn: %s", order.kind, problem)
            headers = {"Retry-After": "60"}
            raise ApiProblem(
                503, "no_picture", "This picture cannot be drawn now.", headers
            ) from None

    async def aclose(self) -> None:
        """End the processes."""
        await self._processes.aclose()
