"""Server-side rendering of the board on the match page, which is shown before any script runs.

The board is shown as spectators see it, so the page contains only what everyone with access to the
match may see. The app builds its page hidden behind this board and then removes it
(`frontend.app.match.page`).
"""

import asyncio
import re
from html import escape

from domain.contract.registry import game_module
from service.common.log_safety import error_location, service_logger
from service.matches.match_cache import LoadedMatch
from service.media.pictures.board import Boards

log = service_logger()

_SKELETON = '<div class="skeleton" style="min-height:40vh"></div><div class="skeleton"></div>'
_BUSY_MAIN = '<main class="page" aria-busy="true">'
_SIZE = re.compile(r' width="\d+" height="\d+"')


async def render_board(boards: Boards, match: LoadedMatch) -> str:
    """Return the current board of a match as SVG, with colours as CSS variables.

    Returns "" before the match begins, because the page shows no board then, for a game that draws
    no board, and if drawing fails.
    """
    timeline = match.timeline
    if timeline.latest.state is None or game_module(match.game, "picture") is None:
        return ""
    try:
        drawn = await asyncio.to_thread(
            boards.board_of_match, match.id, timeline, timeline.version, None
        )
    except Exception as error:
        # The page works without the board. Log only the type and location of the error, because
        # its message may contain secrets.
        log.error("no board in the page of %s: %s", match.id, error_location(error))
        return ""
    return _SIZE.sub(' aria-hidden="true"', drawn.decode(), count=1)


def insert_board(match_id: str, board: str, body: bytes) -> bytes:
    """Return the app's page with the board instead of the placeholder."""
    main = f'<main class="page waits" aria-busy="true" data-match="{escape(match_id)}">'
    place = f'<div class="first-board">{board}</div>'
    page = body.decode().replace(_BUSY_MAIN, main, 1).replace(_SKELETON, place, 1)
    return page.encode()
