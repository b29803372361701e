"""Board thumbnails of local matches, for the list on the home page.

They show only public information.
"""

from _native import local_match_put_picture, svg_text

from domain.contract.registry import game_module
from domain.drawing.scene import seat_letters
from domain.presentation.viewpoint import display_name
from frontend.app.api import local_gateway
from frontend.app.core.i18n import LANGUAGE
from frontend.app.core.scene_nodes import piece_node, to_node
from frontend.app.offline.server import SERVER


def draw_thumbnail(match_id: str) -> str:
    """Draw a match's board, store the picture in its head and return it.

    Returns the stored picture if the version has not changed, "" if the match is not loaded.
    """
    table = SERVER.matches.get(match_id)
    if table is None:
        return ""
    if table.thumbnail_version == table.timeline.version:
        return str(table.head["picture"])
    timeline = table.timeline
    now = timeline.latest
    module = game_module(now.opened.game, "picture")
    names = [display_name(seat, number, LANGUAGE) for number, seat in enumerate(now.seats)]
    scene = module.scene(timeline.rules.view(now.state, None), seat_letters(names))
    nodes = [to_node(node) for node in scene.ground]
    nodes.extend([piece_node(piece) for piece in scene.pieces])
    picture = svg_text(" ".join([str(number) for number in scene.box]), nodes)
    table.head = {**table.head, "picture": picture}
    table.thumbnail_version = timeline.version
    local_match_put_picture(match_id, picture)
    return picture


local_gateway.provide(thumbnail=draw_thumbnail)
