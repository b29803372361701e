"""The map on the page: the drawing of `domain.games.conquest.picture` and overlays.

The overlays show the tiles in reach, the selected tile, and other players' routes.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from _native import svg

from domain.games.conquest import picture
from domain.games.conquest.picture import SIDE, middle
from frontend.app.core.dom import fill
from frontend.app.core.scene_nodes import PieceLayer, to_node, trace_node
from frontend.app.core.types import Box, Node, View

PIECE_LAYERS = ("changed", "chests", "caravans")
OVERLAYS = ("reach", "trace", "way", "numbers", "target", "lit", "cursor")
Place = tuple[int, int]


class MapBoard:
    """The map in an SVG: the land is drawn once, the other layers at each moment."""

    def __init__(self, parent: Any) -> None:
        self.parent = parent
        self.rows: Any = None
        self.layers: dict[str, Node] = {}
        self.pieces: dict[str, PieceLayer] = {}
        self.shown: dict[str, Any] = {}

    @property
    def bounds(self) -> Box:
        """The box ``(x, y, width, height)`` of the whole map, in SVG units."""
        high, wide = len(self.rows), len(self.rows[0])
        edge = picture.MARGIN
        return (-edge, -edge, SIDE * wide + 2 * edge, SIDE * high + 2 * edge)

    def draw_ground(self, rows: Sequence[str]) -> None:
        """Draw the land if it has changed."""
        if self.rows == rows:
            return
        self.rows = rows
        self.parent.replaceChildren()
        self.shown = {}
        land = svg("g", {"class": "land"})
        for node in picture.land(rows):
            land.append(to_node(node))
        self.parent.append(land)
        for name in ("changed", *OVERLAYS[:3], "chests", "caravans", *OVERLAYS[3:]):
            self.layers[name] = svg("g", {"class": name})
            self.parent.append(self.layers[name])
        x, y, wide, high = self.bounds
        box = {"x": x, "y": y, "width": wide, "height": high}
        self.layers["changed"].after(svg("rect", {"class": "moonlight", **box}))
        self.pieces = {name: PieceLayer(self.layers[name]) for name in PIECE_LAYERS}

    def place_at(self, x: int, y: int) -> Place | None:
        """Return the ``(row, column)`` of the tile at a position in SVG units, or None."""
        row, column = int(y // SIDE), int(x // SIDE)
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]):
            return row, column
        return None

    # -- pieces --------------------------------------------------------------------------------

    def put(self, view: View, letters: Sequence[str]) -> None:
        """Draw treasure, caravans and changed tiles (dried-up oases)."""
        self._put("changed", view["tiles"], lambda: picture.changed_tiles(self.rows, view["tiles"]))
        self._put("chests", view["treasure"], lambda: picture.chests(view["treasure"]))
        spots = [player["at"] for player in view["players"]]
        self._put("caravans", (spots, letters), lambda: picture.caravans(view, letters))

    def _put(self, name: str, look: Any, make: Any) -> None:
        """Redraw a layer of pieces with ``make()`` if its key ``look`` has changed."""
        if self.shown.get(name) != look:
            self.shown[name] = look
            self.pieces[name].put(make())

    # -- legal moves ---------------------------------------------------------------------------

    def reach(self, left: dict[Place, int | None]) -> None:
        """Mark the tiles in reach, with the steps left there.

        None instead of a number means that the turn may not end there.
        """
        if self.shown.get("reach") == left:
            return
        self.shown["reach"] = left
        rings, numbers = [], []
        for place, steps in left.items():
            named = {"class": "legal", "data-place": f"{place[0]},{place[1]}", "data-left": steps}
            looks = ("legal-halo", "legal-ring")
            rings.append(svg("g", named, [_square(look, place, 43, 10) for look in looks]))
            if steps is not None:
                x, y = middle(place)
                disc = {"class": "left-plate", "cx": x - 29, "cy": y + 29, "r": 16}
                numbers.append(svg("circle", disc))
                numbers.append(svg("text", {"class": "left", "x": x - 29, "y": y + 37}, str(steps)))
        fill(self.layers["reach"], rings)
        fill(self.layers["numbers"], numbers)

    def target(self, place: Place | None, path: Sequence[Place]) -> None:
        """Mark the selected tile and the route to it, instead of the previous ones."""
        squares, ways = [], []
        if place is not None:
            at = {"data-place": f"{place[0]},{place[1]}"}
            squares = [
                _square(look, place, 47, 12, **at) for look in ("target-halo", "target-edge")
            ]
        if len(path) > 1:
            d = "M" + "L".join([f"{x} {y}" for x, y in [middle(place) for place in path]])
            ways = [svg("path", {"class": look, "d": d}) for look in ("way-halo", "way")]
        fill(self.layers["target"], squares)
        fill(self.layers["way"], ways)

    def trace(self, seat: int, path: Sequence[Place]) -> None:
        """Draw a caravan's latest route; fewer than two places clear it."""
        if self.shown.get("trace") == (seat, path):
            return
        self.shown["trace"] = (seat, path)
        drawn = trace_node(seat, [middle(place) for place in path], 9) if len(path) > 1 else None
        fill(self.layers["trace"], drawn)

    def light(self, places: Iterable[Place]) -> None:
        """Highlight these tiles instead of the previous ones."""
        self._squares("lit", places)

    def cursor(self, place: Place | None) -> None:
        """Show the keyboard cursor on a tile; None hides it."""
        self._squares("cursor", () if place is None else (place,))

    def _squares(self, name: str, places: Iterable[Place]) -> None:
        fill(self.layers[name], [_square(name, place, 46, 11) for place in places])


def _square(look: str, place: Place, half: int, radius: int, **more: Any) -> Node:
    """Return a square around the middle of a tile, with rounded corners."""
    x, y = middle(place)
    side = 2 * half
    box = {"x": x - half, "y": y - half, "width": side, "height": side, "rx": radius}
    return svg("rect", {"class": look, **more, **box})


def box_of(places: Iterable[Place], margin: int) -> Box:
    """Return the box ``(x, y, width, height)`` around tiles with a margin, in SVG units."""
    rows = [place[0] for place in places]
    columns = [place[1] for place in places]
    left, top = SIDE * min(columns) - margin, SIDE * min(rows) - margin
    wide = SIDE * (max(columns) + 1) + margin - left
    return (left, top, wide, SIDE * (max(rows) + 1) + margin - top)
