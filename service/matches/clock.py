"""What happens because time passes.

Time limits: does for a seat what the game says when its time is over. Deadlines are part of the
read models, so they survive a restart; several workers may look after them at once, because the
store lets only one of them write. And the receipts of repeated requests are forgotten when they
are old.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from projections.views import Views
from service.base.now import clock
from service.matches.play import Play
from service.matches.tables import Tables

log = logging.getLogger("caravanserai")

_DAY = 86_400_000
_PRUNING = 60
"""Looks between two searches for old receipts."""


REST = 3_600_000
"""Milliseconds after which a nudge that changed nothing is tried again at the same version."""
RETRY = 60_000
"""The same where it could not be tried, or where the lists have not seen yet what it changed."""


class Clock:
    """Looks every ``pause`` seconds for matches that wait too long.

    ``receipt_days``: how long the receipts of repeated requests are kept.
    """

    def __init__(
        self, play: Play, tables: Tables, views: Views, receipt_days: int, pause: float = 1.0
    ) -> None:
        self._play = play
        self._tables = tables
        self._views = views
        self._kept = receipt_days * _DAY
        self._pause = pause
        self._prunes_in = 0
        self._resting: dict[tuple[str, int], int] = {}

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
        due = await asyncio.to_thread(self._views.due, clock())
        now = clock()
        self._resting = {what: until for what, until in self._resting.items() if what in due}
        for match_id, version in due:
            if self._resting.get((match_id, version), now) > now:
                continue
            moved = await self._nudge(match_id)
            self._resting[match_id, version] = now + (REST if moved is False else RETRY)
        if self._prunes_in:
            self._prunes_in -= 1
        elif not await self._play.forget_receipts(clock() - self._kept):
            self._prunes_in = _PRUNING

    async def _nudge(self, match_id: str) -> bool | None:
        """Whether that changed anything; None when it could not be tried. Others go on."""
        try:
            table = await self._tables.find(UUID(match_id), fresh=True)
            return table is not None and await self._play.nudge(table)
        except Exception as error:
            log.error("clock: %s: %s", match_id, type(error).__name__)
            return None
