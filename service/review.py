"""Looking back at a match, and showing it to others: review, pictures, the shared page."""

from functools import partial
from html import escape
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Request, Response, get
from litestar.params import FromPath, PathParameter, QueryParameter
from msgspec import UNSET

from domain.match import Refused, Timeline
from domain.review import review
from service import pictures, schema
from service.answers import Eyes, may_look, seat_answers, standing_answers
from service.callers import maybe_caller
from service.pages import app_page
from service.pictures.scene import scene
from service.play import Play
from service.problems import Fault
from service.routes import base_url
from service.studio import Studio
from service.tables import Table

Req = Request[Any, Any, Any]

_MatchId = Annotated[str, PathParameter(description="The match.", max_length=64)]
_Seat = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=15, description="Look through this seat of yours, if you hold several."
    ),
]
_Share = Annotated[
    str | None, QueryParameter(max_length=100, description="The share code of a private match.")
]
_TOP = 2**53
_DAY = 86_400


async def _table(request: Req, match_id: str, share: str | None) -> Table:
    play: Play = request.app.state.play
    return await play.table(match_id, await maybe_caller(request), share)


@get("/api/matches/{match_id:str}/review", operation_id="reviewMatch", tags=["matches"])
async def review_match(
    request: Req, match_id: _MatchId, seat: _Seat = None, share: _Share = None
) -> schema.ReviewAnswer:
    """How the match came about: standings, and what the game has to say of each seat's play."""
    player = await maybe_caller(request)
    table = await _table(request, match_id, share)
    timeline = table.timeline
    eyes = Eyes(timeline, player.id if player else None, seat)
    now = timeline.now
    standings = timeline.standings(now)
    return schema.ReviewAnswer(
        id=table.id,
        game=table.game,
        status=now.status,  # type: ignore[arg-type]
        version=timeline.version,
        seats=seat_answers(now, eyes.player),
        standings=UNSET if standings is None else standing_answers(standings),
        review=review(timeline, eyes.viewer),
    )


@get(
    "/api/matches/{match_id:str}/picture.png",
    operation_id="drawPicture",
    tags=["matches"],
    media_type="image/png",
    opt={"draws": True, "packed": True},
)
async def draw_picture(
    request: Req,
    match_id: _MatchId,
    at: Annotated[
        int | None, QueryParameter(ge=1, le=_TOP, description="The match at this version.")
    ] = None,
    share: _Share = None,
) -> Response[bytes]:
    """A picture of the match, 1200 by 630 pixels, as a spectator sees it."""
    table = await _table(request, match_id, share)
    timeline = table.timeline
    version = _version(timeline, at)
    make = partial(pictures.png, timeline, version)
    return await _drawn(request, table, "png", (version,), make, fixed=at is not None)


@get(
    "/api/matches/{match_id:str}/animation.gif",
    operation_id="drawAnimation",
    tags=["matches"],
    media_type="image/gif",
    opt={"draws": True, "packed": True},
)
async def draw_animation(
    request: Req,
    match_id: _MatchId,
    first: Annotated[
        int | None,
        QueryParameter(name="from", ge=1, le=_TOP, description="From here; else the beginning."),
    ] = None,
    last: Annotated[
        int | None, QueryParameter(name="to", ge=1, le=_TOP, description="Up to here; else now.")
    ] = None,
    share: _Share = None,
) -> Response[bytes]:
    """The match in motion, 640 by 640 pixels, as a spectator sees it; undone moves left out."""
    table = await _table(request, match_id, share)
    timeline = table.timeline
    end = _version(timeline, last)
    start = 1 if first is None else first
    if start > end:
        raise Refused("no_such_version", f"There are versions 1 to {end}.")
    make = partial(pictures.gif, timeline, start, end)
    return await _drawn(request, table, "gif", (start, end), make, fixed=last is not None)


def _version(timeline: Timeline, asked: int | None) -> int:
    version = timeline.version if asked is None else asked
    if version > timeline.version:
        raise Refused("no_such_version", f"There are versions 1 to {timeline.version}.")
    return version


async def _drawn(
    request: Req, table: Table, kind: str, versions: tuple[int, ...], make: Any, *, fixed: bool
) -> Response[bytes]:
    """The picture, drawn or kept; what a version looks like never changes."""
    etag = f'"{table.id}-{"-".join(map(str, versions))}"'
    headers = {
        "ETag": etag,
        "Cache-Control": f"private, max-age={_DAY}" if fixed else "private, no-cache",
    }
    media_type = f"image/{kind}"
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers, media_type=media_type)
    studio: Studio = request.app.state.studio
    body = await studio.picture(kind, (table.id, *versions), make)
    return Response(body, headers=headers, media_type=media_type)


# --- the page of a match, with a preview for chats ----------------------------------------------


@get(
    ["/m/{match_id:str}", "/m/{match_id:str}/review"],
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    media_type="text/html",
)
async def serve_match_page(request: Req, match_id: FromPath[str]) -> Response[bytes]:
    """The app; for a public match or with its share code, with what link previews show.

    Programs that make previews show no cookie, so the code in the link is all they have.
    """
    share = request.query_params.get("share")
    play: Play = request.app.state.play
    try:
        table = await play.table(match_id, None, share, fresh=False)
    except Fault:
        return app_page(request, "")
    tags = _preview(request, table, share, request.query_params.get("v", ""))
    return app_page(request, tags)


def _preview(request: Req, table: Table, share: str | None, wish: str) -> str:
    """Open Graph tags of a match at the wished version, or now."""
    timeline = table.timeline
    version = timeline.version
    if wish.isascii() and wish.isdecimal() and len(wish) < 10:
        version = min(max(int(wish), 1), version)
    shown = scene(timeline, timeline.at(version), None)
    code = {"share": share} if share and not may_look(timeline, None) else {}
    page = f"{base_url(request)}/m/{table.id}?{urlencode({'v': version, **code})}"
    query = urlencode({"at": version, **code})
    names = ", ".join(timeline.now.seats[i].name or shown.names[i] for i in shown.order())
    found = {
        "og:type": "website",
        "og:site_name": "Caravanserai",
        "og:title": f"{shown.title}: {names}",
        "og:description": shown.headline(),
        "og:url": page,
        "og:image": f"{base_url(request)}/api/matches/{table.id}/picture.png?{query}",
        "og:image:type": "image/png",
        "og:image:width": str(pictures.WIDE[0]),
        "og:image:height": str(pictures.WIDE[1]),
        "og:image:alt": f"{shown.title}. {shown.headline()}.",
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in found.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">\n'])


HANDLERS: tuple[Any, ...] = (review_match, draw_picture, draw_animation)
PAGES: tuple[Any, ...] = (serve_match_page,)
