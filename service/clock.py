"""Time limits: does for a seat what the game says when its time is over.

Deadlines are part of the read models, so they survive a restart; several workers may look after
them at once, because the store lets only one of them write.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from projections.views import Views
from service.play import Play, clock
from service.tables import Tables

log = logging.getLogger("caravanserai")


class Clock:
    """Looks every ``pause`` seconds for matches that wait too long."""

    def __init__(self, play: Play, tables: Tables, views: Views, pause: float = 1.0) -> None:
        self._play = play
        self._tables = tables
        self._views = views
        self._pause = pause

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Looks after the deadlines while the block runs."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            try:
                await self._tick()
            except Exception as error:
                log.error("clock: %s", type(error).__name__)

    async def _tick(self) -> None:
        for match_id in await asyncio.to_thread(self._views.due, clock()):
            table = await self._tables.find(UUID(match_id), fresh=True)
            if table is not None:
                await self._play.nudge(table)
