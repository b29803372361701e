"""Rendering of pictures in separate processes, one at a time of each kind, with a cache."""

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
"""Default size of the cache in bytes."""
_MAX_WAITING = 32
"""Default maximum number of pictures being rendered or waiting to be rendered."""


class PictureCache:
    """A cache of pictures that renders missing ones; concurrent requests share one rendering.

    ``fonts``: fonts in addition to the shipped ones; ``cache_bytes``: the size of the cache in
    bytes; ``max_waiting``: the maximum number of pictures being rendered or waiting to be rendered.
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
        # One semaphore per kind, so that a still need not wait for a long animation.
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def render(self, kind: str, key: Hashable, make_job: Callable[..., RenderJob]) -> bytes:
        """Return a picture from the cache, rendering it if necessary.

        ``kind``: the kind of the job, "png" or "gif"; ``key``: identifies the picture among those
        of its kind. ``make_job(replace_name=...)`` returns the job and is called in a thread if the
        picture is not cached; its argument replaces names that the fonts cannot show. Raises
        `ApiProblem` 429 ``too_many_requests`` if too many pictures are waiting, and 503
        ``no_picture`` if rendering fails.
        """
        known = self._cache.get((kind, key))
        if known is not None:
            return known
        task = self._pending.get((kind, key))
        if task is None:
            if len(self._pending) >= self._max_waiting:
                headers = {"Retry-After": "5"}
                raise ApiProblem(429, "too_many_requests", "error.too_many_pictures", headers)
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
            raise ApiProblem(503, "no_picture", "error.no_picture", headers) from None

    async def aclose(self) -> None:
        """Stop the rendering processes."""
        await self._processes.aclose()
