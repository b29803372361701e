"""Routes for creating, listing, joining, leaving and hiding matches, lost seats and rematches."""

from functools import partial
from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from domain.match.seats import Status
from domain.presentation import schemas
from service.http.injection import AnyRequest, Injected
from service.http.rate_limits import client_address
from service.live.hub import Hub
from service.matches import schema
from service.matches.lists import DEFAULT_PAGE_SIZE, MatchLists
from service.matches.match_finder import MatchFinder
from service.matches.opening_actions import OpeningActions
from service.matches.parameters import IdempotencyKey, MatchId, reject_unknown_parameters
from service.matches.presenters import Viewer, match_answer
from service.matches.rematch import RematchActions
from service.matches.request_context import Actor, Member, created_response, request_fingerprint
from service.matches.seat_actions import SeatActions
from service.matches.share_codes import ShareCodes
from service.matches.vacation_service import VacationService
from service.players.identity import Player
from service.players.problems import no_player

_post = partial(post, tags=["matches"], status_code=200)


@_post("/api/matches", operation_id="createMatch", opt={"cost": 5, "creates": 1}, status_code=201)
async def create_match(
    request: AnyRequest,
    player: Injected[Player],
    openings: Injected[OpeningActions],
    absences: Injected[VacationService],
    share_codes: Injected[ShareCodes],
    data: JSONBody[schema.NewMatch],
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.MatchAnswer]:
    """Create a match.

    The match starts at once if no seat is open.
    """
    repeat = await request_fingerprint(request, player, idempotency_key)
    done = await openings.create_match(player, data, repeat, client_address(request.scope))
    await absences.apply_to_match(done, player)
    return created_response(done, player, share_codes)


_LIST_PARAMETERS = ("scope", "status", "cursor", "sort", "limit")


@get("/api/matches", operation_id="listMatches", tags=["matches"])
async def list_matches(
    request: AnyRequest,
    visitor: Injected[Player | None],
    lists: Injected[MatchLists],
    which: Annotated[
        Literal["mine", "public", "invited", "hidden"],
        QueryParameter(
            name="scope",
            description="`mine`: your matches except hidden ones; `public`: public matches;"
            " `invited`: matches with a seat reserved for you; `hidden`: your matches that you have"
            " hidden.",
        ),
    ] = "mine",
    status: Annotated[
        Status | None, QueryParameter(description="Only matches with this status.")
    ] = None,
    cursor: Annotated[
        str | None, QueryParameter(max_length=200, description="`next` of the previous page.")
    ] = None,
    sort: Annotated[
        Literal["updated", "turn"],
        QueryParameter(
            description="`updated`: latest change first. `turn`, for your own matches: matches with"
            " other people before those alone or against bots; in both groups matches that wait for"
            " you first, the longest waiting at the top; finished matches last. Use the same value"
            " for all pages."
        ),
    ] = "updated",
    limit: Annotated[
        int, QueryParameter(ge=1, le=100, description="Maximum number of matches on a page.")
    ] = DEFAULT_PAGE_SIZE,
) -> schema.MatchesAnswer:
    """List matches.

    The default order is by latest change, newest first. The list normally includes your own last
    move. An unknown query parameter is an error (400), because ignoring a filter would return too
    much.
    """
    reject_unknown_parameters(request, _LIST_PARAMETERS)
    if visitor is None and which != "public":
        raise no_player()
    return await lists.list_matches(which, visitor, status, cursor, sort, limit)


@_post("/api/matches/{match_id:str}/join", operation_id="joinMatch", opt={"cost": 5, "creates": 1})
async def join_match(
    request: AnyRequest,
    player: Injected[Player],
    finder: Injected[MatchFinder],
    seat_actions: Injected[SeatActions],
    absences: Injected[VacationService],
    share_codes: Injected[ShareCodes],
    match_id: MatchId,
    data: JSONBody[schema.JoinMatch],
) -> schemas.MatchAnswer:
    """Join a match.

    You take an open seat. The match starts when its last seat is taken.
    """
    match = await finder.find_match(match_id, player, data.invite, fresh=False)
    done = await seat_actions.join(match, player, data, client_address(request.scope))
    await absences.apply_to_match(done, player)
    share = share_codes.share_of(done.match_id)
    return match_answer(done.match_id, Viewer(done.timeline, player.id), share=share)


@_post("/api/matches/{match_id:str}/leave", operation_id="leaveMatch")
async def leave_match(
    actor: Injected[Actor], seat_actions: Injected[SeatActions], data: JSONBody[schema.LeaveSeats]
) -> schemas.MatchAnswer:
    """Leave a match.

    Before the match has begun, your seat becomes open again. Later, a bot takes it unless
    ``stand_in`` is `nobody`.
    """
    return actor.match_answer(await actor.run(seat_actions.leave, data))


@_post("/api/matches/{match_id:str}/reclaim", operation_id="reclaimSeat")
async def reclaim_seat(
    actor: Injected[Actor],
    seat_actions: Injected[SeatActions],
    absences: Injected[VacationService],
    data: JSONBody[schema.ReclaimSeat],
) -> schemas.MatchAnswer:
    """Take back a lost seat.

    You can take back a seat that you lost on time or by vote, as long as a bot has it. The first
    time you get it back at once. After a second loss, all other players have to agree
    (`answerReturn`).
    """
    done = await actor.run(seat_actions.reclaim_seat, data)
    await absences.apply_to_match(done, actor.player)
    return actor.match_answer(done)


@_post("/api/matches/{match_id:str}/reclaim/answer", operation_id="answerReturn")
async def answer_seat_return(
    actor: Injected[Actor],
    seat_actions: Injected[SeatActions],
    data: JSONBody[schema.AnswerSeatReturn],
) -> schemas.MatchAnswer:
    """Answer a player's request to get a lost seat back."""
    return actor.match_answer(await actor.run(seat_actions.answer_seat_return, data))


@_post("/api/matches/{match_id:str}/hide", operation_id="hideMatch")
async def hide_match(
    member: Injected[Member], lists: Injected[MatchLists], data: JSONBody[schema.HideMatch]
) -> schema.HiddenAnswer:
    """Hide a match from your list, or show it again.

    Other players still see the match and are not notified.
    """
    await lists.set_hidden(member.match.id, member.player, data.hidden)
    return schema.HiddenAnswer(id=member.match.id, hidden=data.hidden)


@_post(
    "/api/matches/{match_id:str}/rematch",
    operation_id="rematch",
    opt={"cost": 5, "creates": 1},
    status_code=201,
)
async def rematch(
    request: AnyRequest,
    member: Injected[Member],
    rematches: Injected[RematchActions],
    share_codes: Injected[ShareCodes],
    hub: Injected[Hub],
) -> Response[schemas.MatchAnswer]:
    """Offer or accept a rematch.

    The new match has the same players and options, and another seat begins. The seats of the other
    players are reserved for them. There is only one rematch of a match: the first request creates
    it (201), and later requests take the caller's seats in it (200).
    """
    done = await rematches.open_rematch(member.match, member.player, client_address(request.scope))
    if done.status == 201:
        hub.touch_match(member.match.id)
    answer = created_response(done, member.player, share_codes)
    answer.status_code = done.status
    return answer
