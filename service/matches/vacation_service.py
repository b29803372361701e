"""Vacations, which stop and later restart a player's clocks in all of the player's matches.

A vacation is stored first (`service.players.vacations`) and then applied to the matches one by one.
If the process ends in between, the scheduler finds the stored vacation and applies it again;
applying it twice to a match has no effect.
"""

import asyncio
import logging
from dataclasses import dataclass, field

from projections.read_models import Position, ReadModels
from projections.runner import Projector
from service.common.clock import now_ms
from service.matches.automatic_actions import AutomaticActions
from service.matches.match_writer import ActionResult
from service.players.identity import Player
from service.players.vacations import Vacation, VacationBalance, VacationLedger

log = logging.getLogger("caravanserai")

_MATCHES_PER_QUERY = 100


@dataclass(kw_only=True, eq=False)
class VacationService:
    """Service that begins and ends vacations and applies them to matches."""

    ledger: VacationLedger
    actions: AutomaticActions
    projector: Projector
    read_models: ReadModels
    _must_reapply: bool = field(default=True, init=False)

    async def balance(self, player: Player, now: int) -> VacationBalance:
        """Return the player's remaining vacation this year and current vacation, if any.

        ``now``: milliseconds since 1970 UTC.
        """
        return await asyncio.to_thread(self.ledger.balance, player.id, now)

    async def begin_vacation(self, player: Player) -> None:
        """Begin a vacation of the player; raises `ApiProblem` 409 ``no_days_left``."""
        vacation = await asyncio.to_thread(self.ledger.start, player.id, now_ms())
        await self._apply_to_matches(vacation)

    async def end_vacation(self, player: Player) -> None:
        """End the player's vacation, if there is one."""
        ended = await asyncio.to_thread(self.ledger.stop, player.id, now_ms())
        if ended is not None:
            await self._apply_to_matches(ended)

    async def apply_to_match(self, result: ActionResult, player: Player) -> None:
        """Apply a player's current vacation to a match that the player has just joined.

        Does nothing if the player is not on vacation or the match has no time control.
        """
        if result.timeline.latest.opened.pace is None:
            return
        vacation = await asyncio.to_thread(self.ledger.current_vacation, player.id)
        if vacation is not None:
            await self.actions.set_vacation(result.match_id, player.id, True, now_ms())

    async def tick(self) -> None:
        """End vacations whose days are used up, and apply those not yet applied to all matches.

        The first call of a process applies all current vacations again.
        """
        if self._must_reapply:
            await asyncio.to_thread(self.ledger.mark_all_unapplied)
            self._must_reapply = False
        for vacation in await asyncio.to_thread(self.ledger.list_unapplied, now_ms()):
            await self._apply_to_matches(vacation)

    async def _apply_to_matches(self, vacation: Vacation) -> None:
        away = vacation.ended is None
        at = vacation.began_ms if vacation.ended is None else vacation.ended
        failed = False
        for match in await asyncio.to_thread(self._unfinished_matches, vacation.player):
            try:
                await self.actions.set_vacation(match, vacation.player, away, at)
            except Exception as error:
                # Continue with the other matches; the scheduler tries again.
                log.error("vacation: %s: %s", match, type(error).__name__, extra={"match": match})
                failed = True
        if not failed:
            await asyncio.to_thread(self.ledger.mark_applied, vacation)

    def _unfinished_matches(self, player: str) -> list[str]:
        """Return the ids of the player's unfinished matches; blocks on the database."""
        self.projector.catch_up()
        found = []
        for status in ("open", "playing"):
            before: Position | None = None
            while True:
                some = self.read_models.player_matches(player, status, before, _MATCHES_PER_QUERY)
                found += [summary.id for summary in some]
                if len(some) < _MATCHES_PER_QUERY:
                    break
                before = (some[-1].updated, some[-1].id)
        return found
