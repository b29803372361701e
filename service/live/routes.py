"""Routes for following a match live and reporting presence."""

from collections.abc import AsyncIterator
from typing import Annotated

from litestar import get, put
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from domain.presentation.viewpoint import held_seats
from service.http.injection import AnyRequest, Injected
from service.http.tokens import request_token
from service.live.hub import Hub, Listener
from service.matches.parameters import InviteCode
from service.matches.request_context import MatchVisitor
from service.notifications.presence import Presence
from service.players.identity import hash_secret


@get(
    "/api/matches/{match_id:str}/live",
    operation_id="followMatch",
    tags=["matches"],
    opt={"packed": True, "streams": True},
    media_type="text/event-stream",
)
async def follow_match(
    request: AnyRequest,
    invited: Injected[MatchVisitor],
    hub: Injected[Hub],
    presence: Injected[Presence],
    last_event_id: Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID",
            max_length=40,
            description="The latest version that the client has.",
        ),
    ] = None,
    invite: InviteCode = None,
    hidden: Annotated[
        bool,
        QueryParameter(description="Whether the page is hidden: then you do not count as present."),
    ] = False,
    used: Annotated[
        bool,
        QueryParameter(description="Whether the page was just used, as with `reportPresence`."),
    ] = False,
) -> Stream:
    """Follow a match by server-sent events.

    Each event has the version that the match has reached, as ``id`` and as ``data``:
    ``{"version": 17}``. Events of type ``looking`` have no ``id`` and are sent at most every two
    seconds: ``{"seats": [0, 2], "watching": 1}`` has the seats whose players currently follow the
    match, and the number of other watchers. If the service ends a stream permanently, the last
    event is of type ``closed``: ``{"reason": "no_access"}`` if you may no longer see the match, or
    ``signed_out`` if this device was signed out. Access is checked before each version is sent.
    """
    table = invited.match
    listener = _add_listener(hub, invited, request_token(request.scope), invite)
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if seen > table.timeline.version:
        seen = 0
    frames = hub.frames(table.id, listener, seen)
    if invited.player and not hidden:
        if used:
            await presence.note_input(invited.player.id, table.id)
        frames = _frames_with_presence(frames, presence, invited.player.id, table.id)
    return Stream(
        frames,
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _add_listener(
    hub: Hub, caller: MatchVisitor, token: str | None, invite: str | None
) -> Listener:
    """Add a listener of the caller's match, which knows of the version it has now."""
    player = caller.player.id if caller.player else None
    device = hash_secret(token) if caller.player and token else None
    timeline = caller.match.timeline
    listener = hub.add_listener(
        caller.match.id, device, player, held_seats(timeline, player), invite
    )
    listener.on_version(timeline.version)
    return listener


async def _frames_with_presence(
    frames: AsyncIterator[bytes], presence: Presence, player: str, match: str
) -> AsyncIterator[bytes]:
    """Yield the frames of a stream and count the player as present while it is open."""
    with presence.track_stream(player, match):
        async for frame in frames:
            yield frame


@put(
    "/api/matches/{match_id:str}/presence",
    operation_id="reportPresence",
    tags=["matches"],
    status_code=204,
)
async def report_presence(invited: Injected[MatchVisitor], presence: Injected[Presence]) -> None:
    """Report user input on the page of a match.

    Input means touch, keyboard or mouse wheel. While you follow the match live, a report delays
    the match's notifications, except reminders, by three minutes; they are sent afterwards if they
    still apply. Report input at most once a minute.
    """
    if invited.player is not None:
        await presence.note_input(invited.player.id, invited.match.id)
