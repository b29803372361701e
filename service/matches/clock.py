"""What happens because time passes.

Time limits: notes that the time of a seat has run out, and does for a seat what the game says when
the time of a phase is over. Vacations: ends those whose days are used up. Plans: plays those
that fit. Deadlines are part of the
read models, so they survive a restart; several workers may look after them at once, because the
store lets only one of them write. And the receipts of repeated requests are forgotten when they
are old.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID

from domain.deadlines import due, reminders_of
from projections.views import Views
from service.base.now import clock
from service.matches.plans import Plans
from service.matches.play import Play
from service.matches.tables import Table, Tables
from service.matches.vacations import Absences
from service.notices.told import Notice, turn_of

log = logging.getLogger("caravanserai")

Tell = Callable[[Notice], Awaitable[None]]
Look = Callable[[], Awaitable[None]]

_DAY = 86_400_000
_PRUNING = 60
"""Looks between two searches for old receipts."""


REST = 3_600_000
"""Milliseconds after which a nudge that changed nothing is tried again at the same version."""
RETRY = 60_000
"""The same where it could not be tried, or where the lists have not seen yet what it changed."""


class Clock:
    """Looks every ``pause`` seconds for matches that wait too long.

    ``tell`` reminds who has little time left; ``remind_early`` those whose quiet hours are about to
    begin. ``receipt_days``: how long the receipts of repeated
    requests are kept.
    """

    def __init__(
        self,
        play: Play,
        absences: Absences,
        plans: Plans,
        tell: Tell,
        tables: Tables,
        views: Views,
        receipt_days: int,
        remind_early: Look,
        pause: float = 1.0,
    ) -> None:
        self._play = play
        self._absences = absences
        self._plans = plans
        self._tell = tell
        self._tables = tables
        self._views = views
        self._kept = receipt_days * _DAY
        self._remind_early = remind_early
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
                await self.tick()
            except Exception as error:
                log.error("clock: %s", type(error).__name__)

    async def tick(self) -> None:
        """One look."""
        # Who went away before a deadline must not be found to have missed it.
        await self._absences.look()
        await self._plans.look()
        found = await asyncio.to_thread(self._views.due, clock())
        now = clock()
        self._resting = {what: until for what, until in self._resting.items() if what in found}
        for match_id, version in found:
            if self._resting.get((match_id, version), now) > now:
                continue
            self._resting[match_id, version] = await self._see_to(match_id, now)
        await self._remind_early()
        if self._prunes_in:
            self._prunes_in -= 1
        elif not await self._play.forget_receipts(clock() - self._kept):
            self._prunes_in = _PRUNING

    async def _see_to(self, match_id: str, now: int) -> int:
        """Does what is due in a match; gives when to look at it again if it stays as it is.

        What cannot be done now is tried again; other matches go on.
        """
        try:
            table = await self._tables.find(UUID(match_id), fresh=True)
            if table is None:
                return now + REST
            over = due(table.timeline)
            if over is not None and over > now:
                await self._remind(table, now)
                return min([over, *self._reminders_after(table, now)])
            return now + (RETRY if await self._play.nudge(table) else REST)
        except Exception as error:
            log.error("clock: %s: %s", match_id, type(error).__name__, extra={"match": match_id})
            return now + RETRY

    @staticmethod
    def _reminders_after(table: Table, now: int) -> list[int]:
        return [at for at in reminders_of(table.timeline) if at is not None and at > now]

    async def _remind(self, table: Table, now: int) -> None:
        """Tells people whose time runs short; of one turn they hear once."""
        moment = table.timeline.now
        for seat, at in enumerate(reminders_of(table.timeline)):
            player = moment.seats[seat].player
            if at is not None and at <= now and player is not None:
                turn = turn_of(moment, seat)
                await self._tell(Notice(player, table.id, "reminder", turn, moment.version))
