"""Scheduler: acts because time passes.

It records seats whose time has run out, plays the game's own commands when a phase is over, sends
reminders, ends vacations whose days are used up, plays plans that fit, and deletes old receipts of
requests. Deadlines are part of the read models, so they survive a restart. Several workers may run
schedulers at once, because the store lets only one of them write.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID

from domain.match.deadlines import due_at, seat_reminders
from projections.read_models import ReadModels
from service.common.clock import clock
from service.matches.actions import Play
from service.matches.match_cache import Table, Tables
from service.matches.plans import Plans
from service.matches.vacation_service import Absences
from service.notifications.triggers import Notice, turn_of

log = logging.getLogger("caravanserai")

Tell = Callable[[Notice], Awaitable[None]]
Look = Callable[[], Awaitable[None]]

_DAY = 86_400_000
_PRUNING = 60
"""Ticks between two searches for old receipts."""


REST = 3_600_000
"""Milliseconds after which a match is looked at again at the same version, if nothing was to do."""
RETRY = 60_000
"""The same, in milliseconds, after an error, or after a change that the read models may not have
yet."""


class Clock:
    """The scheduler of one worker; it ticks every ``pause`` seconds.

    ``tell`` sends a reminder to a player with little time left; ``remind_early`` reminds those
    whose quiet hours are about to begin. ``receipt_days``: how long receipts of requests are kept.
    """

    def __init__(
        self,
        play: Play,
        absences: Absences,
        plans: Plans,
        tell: Tell,
        tables: Tables,
        views: ReadModels,
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
        """Run the scheduler while the block runs."""
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
        """Do everything that is due now."""
        # First, so that nobody who left for a vacation before a deadline misses it.
        await self._absences.look()
        await self._plans.look()
        found = await asyncio.to_thread(self._views.due_matches, clock())
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
        """Do what is due in a match; return when to look again at the same version.

        ``now`` and the result are milliseconds since 1970 UTC. Errors are logged and retried after
        `RETRY`, so that other matches go on.
        """
        try:
            table = await self._tables.find(UUID(match_id), fresh=True)
            if table is None:
                return now + REST
            over = due_at(table.timeline)
            if over is not None and over > now:
                await self._remind(table, now)
                return min([over, *self._reminders_after(table, now)])
            return now + (RETRY if await self._play.nudge(table) else REST)
        except Exception as error:
            log.error("clock: %s: %s", match_id, type(error).__name__, extra={"match": match_id})
            return now + RETRY

    @staticmethod
    def _reminders_after(table: Table, now: int) -> list[int]:
        return [at for at in seat_reminders(table.timeline) if at is not None and at > now]

    async def _remind(self, table: Table, now: int) -> None:
        """Send the reminders that are due; each is about one turn and is sent once for it."""
        moment = table.timeline.latest
        for seat, at in enumerate(seat_reminders(table.timeline)):
            player = moment.seats[seat].player
            if at is not None and at <= now and player is not None:
                turn = turn_of(moment, seat)
                await self._tell(Notice(player, table.id, "reminder", turn, moment.version))
