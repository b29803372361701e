"""Actions on matches without a request: time limits, vacations, and plans (conditional moves)."""

import uuid
from collections.abc import Sequence
from typing import Any

from domain.match.commands import ComeBack, GoAway
from domain.match.deadlines import end_expired_phase, phase_deadline
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.matches.bot_runner import BotRunner
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.match_writer import ActionResult, MatchWriter
from service.matches.seating import seats_on_vacation
from service.notifications.triggers import PlanPlayed


class AutomaticActions:
    """The actions of the service itself, on behalf of absent players and as time passes."""

    def __init__(self, *, writer: MatchWriter, matches: MatchCache, bots: BotRunner) -> None:
        self._writer = writer
        self._matches = matches
        self._bots = bots

    async def advance(self, match: LoadedMatch) -> bool:
        """Restart stopped bots, and record expired time limits of seats and of the phase.

        Returns False if there was nothing to do; the scheduler then waits longer. Raises
        `ApiProblem` 409 ``version_conflict`` after `MAX_ATTEMPTS` conflicts with other workers.
        """
        moved = await self._record_time_outs(match)
        bots_started = self._bots.can_start(match, match.timeline)
        self._bots.start(match)
        return moved or bots_started

    async def _record_time_outs(self, match: LoadedMatch) -> bool:
        """Record time-outs of seats, and play the game's own commands if a phase has expired.

        Returns whether this worker has recorded anything.
        """

        async def attempt(timeline: Timeline) -> ActionResult | None:
            if is_for_review(timeline):
                return None
            branch = timeline.branch()
            now = now_ms()
            # Record all time-outs up to now before anything else.
            branch.play(None, [], now, draws_from_seed)
            if (deadline := phase_deadline(branch)) is not None and deadline <= now:
                end_expired_phase(branch, now, draws_from_seed)
            if branch.version == timeline.version:
                return None
            return await self._writer.save_branch(match, timeline, branch, 0)

        return await self._writer.retry_on_conflict(match, attempt, fresh=True) is not None

    async def play_plan(
        self, match: LoadedMatch, plan: PlanPlayed, player: str, commands: Sequence[Any]
    ) -> bool:
        """Play the commands of a plan; return whether they were played.

        They are not played if the match is no longer at ``plan.version`` or the player no longer
        holds the seat. Raises `IllegalMove` or `Refused` without saving anything.
        """

        async def attempt(timeline: Timeline) -> ActionResult | None:
            if timeline.version != plan.version or plan.seat not in held_seats(timeline, player):
                return None
            branch = timeline.branch()
            branch.play(plan.seat, commands, now_ms(), draws_from_seed)
            return await self._writer.save_branch(
                match, timeline, branch, plan.seat, plan_played=plan
            )

        return await self._writer.retry_on_conflict(match, attempt) is not None

    async def set_vacation(self, match_id: str, player: str, is_away: bool, at_ms: int) -> None:
        """Stop a player's clocks in a match, or restart them.

        ``is_away``: whether to stop them; ``at_ms``: the time of this, in milliseconds since 1970
        UTC. Does nothing if there is no such match. Raises `ApiProblem` 409 ``version_conflict``
        after `MAX_ATTEMPTS` conflicts with other writers.
        """
        match = await self._matches.find(uuid.UUID(match_id), fresh=True)
        if match is None:
            return
        loaded = match

        async def attempt(timeline: Timeline) -> ActionResult | None:
            branch = timeline.branch()
            # Record earlier time-outs first, because a vacation does not undo them.
            branch.play(None, [], at_ms, draws_from_seed)
            for seat in seats_on_vacation(branch, player, not is_away):
                branch.play(seat, [GoAway() if is_away else ComeBack()], at_ms, draws_from_seed)
            if branch.version == timeline.version:
                return None
            return await self._writer.save_branch(loaded, timeline, branch, 0)

        await self._writer.retry_on_conflict(match, attempt)
