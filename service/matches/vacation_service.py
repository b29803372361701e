"""Vacations in matches: stopping and restarting a player's clocks in all their matches.

The vacation is stored first (`service.players.vacations`) and then applied to the matches one by
one. If the process ends in between, the scheduler finds the stored vacation and applies it again;
applying it to a match twice has no effect.
"""

import asyncio
import logging

from projections.read_models import Position, ReadModels
from projections.runner import Projector
from service.common.clock import clock
from service.matches.actions import Play
from service.matches.match_writer import Done
from service.players.identity import Player
from service.players.vacations import Balance, Vacation, Vacations

log = logging.getLogger("caravanserai")

_PAGE = 100


class Absences:
    """Begins and ends vacations and applies them to matches."""

    def __init__(
        self, vacations: Vacations, play: Play, projector: Projector, views: ReadModels
    ) -> None:
        self._vacations = vacations
        self._play = play
        self._projector = projector
        self._views = views
        self._again = True

    @property
    def days(self) -> int:
        """Days of vacation in each year."""
        return self._vacations.days

    async def balance(self, player: Player, now: int) -> Balance:
        """Return the player's remaining vacation of this year and their present vacation."""
        return await asyncio.to_thread(self._vacations.balance, player.id, now)

    async def go(self, player: Player) -> None:
        """Begin a vacation of the player; raises `Fault` 409 ``no_days_left``."""
        vacation = await asyncio.to_thread(self._vacations.start, player.id, clock())
        await self._tell(vacation)

    async def come(self, player: Player) -> None:
        """End the player's vacation, if there is one."""
        ended = await asyncio.to_thread(self._vacations.stop, player.id, clock())
        if ended is not None:
            await self._tell(ended)

    async def sat_down(self, done: Done, player: Player) -> None:
        """Apply a present vacation of a player to a match they have just joined."""
        if done.timeline.latest.opened.pace is None:
            return
        vacation = await asyncio.to_thread(self._vacations.present, player.id)
        if vacation is not None:
            await self._play.vacation(done.match_id, player.id, True, clock())

    async def look(self) -> None:
        """End vacations whose days are used up, and apply vacations not applied to all matches."""
        if self._again:
            await asyncio.to_thread(self._vacations.tell_again)
            self._again = False
        for vacation in await asyncio.to_thread(self._vacations.untold, clock()):
            await self._tell(vacation)

    async def _tell(self, vacation: Vacation) -> None:
        away = vacation.ended is None
        at = vacation.began if vacation.ended is None else vacation.ended
        failed = False
        for match in await asyncio.to_thread(self._matches, vacation.player):
            try:
                await self._play.vacation(match, vacation.player, away, at)
            except Exception as error:
                # Continue with the other matches; the scheduler tries again.
                log.error("vacation: %s: %s", match, type(error).__name__, extra={"match": match})
                failed = True
        if not failed:
            await asyncio.to_thread(self._vacations.told, vacation)

    def _matches(self, player: str) -> list[str]:
        """Return the ids of the player's matches that are not finished."""
        self._projector.catch_up()
        found = []
        for status in ("open", "playing"):
            before: Position | None = None
            while True:
                some = self._views.player_matches(player, status, before, _PAGE)
                found += [summary.id for summary in some]
                if len(some) < _PAGE:
                    break
                before = (some[-1].updated, some[-1].id)
        return found
