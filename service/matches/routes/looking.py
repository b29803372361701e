"""The calls that look at a match: how it stands, what can be done, what happened."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import UNSET
from msgspec.structs import replace

from domain.answers import choices
from domain.answers.events import event_answers
from service.base import heavy
from service.base.injected import Injected, Req
from service.matches import answers, schema
from service.matches.answers import match_answer
from service.matches.lists import Lists
from service.matches.parameters import GroupOf, LeftOut, SeatOf, ViewParts
from service.matches.play import Play
from service.matches.problems import no_such_group, not_your_seat
from service.matches.visits import Visit, told

_YEAR = 365 * 24 * 3600


@get("/api/matches/{match_id:str}", operation_id="getMatch", tags=["matches"])
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
    """The match as the caller may see it, now or at any earlier version."""
    match_id = invited.table.id
    timeline, viewer = invited.table.timeline, invited.viewer(seat)

    def seen() -> schema.MatchAnswer:
        return told(match_answer(match_id, viewer, at, share=invited.share), view)

    if at is not None:
        return await heavy.looked_back(timeline, at, seen)
    answer = seen()
    rematch = await play.rematch_told(invited.table, invited.player)
    forks = await lists.forks(match_id, invited.player)
    return replace(answer, forks=forks, rematch=rematch or UNSET)


@get("/api/matches/{match_id:str}/layout", operation_id="getLayout", tags=["matches"])
async def get_layout(request: Req, invited: Injected[Visit]) -> Response[schema.LayoutAnswer]:
    """What never changes in the view of a match that has begun: to be asked for once."""
    table = invited.table
    etag = f'"{table.id}-layout"'
    headers = {"ETag": etag, "Cache-Control": f"private, max-age={_YEAR}, immutable"}
    answer = answers.layout_answer(table.id, table.timeline)
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
    """Every legal command of one of the caller's seats; none when it is not to act.

    There may be thousands. With `grouped=1` the answer tells them by type of command, and as
    ranges where a command is an amount of things; with `group` it lists those of one type.
    """
    viewer = visit.viewer(seat)
    if viewer.seat is None:
        raise not_your_seat()
    if group is not None:
        found = choices.of_group(viewer, viewer.seat, group, after, limit)
        if found is None:
            raise no_such_group()
        return found
    if grouped:
        return choices.by_group(viewer, viewer.seat, limit)
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
    """What happened, in words and as data, redacted for the caller."""
    timeline = invited.table.timeline
    viewer = invited.viewer(seat, await play.muted(timeline, invited.player))

    def listed() -> schema.EventsAnswer:
        return schema.EventsAnswer(version=timeline.version, events=event_answers(viewer, after))

    return await heavy.answer(request, timeline, after, listed)


HANDLERS: tuple[Any, ...] = (get_match, get_layout, list_choices, list_events)
