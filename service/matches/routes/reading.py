"""Routes for reading a match: its state, layout, legal commands and events."""

from functools import partial
from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from domain.presentation import choices, schemas
from domain.presentation.events import event_answers
from service.http import offload
from service.http.injection import AnyRequest, Injected
from service.matches import presenters, schema
from service.matches.fast_path import match_response
from service.matches.lists import MatchLists
from service.matches.match_access import MatchAccess
from service.matches.parameters import ChoiceGroup, Offset, OptionalSeat, ViewParts
from service.matches.presenters import match_answer
from service.matches.problems import no_such_group, seat_not_held
from service.matches.rematch import RematchActions
from service.matches.request_context import MatchVisitor, with_view

_get = partial(get, tags=["matches"])

_YEAR_S = 365 * 24 * 3600


@_get("/api/matches/{match_id:str}", operation_id="getMatch", opt={"fast_path": "match"})
async def get_match(
    invited: Injected[MatchVisitor],
    lists: Injected[MatchLists],
    rematches: Injected[RematchActions],
    at: Annotated[
        int | None,
        QueryParameter(ge=1, le=2**53, description="The version to get, by default the current."),
    ] = None,
    seat: OptionalSeat = None,
    view: ViewParts = "whole",
) -> schemas.MatchAnswer:
    """Get a match, now or at an earlier version.

    The response contains only what the caller may see.
    """
    if at is None:
        return await match_response(invited, seat, view, rematches, lists)
    match, viewer = invited.match, invited.viewer(seat)

    def seen() -> schemas.MatchAnswer:
        return with_view(match_answer(match.id, viewer, at, share=invited.share_code), view)

    return await offload.run_read(match.timeline, at, seen)


@_get("/api/matches/{match_id:str}/layout", operation_id="getLayout")
async def get_layout(
    request: AnyRequest, invited: Injected[MatchVisitor]
) -> Response[schema.LayoutAnswer]:
    """Get the constant part of a match's view.

    It never changes once the match has begun, so it can be cached indefinitely. The response is 304
    if ``If-None-Match`` matches.
    """
    match = invited.match
    etag = f'"{match.id}-layout"'
    headers = {"ETag": etag, "Cache-Control": f"private, max-age={_YEAR_S}, immutable"}
    answer = presenters.layout_answer(match.id, match.timeline)
    if request.headers.get("if-none-match") == etag:
        return Response(None, status_code=304, headers=headers)  # type: ignore[arg-type]
    return Response(answer, headers=headers)


@_get("/api/matches/{match_id:str}/choices", operation_id="listChoices")
async def list_choices(
    visit: Injected[MatchVisitor],
    seat: OptionalSeat = None,
    grouped: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=1,
            description="1: return `groups`, and list only the commands of small groups.",
        ),
    ] = 0,
    group: ChoiceGroup = None,
    after: Offset = 0,
    limit: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=500,
            description="With `group`: maximum number of choices on a page. With `grouped`: maximum"
            " size of a group whose commands are listed.",
        ),
    ] = 60,
) -> schemas.ChoicesAnswer:
    """List the legal commands of a seat that you hold.

    The list is empty if the seat is not to act. There may be thousands of commands. With
    `grouped=1` the response has groups by command type, with ranges for commands that choose an
    amount. With `group` it lists the commands of one type, page by page.
    """
    viewer = visit.viewer(seat)
    if viewer.seat is None:
        raise seat_not_held(viewer.timeline, viewer.player or "", seat)
    if group is not None:
        found = choices.choices_of_group(viewer, viewer.seat, group, after, limit)
        if found is None:
            raise no_such_group()
        return found
    if grouped:
        return choices.grouped_choices(viewer, viewer.seat, limit)
    return choices.all_choices(viewer, viewer.seat)


@_get("/api/matches/{match_id:str}/events", operation_id="listEvents", opt={"packed": True})
async def list_events(
    request: AnyRequest,
    invited: Injected[MatchVisitor],
    access: Injected[MatchAccess],
    after: Annotated[
        int, QueryParameter(ge=0, le=2**53, description="Only events later than this version.")
    ] = 0,
    seat: OptionalSeat = None,
) -> Response[schemas.EventsAnswer]:
    """List the events of a match.

    Each event has a sentence and data, without hidden information that the caller may not see.
    """
    timeline = invited.match.timeline
    viewer = invited.viewer(
        seat, await access.muted_players(timeline, invited.player.id if invited.player else None)
    )

    def listed() -> schemas.EventsAnswer:
        return schemas.EventsAnswer(version=timeline.version, events=event_answers(viewer, after))

    return await offload.json_response(request, timeline, after, listed)
