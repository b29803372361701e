"""The tiles of drawn maps: names, pictures of single tiles and pictures of whole maps."""

from collections.abc import Sequence
from typing import Any

from _native import svg

from domain.drawing.scene import Node as Drawing
from domain.drawing.scene import plate, use
from domain.games.conquest.map_draft import BARE, CHEST
from domain.games.conquest.picture import GROUND, SIDE, chests, middle, tile
from domain.text.i18n import N_
from frontend.app.core.i18n import LANGUAGE
from frontend.app.core.scene_nodes import piece_node, to_node
from frontend.app.core.types import Node
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.phrases import TILES

NAMES = {
    **{letter: TILES[letter] for letter in "DGMORCSPBF"},
    CHEST: N_("map_editor.treasure"),
    BARE: N_("map_editor.empty"),
}
"""The names of the palette's tiles, in display order."""
HALF_SIDE = SIDE // 2
BOX = f"{-HALF_SIDE} {-HALF_SIDE} {SIDE} {SIDE}"


def name_of(letter: str) -> str:
    """Return the name of a tile."""
    return t(NAMES[letter])


def describe_flaw(key: str, args: dict[str, Any]) -> str:
    """Return a sentence about a fault of a map."""
    return LANGUAGE.format_message("conquest", key, args)


def drawing(letter: str) -> Drawing:
    """Return the drawing of a tile, a chest or a bare tile, centred on (0, 0)."""
    if letter == CHEST:
        return use("cq-chest", 0, 0, SIDE * 0.7)
    if letter == BARE:
        edge = SIDE - 16
        return plate(8 - HALF_SIDE, 8 - HALF_SIDE, edge, edge, 10, "", "tile-line", 3, "bare")
    return tile(letter)


def sign(letter: str) -> Node:
    """Return a picture of one tile."""
    return svg("svg", {"viewBox": BOX, "aria-hidden": "true"}, to_node(drawing(letter)))


def picture(rows: Sequence[str], treasure: Sequence[Any], label: str) -> Node:
    """Return a picture of a whole map with its treasure."""
    parts = []
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            x, y = middle((row, column))
            moved = {"transform": f"translate({x} {y})"}
            parts.append(svg("g", moved, to_node(drawing(letter))))
    parts.extend([piece_node(piece) for piece in chests(treasure)])
    box = f"0 0 {SIDE * len(rows[0])} {SIDE * len(rows)}"
    given = {"viewBox": box, "role": "img", "aria-label": label, "class": "map-picture"}
    return svg("svg", given, parts)


def sketch(rows: Sequence[str]) -> Node:
    """Return a thumbnail of a map that shows only the ground colours."""
    paths: dict[str, str] = {}
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            paths[letter] = paths.get(letter, "") + f"M{column} {row}h1v1h-1Z"
    parts = [
        svg("path", {"d": d, "fill": GROUND.get(letter, "none")}) for letter, d in paths.items()
    ]
    box = f"0 0 {len(rows[0])} {len(rows)}"
    return svg("svg", {"viewBox": box, "aria-hidden": "true", "class": "sketch"}, parts)
