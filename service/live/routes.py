"""The call that follows a match."""

from typing import Annotated, Any

from litestar import get
from litestar.params import HeaderParameter
from litestar.response import Stream

from service.base.injected import Injected, Req
from service.base.tokens import token_of
from service.live.hub import Hub
from service.matches.visits import Visit
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
    last_event_id: Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID",
            max_length=40,
            description="The newest version the client has seen.",
        ),
    ] = None,
) -> Stream:
    """Server-sent events: ``id`` and ``data`` are the version the match has reached."""
    table = invited.table
    token = token_of(request) if invited.player else None
    listener = hub.listen(table.id, digest(token) if token else None)
    listener.hear(table.timeline.version)
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if seen > table.timeline.version:
        seen = 0
    return Stream(
        hub.frames(table.id, listener, seen),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


HANDLERS: tuple[Any, ...] = (follow_match,)
