"""Match actions on behalf of absent players: vacations, and plans that fit."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from domain.match import ComeBack, GoAway, Timeline
from domain.presentation.viewpoint import held_seats
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import clock
from service.matches.idempotency import Idempotency
from service.matches.match_cache import Table
from service.matches.match_writer import TRIES, Commits, Done
from service.matches.problems import version_conflict
from service.matches.seating import seat_is_away, seats_on_vacation
from service.notifications.triggers import PlanPlayed
from service.players.identity import Player
from service.store import Taken


async def _nothing(_player: Player) -> None:
    """Do nothing; the default of `Unattended.on_return`."""


class Unattended(Commits):
    """Actions for absent players; ``on_return(player)`` is called after a move ended a vacation."""

    on_return: Callable[[Player], Awaitable[None]] = staticmethod(_nothing)

    async def _act_in_person(
        self,
        table: Table,
        player: Player,
        seat: int,
        expected: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        repeat: Idempotency | None,
        *,
        parallel: bool = False,
    ) -> Done:
        """Execute commands of a person, which end their vacation.

        The clock of the seat is restarted before the commands, those in their other matches right
        after them. Parameters as of `_act`.
        """
        returns = False

        def as_present(timeline: Timeline) -> list[Any]:
            nonlocal returns
            returns = seat_is_away(timeline, seat)
            return [*([ComeBack()] if returns else ()), *commands(timeline)]

        done = await self._act(table, player, seat, expected, as_present, repeat, parallel=parallel)
        if returns:
            await self.on_return(player)
        return done

    async def by_plan(
        self, table: Table, plan: PlanPlayed, player: str, commands: Sequence[Any]
    ) -> bool:
        """Play the commands of a plan; return False when the match is no longer at its version.

        Also False when the player no longer holds the seat. Raises `IllegalMove` or `Refused`, and
        then nothing is saved.
        """
        async with table.lock:
            timeline = table.timeline
            if timeline.version != plan.version or plan.seat not in held_seats(timeline, player):
                return False
            twin = timeline.branch()
            twin.play(plan.seat, commands, clock(), draws_from_seed)
            try:
                await self._commit(table, timeline, twin, plan.seat, None, plan)
            except Taken:
                await self._tables.catch_up(table)
                return False
            return True

    async def vacation(self, match_id: str, player: str, away: bool, at: int) -> None:
        """Stop a player's clocks in a match, or restart them; ``at``: ms since 1970 UTC."""
        table = await self._tables.find(uuid.UUID(match_id), fresh=True)
        if table is None:
            return
        async with table.lock:
            for _ in range(TRIES):
                timeline = table.timeline
                twin = timeline.branch()
                # Record earlier time-outs first: a vacation does not undo them.
                twin.play(None, [], at, draws_from_seed)
                for seat in seats_on_vacation(twin, player, not away):
                    twin.play(seat, [GoAway() if away else ComeBack()], at, draws_from_seed)
                if twin.version == timeline.version:
                    return
                try:
                    await self._commit(table, timeline, twin, 0, None)
                    return
                except Taken:
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)
