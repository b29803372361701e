"""The page of a match, with tags for link previews and preloads of its game's files."""

from functools import partial
from html import escape
from pathlib import PurePath
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath

from service.http.i18n import language, t
from service.http.injection import Injected, Req
from service.http.problems import Fault
from service.matches.access import may_look
from service.matches.actions import Play
from service.matches.match_cache import Table
from service.matches.seat_names import given_name
from service.media.board_prerender import first_board, with_board
from service.media.frontend_files import Pages, app_page
from service.media.pictures.board import Boards
from service.media.pictures.frames import frame
from service.media.pictures.render_job import WIDE
from service.players.identity import Player


@get(
    ["/m/{match_id:str}", "/m/{match_id:str}/review", "/m/{match_id:str}/try"],
    include_in_schema=False,
    opt={"cost": 5, "packed": True},
    media_type="text/html",
)
async def serve_match_page(
    request: Req,
    match_id: FromPath[str],
    play: Injected[Play],
    pages: Injected[Pages],
    boards: Injected[Boards],
    base_url: Injected[str],
    visitor: Injected[Player | None],
) -> Response[bytes]:
    """Serve the app's page for a match, with its board and tags for link previews.

    The preview tags are added for a public match or with its share code: programs that make
    previews send no cookie, so they have only the code in the link. For everybody who may see the
    match the files of its game are preloaded and the board, as spectators see it, is shown until
    the app has loaded.
    """
    share = request.query_params.get("share")
    asked = request.query_params.get("v", "")
    tags, board = "", ""
    if table := await _table(play, match_id, None, share):
        tags = _preview(base_url, table, share, asked)
    elif visitor is not None:
        table = await _table(play, match_id, visitor, share)
    if table is not None:
        tags += _early(await pages.of_game(table.game))
        if not asked and request.url.path == f"/m/{match_id}":
            board = await first_board(boards, table)
    more = partial(with_board, match_id, board) if board else None
    return await app_page(request, pages, tags, more)


async def _table(
    play: Play, match_id: str, player: Player | None, share: str | None
) -> Table | None:
    try:
        return await play.table(match_id, player, share, fresh=False)
    except Fault:
        return None


_KINDS = {".js": "script", ".css": "style", ".svg": "fetch"}


def _early(addresses: list[str]) -> str:
    """Return preload tags of low priority, fetched after what the page itself names."""
    kinds = [(address, _KINDS[PurePath(address).suffix]) for address in addresses]
    # Without `crossorigin` the browser would not use the preload for a `fetch()` of a script.
    return "".join(
        f'<link rel="preload" as="{kind}" href="{address}" fetchpriority="low"'
        + (" crossorigin>\n" if kind == "fetch" else ">\n")
        for address, kind in kinds
    )


def _preview(base_url: str, table: Table, share: str | None, asked: str) -> str:
    """Return the Open Graph tags of a match at the requested version, or now."""
    timeline = table.timeline
    version = timeline.version
    if asked.isascii() and asked.isdecimal() and len(asked) < 10:
        version = min(max(int(asked), 1), version)
    shown = frame(timeline, timeline.at(version), None)
    code = {"share": share} if share and not may_look(timeline, None) else {}
    page = f"{base_url}/m/{table.id}?{urlencode({'v': version, **code})}"
    query = urlencode({"at": version, **code})
    by_seat = [given_name(timeline.latest.seats[i]) or shown.names[i] for i in shown.order()]
    names = language().join_list(by_seat)
    found = {
        "og:type": "website",
        "og:site_name": "Caravanserai",
        "og:title": t("{title}: {names}", title=shown.title, names=names),
        "og:description": shown.headline,
        "og:url": page,
        "og:image": f"{base_url}/api/matches/{table.id}/picture.png?{query}",
        "og:image:type": "image/png",
        "og:image:width": str(WIDE[0]),
        "og:image:height": str(WIDE[1]),
        "og:image:alt": t("{title}. {headline}.", title=shown.title, headline=shown.headline),
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in found.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">\n'])
