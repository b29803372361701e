"""Vacations at the tables: each match of who goes away is told, and of who comes back.

The vacation is noted first (`service.players.vacations`) and the matches are told afterwards, one
by one. Whoever dies in between leaves a note that the clock finds; to tell a match twice does
nothing.
"""

import asyncio
import logging

from projections.runner import Projector
from projections.views import Position, Views
from service.base.now import clock
from service.matches.commits import Done
from service.matches.play import Play
from service.players.identity import Player
from service.players.vacations import Balance, Vacation, Vacations

log = logging.getLogger("caravanserai")

_PAGE = 100


class Absences:
    """Lets people go and come back."""

    def __init__(
        self, vacations: Vacations, play: Play, projector: Projector, views: Views
    ) -> None:
        self._vacations = vacations
        self._play = play
        self._projector = projector
        self._views = views
        self._again = True

    @property
    def days(self) -> int:
        """Days of vacation in a year."""
        return self._vacations.days

    async def balance(self, player: Player, now: int) -> Balance:
        """What the player has left."""
        return await asyncio.to_thread(self._vacations.balance, player.id, now)

    async def go(self, player: Player) -> None:
        """The player goes on vacation; `Fault` 409 when no days are left."""
        vacation = await asyncio.to_thread(self._vacations.start, player.id, clock())
        await self._tell(vacation)

    async def come(self, player: Player) -> None:
        """The player is back."""
        ended = await asyncio.to_thread(self._vacations.stop, player.id, clock())
        if ended is not None:
            await self._tell(ended)

    async def sat_down(self, done: Done, player: Player) -> None:
        """Who is on vacation and sits down at a table is on vacation there too."""
        if done.timeline.now.opened.pace is None:
            return
        vacation = await asyncio.to_thread(self._vacations.present, player.id)
        if vacation is not None:
            await self._play.vacation(done.match_id, player.id, True, clock())

    async def look(self) -> None:
        """Ends vacations whose days are used up, and tells matches that were not told yet."""
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
                # The others go on; the clock tries again.
                log.error("vacation: %s: %s", match, type(error).__name__, extra={"match": match})
                failed = True
        if not failed:
            await asyncio.to_thread(self._vacations.told, vacation)

    def _matches(self, player: str) -> list[str]:
        """The player's matches that are not over."""
        self._projector.catch_up()
        found = []
        for status in ("open", "playing"):
            before: Position | None = None
            while True:
                some = self._views.of_player(player, status, before, _PAGE)
                found += [summary.id for summary in some]
                if len(some) < _PAGE:
                    break
                before = (some[-1].updated, some[-1].id)
        return found
