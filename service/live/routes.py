"""The calls that follow a match."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Response, get, put
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from domain.answers.viewing import held_seats
from service.base.injected import Injected, Req
from service.base.tokens import token_of
from service.live.hub import Hub
from service.matches.parameters import Invite
from service.matches.visits import Visit
from service.notices.presence import Presence
from service.players.identity import digest


@get(
    "/api/matches/{match_id:str}/live",
    operation_id="followMatch",
    tags=["matches"],
    opt={"packed": True, "streams": True},
    media_type="text/event-stream",
)
async def follow_match(
    request: Req,
    invited: Injected[Visit],
    hub: Injected[Hub],
    presence: Injected[Presence],
    last_event_id: Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID",
            max_length=40,
            description="The newest version the client has seen.",
        ),
    ] = None,
    invite: Invite = None,
    hidden: Annotated[
        bool,
        QueryParameter(description="The page is not in sight: the stream is no presence."),
    ] = False,
    used: Annotated[
        bool,
        QueryParameter(description="You use the page just now, as `reportPresence` says it."),
    ] = False,
) -> Stream:
    """Server-sent events: ``id`` and ``data`` are the version the match has reached.

    Events of type ``looking`` come between them, without ``id``, at most one in two seconds:
    ``{"seats": [0, 2], "watching": 1}`` are the seats whose people follow the match just now, and
    how many others do. The last event of a stream that the service ends for good is of type
    ``closed``: ``{"reason": "no_access"}`` when you may not look at the match any more,
    ``signed_out`` when this device was signed out. The right to look is checked before each
    version is sent.
    """
    table = invited.table
    token = token_of(request) if invited.player else None
    player = invited.player.id if invited.player else None
    seats = held_seats(table.timeline, player)
    device = digest(token) if token else None
    listener = hub.listen(table.id, device, player, seats, invite)
    listener.hear(table.timeline.version)
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if seen > table.timeline.version:
        seen = 0
    frames = hub.frames(table.id, listener, seen)
    if invited.player and not hidden:
        if used:
            await presence.note_input(invited.player.id, table.id)
        frames = _watched(frames, presence, invited.player.id, table.id)
    return Stream(
        frames,
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _watched(
    frames: AsyncIterator[bytes], presence: Presence, player: str, match: str
) -> AsyncIterator[bytes]:
    """The stream of a page in sight, which counts for presence as long as it is open."""
    with presence.at(player, match):
        async for frame in frames:
            yield frame


@put(
    "/api/matches/{match_id:str}/presence",
    operation_id="reportPresence",
    tags=["matches"],
    status_code=204,
)
async def report_presence(invited: Injected[Visit], presence: Injected[Presence]) -> Response[None]:
    """Report that you use the page of a match just now: a touch, a key, the wheel.

    While you follow the match live, such a report holds its notifications back for three minutes,
    except reminders; they are sent afterwards if they still apply. Report once a minute at most.
    """
    if invited.player is not None:
        await presence.note_input(invited.player.id, invited.table.id)
    return Response(None, status_code=204)


HANDLERS: tuple[Any, ...] = (follow_match, report_presence)
