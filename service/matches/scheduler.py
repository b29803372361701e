"""Scheduler of actions that become due as time passes.

It records time-outs of seats, plays the game's own commands when a phase expires, sends reminders,
ends vacations whose days are used up, plays plans that fit, restarts stopped bots, and deletes old
receipts of requests. Deadlines are part of the read models, so they survive a restart. Several
workers may run schedulers at once, because the store accepts each change only once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from uuid import UUID

from domain.match.deadlines import due_at, seat_reminders
from projections.read_models import ReadModels
from service.common.background import background_task
from service.common.clock import now_ms
from service.matches.automatic_actions import AutomaticActions
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.plans import PlanService
from service.matches.vacation_service import VacationService
from service.notifications.triggers import Notification, turn_number

log = logging.getLogger("caravanserai")

NotifyPlayer = Callable[[Notification], Awaitable[None]]
AsyncCallback = Callable[[], Awaitable[None]]

_DAY_MS = 86_400_000
_TICKS_PER_PRUNING = 60
"""Number of ticks between two searches for old receipts, once none are left."""


RECHECK_DELAY_MS = 3_600_000
"""Milliseconds until a match is checked again at the same version if nothing was to be done."""
RETRY_DELAY_MS = 60_000
"""Milliseconds until a match is checked again at the same version after an error, or after a change
that the read models may not show yet."""


@dataclass(kw_only=True, eq=False)
class Scheduler:
    """The scheduler of one worker; it ticks every ``interval_s`` seconds.

    ``notify`` sends a reminder to a player with little time left; ``remind_early`` reminds players
    whose quiet hours are about to begin. ``prune_receipts(before)`` deletes some receipts of
    requests made before ``before`` and returns their number; ``receipt_days``: days for which they
    are kept.
    """

    actions: AutomaticActions
    vacations: VacationService
    plans: PlanService
    matches: MatchCache
    read_models: ReadModels
    notify: NotifyPlayer
    remind_early: AsyncCallback
    prune_receipts: Callable[[int], Awaitable[int]]
    receipt_days: int
    interval_s: float = 1.0
    _ticks_to_pruning: int = field(default=0, init=False)
    _snoozed: dict[tuple[str, int], int] = field(default_factory=dict, init=False)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Run the scheduler while the block runs."""
        return background_task(self._run())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self.interval_s)
            try:
                await self.tick()
            except Exception as error:
                log.error("clock: %s", type(error).__name__)

    async def tick(self) -> None:
        """Do everything that is due at this time."""
        # Vacations come first, so that one begun before a deadline stops the clock in time.
        await self.vacations.tick()
        await self.plans.tick()
        found = await asyncio.to_thread(self.read_models.due_matches, now_ms())
        now = now_ms()
        self._snoozed = {what: until for what, until in self._snoozed.items() if what in found}
        for match_id, version in found:
            if self._snoozed.get((match_id, version), now) > now:
                continue
            self._snoozed[match_id, version] = await self._process_due(match_id, now)
        await self.remind_early()
        if self._ticks_to_pruning:
            self._ticks_to_pruning -= 1
        elif not await self.prune_receipts(now_ms() - self.receipt_days * _DAY_MS):
            self._ticks_to_pruning = _TICKS_PER_PRUNING

    async def _process_due(self, match_id: str, at_ms: int) -> int:
        """Do what is due in a match; return when to check it again at the same version.

        ``at_ms``: the current time; it and the result are in milliseconds since 1970 UTC. After an
        error, which is logged, the match is checked again after `RETRY_DELAY_MS`.
        """
        try:
            match = await self.matches.find(UUID(match_id), fresh=True)
            if match is None:
                return at_ms + RECHECK_DELAY_MS
            over = due_at(match.timeline)
            if over is not None and over > at_ms:
                await self._send_reminders(match, at_ms)
                reminders = seat_reminders(match.timeline)
                return min([over, *[at for at in reminders if at is not None and at > at_ms]])
            return at_ms + (
                RETRY_DELAY_MS if await self.actions.advance(match) else RECHECK_DELAY_MS
            )
        except Exception as error:
            log.error("clock: %s: %s", match_id, type(error).__name__, extra={"match": match_id})
            return at_ms + RETRY_DELAY_MS

    async def _send_reminders(self, match: LoadedMatch, now: int) -> None:
        """Send the reminders that are due.

        A reminder is for one turn; sending it again for the same turn has no effect.
        """
        moment = match.timeline.latest
        for seat, at in enumerate(seat_reminders(match.timeline)):
            player = moment.seats[seat].player
            if at is not None and at <= now and player is not None:
                turn = turn_number(moment, seat)
                await self.notify(Notification(player, match.id, "reminder", turn, moment.version))
