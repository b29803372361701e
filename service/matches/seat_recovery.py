"""Match actions for the seats of players who have lost a device; see `domain.match.recovery`."""

from domain.match.commands import AnswerRecovery, AskRecovery, ObjectToRecovery, RecoverSeat
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.matches.decision_quota import check_seat_moves, quota_used_by_votes
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import ActionResult, Caller, MatchWriter
from service.matches.problems import imported_match_problem
from service.players.identity import Player


class SeatRecoveryActions:
    """Actions that move a seat to another device, or request, answer or stop such a move."""

    def __init__(self, *, writer: MatchWriter) -> None:
        self._writer = writer

    async def replay(self, fingerprint: RequestFingerprint | None) -> ActionResult | None:
        """Return the stored result of a repeated request, as `MatchWriter.replay` does."""
        return await self._writer.replay(fingerprint)

    async def move_seat(
        self, match: LoadedMatch, player: Player, seat: int, owner: str
    ) -> ActionResult | None:
        """Move a seat to the player ``player`` on another device; the PIN is checked before.

        ``owner``: the player id under which the PIN was chosen. Returns None if the seat no longer
        belongs to that person. Raises `ApiProblem` 409 ``imported``, ``too_many_moves`` or
        ``version_conflict``.
        """

        async def attempt(timeline: Timeline) -> ActionResult | None:
            if is_for_review(timeline):
                raise imported_match_problem()
            branch = timeline.branch()
            branch.play(None, [], now_ms(), draws_from_seed)  # End an expired request.
            holder = branch.latest.seats[seat].player
            if holder == player.id:
                return ActionResult(match.id, timeline, seat, timeline.version)
            if branch.latest.player_since(seat, owner) != holder:
                return None
            check_seat_moves(branch, seat)
            branch.play(seat, [RecoverSeat(player.id)], now_ms(), draws_from_seed)
            return await self._writer.save_branch(match, timeline, branch, seat)

        return await self._writer.retry_on_conflict(match, attempt)

    async def vote(
        self, caller: Caller, seat: int, command: AskRecovery | AnswerRecovery
    ) -> ActionResult:
        """Ask the other players to move a seat to its player's new device, or answer them.

        ``seat``: the seat whose holder asks or answers. Raises `ApiProblem` 409
        ``too_many_votes``.
        """
        used = await quota_used_by_votes(caller.match.timeline, caller.player.id)
        used.check_vote_quota()
        return await self._writer.run_action(caller, seat, lambda _: [command])

    async def object_to_recovery(self, caller: Caller, seat: int) -> ActionResult:
        """Object to an open request to move the player's own seat, which ends the request."""
        return await self._writer.run_action(caller, seat, lambda _: [ObjectToRecovery()])

    async def object_by_link(self, match: LoadedMatch, seat: int, version: int) -> bool:
        """End the request to move a seat that was made at a version; return False if it has ended.

        The link sent to the seat's player must have been checked before. Raises `ApiProblem` 409
        ``version_conflict`` after `MAX_ATTEMPTS` conflicts.
        """

        async def attempt(timeline: Timeline) -> ActionResult | None:
            branch = timeline.branch()
            branch.play(None, [], now_ms(), draws_from_seed)
            request = branch.latest.recovery
            if request is None or (request.about, request.version) != (seat, version):
                return None
            branch.play(seat, [ObjectToRecovery()], now_ms(), draws_from_seed)
            return await self._writer.save_branch(match, timeline, branch, seat)

        return await self._writer.retry_on_conflict(match, attempt) is not None
