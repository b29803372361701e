"""Actions of players in a running match: playing, undoing, voting and chatting."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.match.commands import AnswerUndo, ComeBack, Redo, Say, Undo, Vote
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.presentation.viewpoint import held_seats
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.http.rate_limits import SocialLimits
from service.matches import schema
from service.matches.decision_quota import quota_used_by_undo, quota_used_by_votes
from service.matches.match_writer import ActionResult, Caller, MatchWriter
from service.matches.problems import malformed_command
from service.matches.seating import is_on_vacation
from service.players.identity import Player, clean_text

_DECLINED_MESSAGE = "error.declined"


def _needs_consent(timeline: Timeline, player: Player, undo_request: schema.UndoMoves) -> bool:
    """Return whether an undo request needs other players' consent; False if it is invalid."""
    if undo_request.seat not in held_seats(timeline, player.id):
        return False
    try:
        return timeline.undo_kind(undo_request.seat, undo_request.to_version).kind == "consent"
    except (Refused, IndexError):
        return False


@dataclass(kw_only=True, eq=False)
class MatchActions:
    """The actions of players in a running match.

    Actions raise `ApiProblem`, `Refused` or `IllegalMove` if they are not allowed.
    ``end_vacation(player)`` is called after a move that ended the player's vacation in the match.
    """

    writer: MatchWriter
    limits: SocialLimits
    end_vacation: Callable[[Player], Awaitable[None]]

    async def play_commands(self, caller: Caller, request: schema.PlayCommands) -> ActionResult:
        """Execute game commands of a seat, all or none; ends the player's vacation."""

        def parsed(timeline: Timeline) -> list[Any]:
            codec = codec_of(caller.match.game)
            try:
                return [codec.parse_command(plain) for plain in request.commands]
            except msgspec.ValidationError as error:
                raise malformed_command(str(error)) from None
            except (TypeError, RecursionError):
                raise malformed_command("") from None

        return await self._run_personal_action(
            caller,
            request.seat,
            parsed,
            expected_version=request.expected_version,
            allow_parallel=True,
        )

    async def undo(self, caller: Caller, request: schema.UndoMoves) -> ActionResult:
        """Undo moves, or propose the undo if it needs consent; then the status is 202."""
        match, player = caller.match, caller.player
        used = await quota_used_by_undo(match.timeline, player.id, request.seat, request.to_version)
        if _needs_consent(match.timeline, player, request):
            await self.limits.count_proposal(match.id, player.id)

        def asked(timeline: Timeline) -> list[Any]:
            used.check_undo_quota()
            self._check_not_declined(timeline, request)
            return [Undo(request.to_version)]

        done = await self.writer.run_action(
            caller, request.seat, asked, expected_version=request.expected_version
        )
        proposed = (
            done.timeline.latest.proposal is not None
            and done.timeline.version > done.version_before
        )
        return replace(done, status=202) if proposed else done

    def _check_not_declined(self, timeline: Timeline, request: schema.UndoMoves) -> None:
        """Raise `ApiProblem` 409 ``declined`` if the same undo was declined recently."""
        undo = timeline.undo_kind(request.seat, request.to_version)
        if undo.kind != "consent":
            return
        declined = timeline.declined_at(request.seat, undo.to_version)
        wait = 0 if declined is None else self.limits.ask_pause_s - (now_ms() - declined) // 1000
        if wait > 0:
            raise ApiProblem(
                409,
                "declined",
                _DECLINED_MESSAGE,
                args={"n": wait},
                headers={"Retry-After": str(wait)},
            )

    async def redo(self, caller: Caller, request: schema.RedoMoves) -> ActionResult:
        """Redo the moves that the last undo removed; ends the player's vacation."""
        used = await quota_used_by_undo(caller.match.timeline, caller.player.id, request.seat, None)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_undo_quota()
            return [Redo()]

        return await self._run_personal_action(
            caller, request.seat, asked, expected_version=request.expected_version
        )

    async def answer_proposal(self, caller: Caller, request: schema.AnswerProposal) -> ActionResult:
        """Agree to the open undo proposal or decline it; needs no expected version."""
        return await self.writer.run_action(
            caller, request.seat, lambda _: [AnswerUndo(request.accept)]
        )

    async def vote(self, caller: Caller, request: schema.CastVote) -> ActionResult:
        """Vote on whether a bot should take a seat whose time has run out."""
        used = await quota_used_by_votes(caller.match.timeline, caller.player.id)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_vote_quota()
            return [Vote(request.about, request.bot)]

        return await self.writer.run_action(caller, request.seat, asked)

    async def send_chat_message(self, caller: Caller, request: schema.SayWords) -> ActionResult:
        """Send a chat message; unlike a move, it does not close an open proposal."""
        words = Say(clean_text(request.text), request.to)
        await self.limits.count_chat_message(caller.match.id, request.seat)
        return await self.writer.run_action(caller, request.seat, lambda _: [words])

    async def _run_personal_action(
        self,
        caller: Caller,
        seat: int,
        commands: Callable[[Timeline], Sequence[Any]],
        *,
        expected_version: int | None,
        allow_parallel: bool = False,
    ) -> ActionResult:
        """Execute commands of a player and end the player's vacation, if there is one.

        The clock of the seat is restarted before the commands, the clocks in the player's other
        matches right after them. Parameters and errors as in `MatchWriter.run_action`.
        """
        returns = False

        def as_present(timeline: Timeline) -> list[Any]:
            nonlocal returns
            returns = is_on_vacation(timeline, seat)
            return [*([ComeBack()] if returns else ()), *commands(timeline)]

        done = await self.writer.run_action(
            caller,
            seat,
            as_present,
            expected_version=expected_version,
            allow_parallel=allow_parallel,
        )
        if returns:
            await self.end_vacation(caller.player)
        return done
