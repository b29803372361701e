"""Routes for pictures of matches and games, and the QR code of an invitation."""

from asyncio import to_thread
from collections.abc import Callable
from functools import partial
from typing import Annotated

import segno
from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from domain.match.seats import Refused
from domain.match.timeline import Timeline
from service.http.i18n import current_language
from service.http.injection import AnyRequest, Injected
from service.http.problems import ApiProblem
from service.matches import preview, schema
from service.matches.match_cache import LoadedMatch
from service.matches.parameters import Slug
from service.matches.presenters import Viewer, match_answer
from service.matches.request_context import MatchVisitor, Member
from service.media.pictures.board import Boards, render_example
from service.media.pictures.frames import animation_job, still_job
from service.media.pictures.palette import Theme
from service.media.pictures.render_job import RenderJob
from service.media.renderer import PictureCache

_MAX_VERSION = 2**53


_DAY_S = 86_400

_At = Annotated[
    int | None,
    QueryParameter(
        ge=1, le=_MAX_VERSION, description="The version to show; by default the latest."
    ),
]
_Theme = Annotated[Theme, QueryParameter(description="The theme whose colours are used.")]

_get = partial(get, tags=["matches"])


@post(
    "/api/games/{slug:str}/preview.png",
    operation_id="drawPreview",
    tags=["games"],
    media_type="image/png",
    status_code=200,
    opt={"cost": 20, "draws": 1, "packed": True},
)
async def draw_preview(
    slug: Slug, renderer: Injected[PictureCache], data: JSONBody[schema.PreviewTable]
) -> Response[bytes]:
    """Draw a preview of the start of a game.

    The PNG has 1200 by 630 pixels and shows how a match with these options and seats would start,
    as `previewGame` describes it.
    """
    timeline = preview.build_preview(slug, data.options, data.seats)
    key = preview.preview_key(timeline), current_language().tag
    body = await renderer.render("png", key, partial(still_job, timeline, timeline.version))
    return Response(body)


@get(
    "/api/games/{slug:str}/board.svg",
    operation_id="drawGame",
    tags=["games"],
    media_type="image/svg+xml",
)
async def draw_game(slug: Slug, theme: _Theme = "light") -> Response[bytes]:
    """Draw an example board of a game as SVG.

    It shows the start of a game with default options.
    """
    body = await to_thread(render_example, slug, theme)
    headers = {"Cache-Control": f"public, max-age={_DAY_S}"}
    return Response(body, headers=headers)


@_get(
    "/api/matches/{match_id:str}/invite.svg", operation_id="drawInvite", media_type="image/svg+xml"
)
async def draw_invite(member: Injected[Member], base_url: Injected[str]) -> Response[bytes]:
    """Draw the QR code of the invitation to a match.

    Returns 409 ``not_open`` if no seat is open, or if you are neither the owner nor a player of the
    match.
    """
    match = member.match
    answer = match_answer(match.id, Viewer(match.timeline, member.player.id))
    if not isinstance(answer.invite, str):
        raise ApiProblem(409, "not_open", "error.no_seat_to_invite")
    url = f"{base_url}/join/{match.id}?invite={answer.invite}"
    image = segno.make(url, error="m").svg_inline(scale=6, border=4, dark="#000", light="#fff")
    # A standalone SVG needs the namespace that the inline form lacks.
    image = image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(image.encode(), headers={"Cache-Control": "no-store"})


@_get(
    "/api/matches/{match_id:str}/picture.png",
    operation_id="drawPicture",
    media_type="image/png",
    opt={"cost": 20, "draws": 1, "packed": True},
)
async def draw_picture(
    request: AnyRequest,
    shared: Injected[MatchVisitor],
    renderer: Injected[PictureCache],
    at: _At = None,
    theme: _Theme = "light",
) -> Response[bytes]:
    """Draw a picture of a match.

    The PNG has 1200 by 630 pixels and shows the match as a spectator sees it, at version ``at`` or
    at the latest version.
    """
    match = shared.match
    timeline = match.timeline
    version = _check_version(timeline, at)
    make = partial(still_job, timeline, version, theme=theme)
    what = ("png", version, theme)
    return await _picture_response(request, renderer, match, what, make, fixed=at is not None)


def _check_version(timeline: Timeline, requested: int | None) -> int:
    version = timeline.version if requested is None else requested
    if version > timeline.version:
        raise Refused("no_such_version", "error.no_such_version", last=timeline.version)
    return version


async def _picture_response(
    request: AnyRequest,
    renderer: PictureCache,
    match: LoadedMatch,
    picture: tuple[str, *tuple[int | str, ...]],
    make_job: Callable[..., RenderJob],
    *,
    fixed: bool,
) -> Response[bytes]:
    """Return the response with a picture, or 304 if the client has it already.

    ``picture``: the picture's kind, followed by values that identify it within the match: the
    versions it shows and, for a still, its theme. ``fixed``: whether the request specifies the
    version, so that the client may cache the response for a day.
    """
    kind, *shown = picture
    spoken = current_language().tag
    etag = f'"{match.id}-{"-".join(map(str, shown))}{"" if spoken == "en" else "-" + spoken}"'
    headers = {
        "ETag": etag,
        "Cache-Control": f"private, max-age={_DAY_S}" if fixed else "private, no-cache",
    }
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers)
    body = await renderer.render(kind, (match.id, spoken, *shown), make_job)
    return Response(body, headers=headers)


@_get(
    "/api/matches/{match_id:str}/board.svg",
    operation_id="drawBoard",
    media_type="image/svg+xml",
    opt={"cost": 5},
)
async def draw_board(
    shared: Injected[MatchVisitor],
    boards: Injected[Boards],
    at: _At = None,
    theme: _Theme = "light",
) -> Response[bytes]:
    """Draw the board of a match as SVG.

    It shows the board alone as a spectator sees it, at version ``at`` or at the latest version;
    before the game begins, an example board with the same options.
    """
    match = shared.match
    version = _check_version(match.timeline, at)
    body = await to_thread(boards.board_of_match, match.id, match.timeline, version, theme)
    lasts = "no-cache" if at is None else f"max-age={_DAY_S}"
    return Response(body, headers={"Cache-Control": f"private, {lasts}"})


@_get(
    "/api/matches/{match_id:str}/animation.gif",
    operation_id="drawAnimation",
    media_type="image/gif",
    opt={"cost": 100, "draws": 5, "packed": True},
)
async def draw_animation(
    request: AnyRequest,
    shared: Injected[MatchVisitor],
    renderer: Injected[PictureCache],
    first: Annotated[
        int | None,
        QueryParameter(
            name="from",
            ge=1,
            le=_MAX_VERSION,
            description="First version; by default the beginning.",
        ),
    ] = None,
    last: Annotated[
        int | None,
        QueryParameter(
            name="to", ge=1, le=_MAX_VERSION, description="Last version; by default the latest."
        ),
    ] = None,
) -> Response[bytes]:
    """Draw an animation of a match.

    The GIF has 640 by 640 pixels and shows the match as a spectator sees it, from version ``from``
    to version ``to``, without undone moves.
    """
    match = shared.match
    timeline = match.timeline
    end = _check_version(timeline, last)
    start = 1 if first is None else first
    if start > end:
        raise Refused("no_such_version", "error.no_such_version", last=end)
    make = partial(animation_job, timeline, start, end)
    return await _picture_response(
        request, renderer, match, ("gif", start, end), make, fixed=last is not None
    )
