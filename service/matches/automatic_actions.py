"""Match actions on behalf of absent players: vacations and plans (conditional moves)."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from domain.match import ComeBack, GoAway, Timeline
from domain.presentation.viewpoint import held_seats
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import MAX_ATTEMPTS, ActionResult, MatchWriter
from service.matches.problems import version_conflict
from service.matches.seating import is_on_vacation, seats_on_vacation
from service.notifications.triggers import PlanPlayed
from service.players.identity import Player
from service.store import VersionConflict


async def _ignore_return(_player: Player) -> None:
    """Do nothing; the default of `AutomaticActions.on_return`."""


class AutomaticActions(MatchWriter):
    """Actions for absent players.

    ``on_return(player)`` is called after a move that ended the player's vacation in a match.
    """

    on_return: Callable[[Player], Awaitable[None]] = staticmethod(_ignore_return)

    async def _run_personal_action(
        self,
        match: LoadedMatch,
        player: Player,
        seat: int,
        expected_version: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        fingerprint: RequestFingerprint | None,
        *,
        allow_parallel: bool = False,
    ) -> ActionResult:
        """Execute commands of a player and end the player's vacation, if there is one.

        The clock of the seat is restarted before the commands, the clocks in the player's other
        matches right after them. Parameters and errors as in `run_action`.
        """
        returns = False

        def as_present(timeline: Timeline) -> list[Any]:
            nonlocal returns
            returns = is_on_vacation(timeline, seat)
            return [*([ComeBack()] if returns else ()), *commands(timeline)]

        done = await self.run_action(
            match,
            player,
            seat,
            expected_version,
            as_present,
            fingerprint,
            allow_parallel=allow_parallel,
        )
        if returns:
            await self.on_return(player)
        return done

    async def play_plan(
        self, match: LoadedMatch, plan: PlanPlayed, player: str, commands: Sequence[Any]
    ) -> bool:
        """Play the commands of a plan; return whether they were played.

        They are not played if the match is no longer at ``plan.version`` or the player no longer
        holds the seat. Raises `IllegalMove` or `Refused` without saving anything.
        """
        async with match.lock:
            timeline = match.timeline
            if timeline.version != plan.version or plan.seat not in held_seats(timeline, player):
                return False
            branch = timeline.branch()
            branch.play(plan.seat, commands, now_ms(), draws_from_seed)
            try:
                await self._save_branch(match, timeline, branch, plan.seat, None, plan)
            except VersionConflict:
                await self._matches.catch_up(match)
                return False
            return True

    async def set_vacation(self, match_id: str, player: str, is_away: bool, at_ms: int) -> None:
        """Stop a player's clocks in a match, or restart them.

        ``is_away``: whether to stop them; ``at_ms``: the time of this, in milliseconds since 1970
        UTC. Does nothing if there is no such match. Raises `ApiProblem` 409 ``version_conflict``
        after `MAX_ATTEMPTS` conflicts with other writers.
        """
        table = await self._matches.find(uuid.UUID(match_id), fresh=True)
        if table is None:
            return
        async with table.lock:
            for _ in range(MAX_ATTEMPTS):
                timeline = table.timeline
                branch = timeline.branch()
                # Record earlier time-outs first, because a vacation does not undo them.
                branch.play(None, [], at_ms, draws_from_seed)
                for seat in seats_on_vacation(branch, player, not is_away):
                    branch.play(seat, [GoAway() if is_away else ComeBack()], at_ms, draws_from_seed)
                if branch.version == timeline.version:
                    return
                try:
                    await self._save_branch(table, timeline, branch, 0, None)
                    return
                except VersionConflict:
                    await self._matches.catch_up(table)
        raise version_conflict(table.timeline.version)
