"""The match page, with tags for link previews and preloads for the files of its game."""

from functools import partial
from html import escape
from pathlib import PurePath
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath

from service.http.i18n import t
from service.http.injection import AnyRequest, Injected
from service.http.problems import ApiProblem
from service.matches.access import can_view
from service.matches.match_cache import LoadedMatch
from service.matches.match_finder import MatchFinder
from service.media.board_prerender import insert_board, render_board, title_of_match
from service.media.frontend_files import FrontendFiles, app_page
from service.media.pictures.board import Boards
from service.media.pictures.frames import build_frame
from service.media.pictures.render_job import STILL_SIZE_PX
from service.players.identity import Player


@get(
    ["/m/{match_id:str}", "/m/{match_id:str}/review", "/m/{match_id:str}/try"],
    include_in_schema=False,
    opt={"cost": 5, "packed": True},
    media_type="text/html",
)
async def serve_match_page(
    request: AnyRequest,
    match_id: FromPath[str],
    finder: Injected[MatchFinder],
    pages: Injected[FrontendFiles],
    boards: Injected[Boards],
    base_url: Injected[str],
    visitor: Injected[Player | None],
) -> Response[bytes]:
    """Serve the app's page for a match, with its board and tags for link previews.

    The preview tags are included for a public match or with the match's share code, because the
    programs that create previews send no cookie, only the code in the link. For everyone who may
    see the match, the files of its game are preloaded. On the main page of the match, without a
    version, the board as spectators see it is included and shown until the app has loaded.
    """
    share = request.query_params.get("share")
    requested = request.query_params.get("v", "")
    tags, board = "", ""
    if match := await _find_match(finder, match_id, None, share):
        tags = _open_graph_tags(base_url, match, share, requested)
    elif visitor is not None:
        match = await _find_match(finder, match_id, visitor, share)
    if match is not None:
        tags += _preload_tags(await pages.game_assets(match.game))
        if not requested and request.url.path == f"/m/{match_id}":
            board = await render_board(boards, match)
    more = partial(insert_board, match_id, board) if board else None
    return await app_page(request, pages, tags, more)


async def _find_match(
    finder: MatchFinder, match_id: str, player: Player | None, share: str | None
) -> LoadedMatch | None:
    try:
        return await finder.find_match(match_id, player, share, fresh=False)
    except ApiProblem:
        return None


_PRELOAD_TYPES = {".js": "script", ".css": "style", ".svg": "fetch"}


def _preload_tags(addresses: list[str]) -> str:
    """Return low-priority preload tags, which are fetched after the page's own resources."""
    kinds = [(address, _PRELOAD_TYPES[PurePath(address).suffix]) for address in addresses]
    # Without ``crossorigin`` the browser would not use the preload when a script calls ``fetch()``.
    return "".join(
        f'<link rel="preload" as="{kind}" href="{address}" fetchpriority="low"'
        + (" crossorigin>\n" if kind == "fetch" else ">\n")
        for address, kind in kinds
    )


def _open_graph_tags(base_url: str, match: LoadedMatch, share: str | None, requested: str) -> str:
    """Return the Open Graph tags of a match at the requested version.

    ``requested``: the version as given in the URL. If it is not a number or exceeds the latest
    version, the tags are for the latest version.
    """
    timeline = match.timeline
    version = timeline.version
    if requested.isascii() and requested.isdecimal() and len(requested) < 10:
        version = min(max(int(requested), 1), version)
    shown = build_frame(timeline, timeline.at(version), None)
    code = {"share": share} if share and not can_view(timeline, None) else {}
    page = f"{base_url}/m/{match.id}?{urlencode({'v': version, **code})}"
    query = urlencode({"at": version, **code})
    found = {
        "og:type": "website",
        "og:site_name": "Caravanserai",
        "og:title": title_of_match(match, shown),
        "og:description": shown.headline,
        "og:url": page,
        "og:image": f"{base_url}/api/matches/{match.id}/picture.png?{query}",
        "og:image:type": "image/png",
        "og:image:width": str(STILL_SIZE_PX[0]),
        "og:image:height": str(STILL_SIZE_PX[1]),
        "og:image:alt": t("preview.alt", title=shown.title, headline=shown.headline),
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in found.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">\n'])
