"""The board of a match, written into its page: whoever follows a link sees it before any script.

It is the drawing for spectators, so that the page holds nothing that not everybody at the table
may see. The app puts the table up behind it and takes it away (`frontend.app.match_page`).
"""

import asyncio
import re
from html import escape

from domain.register import part_of
from service.base.text import logger, where
from service.matches.tables import Table
from service.media.pictures.board import Boards

log = logger()

_BONES = '<div class="skeleton" style="min-height:40vh"></div><div class="skeleton"></div>'
_MAIN = '<main class="page" aria-busy="true">'
_SIZE = re.compile(r' width="\d+" height="\d+"')


async def first_board(boards: Boards, table: Table) -> str:
    """The markup of a match's board as it is now; "" while seats are open, which shows no board,
    and for a game that draws none."""
    timeline = table.timeline
    if timeline.now.state is None or part_of(table.game, "picture") is None:
        return ""
    try:
        drawn = await asyncio.to_thread(boards.of, table.id, timeline, timeline.version, None)
    except Exception as error:
        # The table can be played without it; only the kind and place, for a message may tell more.
        log.error("no board in the page of %s: %s", table.id, where(error))
        return ""
    return _SIZE.sub(' aria-hidden="true"', drawn.decode(), count=1)


def with_board(match_id: str, board: str, body: bytes) -> bytes:
    """The app's page with the board in the place of what else stands for it."""
    main = f'<main class="page waits" aria-busy="true" data-match="{escape(match_id)}">'
    place = f'<div class="first-board">{board}</div>'
    page = body.decode().replace(_MAIN, main, 1).replace(_BONES, place, 1)
    return page.encode()
