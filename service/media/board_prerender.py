"""Server-side rendering of the board on the match page, which is shown before any script runs.

Where the dock will be, it says which match it is and whose turn. Both are as spectators see them,
so the page contains only what everyone with access to the match may see. The app builds its page
hidden behind the board and then removes both (`frontend.app.match.page`).
"""

import asyncio
import re
from html import escape

from domain.contract.registry import game_module
from service.common.log_safety import error_location, service_logger
from service.http.i18n import current_language, t
from service.matches.match_cache import LoadedMatch
from service.matches.seat_names import name_of_seat
from service.media.pictures.board import Boards
from service.media.pictures.frames import build_frame
from service.media.pictures.render_job import Frame

log = service_logger()

_SKELETON = '<div class="skeleton" style="min-height:40vh"></div><div class="skeleton"></div>'
_BUSY_MAIN = '<main class="page" aria-busy="true">'
_SIZE = re.compile(r' width="\d+" height="\d+"')


async def render_board(boards: Boards, match: LoadedMatch) -> str:
    """Return the current board of a match and what the dock says first, as HTML.

    The board is SVG with colours as CSS variables. Returns "" before the match begins, because the
    page shows no board then, for a game that draws no board, and if drawing fails.
    """
    timeline = match.timeline
    if timeline.latest.state is None or game_module(match.game, "picture") is None:
        return ""
    try:
        drawn = await asyncio.to_thread(
            boards.board_of_match, match.id, timeline, timeline.version, None
        )
        shown = await asyncio.to_thread(build_frame, timeline, timeline.latest, None)
    except Exception as error:
        # The page works without the board. Log only the type and location of the error, because
        # its message may contain secrets.
        log.error("no board in the page of %s: %s", match.id, error_location(error))
        return ""
    board = _SIZE.sub(' aria-hidden="true"', drawn.decode(), count=1)
    title, headline = escape(title_of_match(match, shown)), escape(shown.headline)
    return (
        f'<div class="first-board">{board}</div>'
        f'<div class="first-dock"><p><b>{title}</b><br>{headline}</p></div>'
    )


def title_of_match(match: LoadedMatch, shown: Frame) -> str:
    """Return the title of the game and the players' names in the order of their seats."""
    seats = match.timeline.latest.seats
    names = [name_of_seat(seats[i]) or shown.names[i] for i in shown.seat_order()]
    return t("preview.title", title=shown.title, names=current_language().join_list(names))


def insert_board(match_id: str, board: str, body: bytes) -> bytes:
    """Return the app's page with the board instead of the placeholder."""
    main = f'<main class="page waits" aria-busy="true" data-match="{escape(match_id)}">'
    page = body.decode().replace(_BUSY_MAIN, main, 1).replace(_SKELETON, board, 1)
    return page.encode()
