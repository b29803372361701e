"""Context of requests about one match: the caller, the match, and helpers for responses."""

from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

from litestar import Response
from msgspec import Struct

from domain.presentation import schemas
from service.http.injection import AnyRequest
from service.matches.actions import MatchActions
from service.matches.idempotency import RequestFingerprint, fingerprint_request
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import ActionResult, Caller
from service.matches.presenters import Viewer, match_answer, without_static_fields
from service.matches.share_codes import ShareCodes
from service.observability import metrics
from service.players.identity import Player

_B = TypeVar("_B")


class MatchVisitor(Struct, frozen=True):
    """A caller who may see a match; ``player`` is None for a caller who is not signed in.

    ``share_code``: the share code of the match, for responses to callers who may pass it on.
    """

    player: Player | None
    match: LoadedMatch
    share_code: str

    def viewer(self, seat: int | None = None, muted: Collection[str] = ()) -> Viewer:
        """Return the viewer of the match for the caller.

        ``seat``: the seat to view from, as in `OptionalSeat`; ``muted``: players whose messages are
        left out. Raises `ApiProblem` 403 for a seat that the caller does not hold.
        """
        return Viewer(self.match.timeline, self.player.id if self.player else None, seat, muted)


class Member(Struct, frozen=True):
    """A player who may see a match."""

    player: Player
    match: LoadedMatch


class Actor(Caller, frozen=True, kw_only=True):
    """A player who is about to act in a match.

    ``actions``: the most frequent actions; ``share_code``: the share code of the match.
    """

    actions: MatchActions
    share_code: str

    async def run(
        self, action: Callable[[Caller, _B], Awaitable[ActionResult]], data: _B
    ) -> ActionResult:
        """Execute an action of the player, return its result and count it in the metrics.

        ``action``: a method of `MatchActions` or `SeatActions`; ``data``: the request body.
        """
        problem: Exception | None = None
        try:
            return await action(self, data)
        except Exception as error:
            problem = error
            raise
        finally:
            metrics.command_counter(self.match.game, metrics.command_outcome(problem)).inc()

    def match_answer(self, result: ActionResult, view: str = "whole") -> schemas.MatchAnswer:
        """Return the response body for the match after an action; ``view``: as in `with_view`."""
        return with_view(_result_answer(result, self.player, self.share_code), view)


def with_view(answer: schemas.MatchAnswer, view: str) -> schemas.MatchAnswer:
    """Return a response body with its whole view, or only the fields of it that can change.

    ``view``: "whole" or "changing".
    """
    return without_static_fields(answer) if view == "changing" else answer


def _result_answer(result: ActionResult, player: Player, share_code: str) -> schemas.MatchAnswer:
    return match_answer(result.match_id, Viewer(result.timeline, player.id), share=share_code)


def created_response(
    result: ActionResult, player: Player, share_codes: ShareCodes
) -> Response[schemas.MatchAnswer]:
    """Return response 201 with a new match and its ``Location``."""
    answer = _result_answer(result, player, share_codes.share_of(result.match_id))
    location = f"/api/matches/{result.match_id}"
    return Response(answer, status_code=201, headers={"Location": location})


async def request_fingerprint(
    request: AnyRequest, player: Player, key: str | None
) -> RequestFingerprint | None:
    """Return the hashes that identify a repeated request, or None without an Idempotency-Key.

    ``key``: the Idempotency-Key of the request.
    """
    if key is None:
        return None
    return fingerprint_request(key, player, request.scope["path"], await request.body())
