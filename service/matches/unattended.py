"""What is done at tables for people who are not there: vacations, and plans that fit."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from domain.answers.viewing import held_seats
from domain.draws import seeded
from domain.match import ComeBack, GoAway, Timeline
from service.base.now import clock
from service.matches.commits import TRIES, Commits, Done
from service.matches.problems import version_conflict
from service.matches.receipts import Idempotency
from service.matches.seating import seat_is_away, seats_on_vacation
from service.matches.tables import Table
from service.notices.told import PlanPlayed
from service.players.identity import Player
from service.store import Taken


async def _nothing(_player: Player) -> None:
    """Until vacations are known."""


class Unattended(Commits):
    """The actions. ``on_return(player)`` is called after a player on vacation has made a move."""

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
        """Carries out a move of a person, which ends their vacation: the clock of the seat runs
        again before the move, and those at their other tables right after it."""
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
        """Plays what a player's seat has laid down for a version; False when the match has moved
        on.

        Raises `IllegalMove` or `Refused`; then none of it counts.
        """
        async with table.lock:
            timeline = table.timeline
            if timeline.version != plan.version or plan.seat not in held_seats(timeline, player):
                return False
            twin = timeline.branch()
            twin.play(plan.seat, commands, clock(), seeded)
            try:
                await self._commit(table, timeline, twin, plan.seat, None, plan)
            except Taken:
                await self._tables.catch_up(table)
                return False
            return True

    async def vacation(self, match_id: str, player: str, away: bool, at: int) -> None:
        """Stops the player's clocks in a match from ``at`` on, or lets them run again."""
        table = await self._tables.find(uuid.UUID(match_id), fresh=True)
        if table is None:
            return
        async with table.lock:
            for _ in range(TRIES):
                timeline = table.timeline
                twin = timeline.branch()
                # Whose time was over before is not on time by going away.
                twin.play(None, [], at, seeded)
                for seat in seats_on_vacation(twin, player, not away):
                    twin.play(seat, [GoAway() if away else ComeBack()], at, seeded)
                if twin.version == timeline.version:
                    return
                try:
                    await self._commit(table, timeline, twin, 0, None)
                    return
                except Taken:
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)
