"""Server-side rendering of a match's board, shown before any script runs.

It is the board as spectators see it, so the page contains nothing that not everybody with access to
the match may see. The app builds the match page hidden behind it and then removes it
(`frontend.app.match.page`).
"""

import asyncio
import re
from html import escape

from domain.contract.registry import game_module
from service.common.log_safety import logger, where
from service.matches.match_cache import Table
from service.media.pictures.board import Boards

log = logger()

_BONES = '<div class="skeleton" style="min-height:40vh"></div><div class="skeleton"></div>'
_MAIN = '<main class="page" aria-busy="true">'
_SIZE = re.compile(r' width="\d+" height="\d+"')


async def first_board(boards: Boards, table: Table) -> str:
    """Return the SVG of a match's board as it is now.

    Returns "" while seats are open, because the page shows no board then, and for a game that draws
    none.
    """
    timeline = table.timeline
    if timeline.latest.state is None or game_module(table.game, "picture") is None:
        return ""
    try:
        drawn = await asyncio.to_thread(boards.of, table.id, timeline, timeline.version, None)
    except Exception as error:
        # The page works without it. Only type and place are logged: the message may contain
        # secrets.
        log.error("no board in the page of %s: %s", table.id, where(error))
        return ""
    return _SIZE.sub(' aria-hidden="true"', drawn.decode(), count=1)


def with_board(match_id: str, board: str, body: bytes) -> bytes:
    """Return the app's page with the board in place of the placeholder."""
    main = f'<main class="page waits" aria-busy="true" data-match="{escape(match_id)}">'
    place = f'<div class="first-board">{board}</div>'
    page = body.decode().replace(_MAIN, main, 1).replace(_BONES, place, 1)
    return page.encode()
