"""Routes that read a match: its state, layout, legal commands and events."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from domain.presentation import choices
from domain.presentation.events import event_answers
from service.http import offload
from service.http.injection import Injected, Req
from service.matches import presenters, schema
from service.matches.actions import Play
from service.matches.fast_path import LOOK_PATH, looked, tell_what_went_wrong
from service.matches.lists import Lists
from service.matches.parameters import GroupOf, LeftOut, SeatOf, ViewParts
from service.matches.presenters import match_answer
from service.matches.problems import no_seat, no_such_group
from service.matches.request_context import Visit, told

_YEAR = 365 * 24 * 3600


@get(LOOK_PATH, operation_id="getMatch", tags=["matches"], before_request=tell_what_went_wrong)
async def get_match(
    invited: Injected[Visit],
    lists: Injected[Lists],
    play: Injected[Play],
    at: Annotated[
        int | None, QueryParameter(ge=1, le=2**53, description="The match at this version.")
    ] = None,
    seat: SeatOf = None,
    view: ViewParts = "whole",
) -> schema.MatchAnswer:
    """Get a match, now or at an earlier version.

    The answer has what the caller may see.
    """
    if at is None:
        return await looked(invited, seat, view, play, lists)
    table, viewer = invited.table, invited.viewer(seat)

    def seen() -> schema.MatchAnswer:
        return told(match_answer(table.id, viewer, at, share=invited.share), view)

    return await offload.looked_back(table.timeline, at, seen)


@get("/api/matches/{match_id:str}/layout", operation_id="getLayout", tags=["matches"])
async def get_layout(request: Req, invited: Injected[Visit]) -> Response[schema.LayoutAnswer]:
    """Get the constant part of a match's view.

    It never changes once the match has begun, so it can be cached for good. With a matching
    If-None-Match the answer is 304.
    """
    table = invited.table
    etag = f'"{table.id}-layout"'
    headers = {"ETag": etag, "Cache-Control": f"private, max-age={_YEAR}, immutable"}
    answer = presenters.layout_answer(table.id, table.timeline)
    if request.headers.get("if-none-match") == etag:
        return Response(None, status_code=304, headers=headers)  # type: ignore[arg-type]
    return Response(answer, headers=headers)


@get("/api/matches/{match_id:str}/choices", operation_id="listChoices", tags=["matches"])
async def list_choices(
    visit: Injected[Visit],
    seat: SeatOf = None,
    grouped: Annotated[
        int,
        QueryParameter(ge=0, le=1, description="1: tell `groups`, and list the small ones only."),
    ] = 0,
    group: GroupOf = None,
    after: LeftOut = 0,
    limit: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=500,
            description="With `group`: list no more than these; with `grouped`: a group is small"
            " when it has no more.",
        ),
    ] = 60,
) -> schema.ChoicesAnswer:
    """List the legal commands of a seat of yours.

    The list is empty when the seat is not to act. There may be thousands of commands. With
    `grouped=1` the answer has groups by type of command, and ranges where a command is an amount
    of things. With `group` it lists the commands of one type.
    """
    viewer = visit.viewer(seat)
    if viewer.seat is None:
        raise no_seat(viewer.timeline, viewer.player or "", seat)
    if group is not None:
        found = choices.choices_of_group(viewer, viewer.seat, group, after, limit)
        if found is None:
            raise no_such_group()
        return found
    if grouped:
        return choices.grouped_choices(viewer, viewer.seat, limit)
    return choices.all_choices(viewer, viewer.seat)


@get(
    "/api/matches/{match_id:str}/events",
    operation_id="listEvents",
    tags=["matches"],
    opt={"packed": True},
)
async def list_events(
    request: Req,
    invited: Injected[Visit],
    play: Injected[Play],
    after: Annotated[
        int, QueryParameter(ge=0, le=2**53, description="Only events later than this version.")
    ] = 0,
    seat: SeatOf = None,
) -> Response[schema.EventsAnswer]:
    """List the events of a match.

    Each event comes as a sentence and as data, without what is hidden from the caller.
    """
    timeline = invited.table.timeline
    viewer = invited.viewer(
        seat, await play.muted(timeline, invited.player.id if invited.player else None)
    )

    def listed() -> schema.EventsAnswer:
        return schema.EventsAnswer(version=timeline.version, events=event_answers(viewer, after))

    return await offload.answer(request, timeline, after, listed)


HANDLERS: tuple[Any, ...] = (get_match, get_layout, list_choices, list_events)
