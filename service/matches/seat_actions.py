"""Actions of players about their seats: joining, leaving, and taking back a lost seat."""

from domain.match.commands import AnswerReturn, Join, Leave, Reclaim
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.http.rate_limits import SocialLimits
from service.matches import schema
from service.matches.confusable_names import disambiguated
from service.matches.decision_quota import check_join_quota
from service.matches.match_access import MatchAccess
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import ActionResult, Caller, MatchWriter
from service.matches.problems import imported_match_problem
from service.matches.seat_names import all_spellings
from service.matches.seating import (
    can_join,
    declined_seat_notifications,
    find_free_seat,
    is_invited,
    seat_to_reclaim,
    seats_to_leave,
)
from service.players.identity import Player, clean_name


class SeatActions:
    """The actions of players about their seats.

    Errors as in `MatchActions`; ``address`` is the client address, for rate limits.
    """

    def __init__(self, *, writer: MatchWriter, access: MatchAccess, limits: SocialLimits) -> None:
        self._writer = writer
        self._access = access
        self._limits = limits

    async def join(
        self, match: LoadedMatch, player: Player, request: schema.JoinMatch, address: str
    ) -> ActionResult:
        """Take the requested seat, by default one reserved for the player or the first open one.

        A player who already holds a seat, and requests no other, keeps it.
        """
        done = await self.take_seat(match, player, request, address)
        return await self._writer.wait_for_bots(done, None)

    async def take_seat(
        self, match: LoadedMatch, player: Player, request: schema.JoinMatch, address: str
    ) -> ActionResult:
        """Take a seat as `join` does, without waiting for bots."""
        name = clean_name(request.name) if request.name is not None else player.name

        async def attempt(timeline: Timeline) -> ActionResult:
            held = held_seats(timeline, player.id)
            if held and request.seat in (None, *held):
                return ActionResult(match.id, timeline, held[0], timeline.version)
            if is_for_review(timeline):
                raise imported_match_problem()
            if not can_join(timeline, player, request.invite):
                raise ApiProblem(403, "wrong_invite", "error.wrong_invite")
            seat = request.seat if request.seat is not None else find_free_seat(timeline, player)
            stranger = not is_invited(timeline, player, request.invite)
            if stranger and await self._access.is_blocked_by_host(timeline, player.id):
                raise ApiProblem(403, "not_welcome", "error.not_welcome")
            if stranger and held:
                raise ApiProblem(403, "one_seat", "error.one_seat")
            await check_join_quota(timeline, player.id)
            others = [other for i, other in enumerate(timeline.latest.seats) if i != seat]
            branch = timeline.branch()
            join_command = Join(
                player.id, disambiguated(name, set().union(*map(all_spellings, others)))
            )
            branch.play(seat, [join_command], now_ms(), draws_from_seed)
            if stranger:
                await self._limits.count_uninvited_seat(match.id, address)
            return await self._writer.save_branch(match, timeline, branch, seat)

        return await self._writer.retry_on_conflict(match, attempt)

    async def leave(self, caller: Caller, request: schema.LeaveSeats) -> ActionResult:
        """Leave one seat or all; decline reserved seats or, as the host, release them."""
        match, player, fingerprint = caller.match, caller.player, caller.fingerprint

        async def attempt(timeline: Timeline) -> ActionResult:
            if is_for_review(timeline):
                raise imported_match_problem()
            branch = timeline.branch()
            seats = seats_to_leave(timeline, player, request.seat)
            declined = declined_seat_notifications(match.id, timeline, player, seats)
            for seat in seats:
                branch.play(seat, [Leave(request.stand_in == "nobody")], now_ms(), draws_from_seed)
            return await self._writer.save_branch(
                match, timeline, branch, seats[0], fingerprint, extra_notifications=declined
            )

        done = await self._writer.retry_on_conflict(match, attempt, fingerprint, fresh=True)
        return await self._writer.wait_for_bots(done, fingerprint)

    async def reclaim_seat(self, caller: Caller, request: schema.ReclaimSeat) -> ActionResult:
        """Take back a seat lost on time or by vote, or ask the other players for it."""
        match, player, fingerprint = caller.match, caller.player, caller.fingerprint

        async def attempt(timeline: Timeline) -> ActionResult:
            if is_for_review(timeline):
                raise imported_match_problem()
            seat = seat_to_reclaim(timeline, player, request.seat)
            branch = timeline.branch()
            branch.play(seat, [Reclaim(player.id)], now_ms(), draws_from_seed)
            return await self._writer.save_branch(match, timeline, branch, seat, fingerprint)

        done = await self._writer.retry_on_conflict(match, attempt, fingerprint, fresh=True)
        return await self._writer.wait_for_bots(done, fingerprint)

    async def answer_seat_return(
        self, caller: Caller, request: schema.AnswerSeatReturn
    ) -> ActionResult:
        """Agree that a player gets a lost seat back, or decline the request."""
        command = AnswerReturn(request.about, request.accept)
        return await self._writer.run_action(caller, request.seat, lambda _: [command])
