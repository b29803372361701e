"""The routes of calendars and feeds, which other programs read without a cookie."""

import asyncio
from functools import partial
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import PathParameter, QueryParameter

from domain.presentation.viewpoint import NO_SEAT
from service.common.clock import format_timestamp, now_ms
from service.http.etags import etag_response
from service.http.injection import AnyRequest, Injected
from service.http.problems import ApiProblem
from service.http.tokens import request_token
from service.matches.match_access import MatchAccess
from service.matches.parameters import ShareCode
from service.matches.presenters import Viewer
from service.matches.request_context import MatchVisitor, Member
from service.matches.share_codes import ShareCodes, member_ids
from service.players.identity import Player
from service.social import schema
from service.social.contacts import feeds
from service.social.contacts.contact_list import Contacts

_get = partial(get, tags=["people"])


@_get("/api/players/me/calendar", operation_id="getCalendar")
async def get_calendar(
    player: Injected[Player], company: Injected[Contacts]
) -> schema.CalendarAnswer:
    """Get when your calendar address was created, if you have one.

    The address itself is shown only when it is created.
    """
    since = await asyncio.to_thread(company.personal.calendar_created_at, player.id)
    return schema.CalendarAnswer(since=None if since is None else format_timestamp(since))


@post("/api/players/me/calendar", operation_id="makeCalendar", tags=["people"], opt={"cost": 5})
async def make_calendar(
    request: AnyRequest,
    player: Injected[Player],
    company: Injected[Contacts],
    base_url: Injected[str],
) -> Response[schema.CalendarAnswer]:
    """Create a secret calendar address for your deadlines.

    It replaces the previous one and is revoked if the device that created it is signed out.
    """
    now, token = now_ms(), request_token(request.scope) or ""
    code = await asyncio.to_thread(company.personal.create_calendar_code, player.id, token, now)
    answer = schema.CalendarAnswer(
        since=format_timestamp(now), url=f"{base_url}/calendar/{code}.ics"
    )
    return Response(answer, status_code=201, headers={"Cache-Control": "no-store"})


@delete("/api/players/me/calendar", operation_id="endCalendar", tags=["people"], status_code=200)
async def end_calendar(
    player: Injected[Player], company: Injected[Contacts]
) -> schema.CalendarAnswer:
    """Revoke your calendar address."""
    await asyncio.to_thread(company.personal.revoke_calendar, player.id)
    return schema.CalendarAnswer(since=None)


@_get(
    "/calendar/{code:str}",
    operation_id="readCalendar",
    media_type="text/calendar",
    opt={"cost": 10},
)
async def read_calendar(
    request: AnyRequest,
    company: Injected[Contacts],
    base_url: Injected[str],
    code: Annotated[str, PathParameter(description="The secret code.", max_length=60)],
) -> Response[bytes]:
    """Get your deadlines as an iCalendar file."""
    secret = code.removesuffix(".ics")
    player = await asyncio.to_thread(company.personal.player_of_calendar, secret)
    if player is None:
        raise ApiProblem(404, "no_such_calendar", "error.no_such_calendar")
    matches = await company.running_matches(player)
    return etag_response(request, feeds.build_calendar(player, matches, base_url), "text/calendar")


@_get("/api/matches/{match_id:str}/feed", operation_id="getFeed")
async def get_feed(
    member: Injected[Member], share_codes: Injected[ShareCodes]
) -> schema.FeedAnswer:
    """Get your reader code for the feed of a match."""
    player, match = member.player.id, member.match
    is_member = player in member_ids(match.timeline)
    return schema.FeedAnswer(
        reader=share_codes.feed_reader_code(match.id, player) if is_member else None
    )


@_get(
    "/api/matches/{match_id:str}/feed.atom",
    operation_id="readFeed",
    media_type="application/atom+xml",
    opt={"cost": 10},
)
async def read_feed(
    request: AnyRequest,
    shared: Injected[MatchVisitor],
    access: Injected[MatchAccess],
    share_codes: Injected[ShareCodes],
    base_url: Injected[str],
    share: ShareCode = None,
    reader: Annotated[
        str | None,
        QueryParameter(
            max_length=60,
            description="`reader` from `getFeed`: omits messages from people whom you have muted.",
        ),
    ] = None,
) -> Response[bytes]:
    """Get the events of a match, as a spectator sees them, as an Atom feed.

    Messages from people whom you have muted are left out. Feed readers send no cookie, so the code
    ``reader`` identifies you.
    """
    match = shared.match
    page = f"{base_url}/m/{match.id}" + (f"?share={share}" if share else "")
    caller = shared.player.id if shared.player else None
    player = caller or share_codes.player_of_feed_reader(match.id, match.timeline, reader)
    muted = await access.muted_players(match.timeline, player)
    viewer = Viewer(match.timeline, None, NO_SEAT, muted)
    body = await asyncio.to_thread(feeds.build_feed, match.id, viewer, page)
    return etag_response(request, body, "application/atom+xml; charset=utf-8")
