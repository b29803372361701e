"""The trails map on the page: the drawing of `domain.games.caravanserail.picture` and overlays.

The overlays show planned journeys, traces and tap targets. Positions are written as in
`domain.games.caravanserail.board`: a letter for a place, "AF" for the trail from A towards F.
"""

from collections.abc import Callable
from typing import Any

from _native import add_listener, fill, size_of, svg, units_at

from domain.games.caravanserail import picture, trail_geometry
from domain.games.caravanserail.board import trail_of
from frontend.app.core.dom import tone
from frontend.app.core.scene_nodes import PieceLayer, piece_node, to_node
from frontend.app.core.types import Data, DomEvent, Node

TAP_RADIUS = 48  # maximum tap radius of a place or trail, in SVG units
LAYERS = ("homes", "traces", "legal", "journeys", "letters", "bands", "names", "pieces", "taps")


class TrailsBoard:
    """The trails map; its background is drawn once, then caravans and overlays are updated.

    ``missed(position)`` is called when a place or trail is tapped that is not a tap target.
    """

    def __init__(self, missed: Callable[[str], object] = lambda _position: None) -> None:
        x, y, w, h = trail_geometry.BOX
        self.missed = missed
        self.svg = svg("svg", {"viewBox": f"{x} {y} {w} {h}", "role": "img", "class": "trails"})
        self.at: dict[Any, Any] = {}
        self.spots: dict[str, tuple[int, int]] = {}
        self.pieces: dict[str, PieceLayer] = {}
        self.layers: dict[Any, Any] = {}
        self.traced: list[Any] = []
        self.fanned = ""
        self.placed: tuple[dict[tuple[int, int], str], Any] = ({}, None)
        add_listener(self.svg, "click", self._on_tap)

    def _on_tap(self, event: DomEvent) -> None:
        """Fan out the stack that was tapped; report a tap where nothing can be chosen."""
        if not self.spots:
            return
        x, y = units_at(self.svg, event.clientX, event.clientY)
        gaps = {name: (a - x) ** 2 + (b - y) ** 2 for name, (a, b) in self.spots.items()}
        where = self.placed[0]
        caravans = trail_geometry.caravan_points(self.at, where, self.fanned)
        for key, (a, b) in caravans.items():
            spot = trail_of(where[key]) or where[key]
            gaps[spot] = min(gaps[spot], (a - x) ** 2 + (b - y) ** 2)
        nearest = min(gaps, key=lambda name: gaps[name])
        if gaps[nearest] > TAP_RADIUS * TAP_RADIUS:
            nearest = ""
        if nearest and self.is_stack(nearest):
            self.fan(nearest)
        if nearest and not event.target.classList.contains("tap"):
            self.missed(nearest)

    # -- the ground ----------------------------------------------------------------------------

    def draw_ground(self, board: Data) -> None:
        """Draw the background for ``board``, the board in the game's view."""
        self.at = trail_geometry.points(board["places"])
        trails = {name: trail_geometry.point_of(self.at, name) for name in board["trails"]}
        self.spots = {**self.at, **trails}
        crowded = len(board["places"]) > 9
        for node in picture.land(self.at, board["trails"]):
            self.svg.append(to_node(node))
        for place in board["places"]:
            self.svg.append(to_node(picture.place(self.at, place["letter"], place["oasis"])))
        for name in LAYERS:
            self.layers[name] = svg("g", {"class": "layer-" + name})
            self.svg.append(self.layers[name])
        for place in board["places"]:
            text = picture.place_name(self.at, place["letter"], place["name"], crowded)
            self.layers["names"].append(to_node(text))
            letter = picture.place_letter(self.at, place["letter"], place["oasis"])
            self.layers["letters"].append(to_node(letter))
        self.pieces = {name: PieceLayer(self.layers[name]) for name in ("homes", "bands", "pieces")}

    def draw_homes(self, homes: Any) -> None:
        """Draw each home in its seat's colour; ``homes`` is ``{letter: seat}``."""
        self.pieces["homes"].put(picture.homes(self.at, homes))

    # -- caravans ------------------------------------------------------------------------------

    def place_caravans(self, where: dict[tuple[int, int], str], own: Any) -> None:
        """Draw caravans at ``{(seat, caravan): position}``, stacked where they meet."""
        self.placed = (where, own)
        self.pieces["pieces"].put(picture.caravans(self.at, where, own, self.fanned))

    def fan(self, spot: str) -> None:
        """Fan out the stack at a place or trail, or close it if it is fanned out."""
        self.fanned = "" if spot == self.fanned else spot
        for (seat, number), position in self.placed[0].items():
            if (trail_of(position) or position) == spot:
                layer = self.pieces["pieces"]
                layer.layer.append(layer.shown_pieces[f"caravan {seat} {number}"][1])
        self.place_caravans(*self.placed)

    def is_stack(self, spot: str) -> bool:
        """Return whether several caravans are at a place or trail."""
        there = [at for at in self.placed[0].values() if (trail_of(at) or at) == spot]
        return len(there) > 1

    def on_key(self, event: DomEvent) -> None:
        """Fan out all stacks on Enter, or close them."""
        if event.key == "Enter":
            self.fan(trail_geometry.ALL_FANNED)

    # -- overlays ------------------------------------------------------------------------------

    def set_targets(self, targets: Any, chosen: Any = None) -> None:
        """Mark the tap targets ``[(position, text, action)]``.

        ``chosen`` is the position that is selected but not confirmed, if any.
        """
        marks, taps = [], []
        spots = [trail_geometry.point_of(self.at, position) for position, _, _ in targets]
        for (position, text, does), (x, y) in zip(targets, spots, strict=True):
            looks = ["legal-halo", "legal-ring"]
            if position == chosen:
                looks += ["aim-halo", "aim"]
            size = 44 if len(position) == 1 else 26  # keeps the name of a place readable
            marks += [_circle(look, x, y, size) for look in looks]
            tap = _circle("tap", x, y, _tap_radius(x, y, spots), onclick=does)
            tap.append(svg("title", {}, text))
            taps.append(tap)
        fill(self.layers["legal"], marks)
        fill(self.layers["taps"], taps)

    def journeys(self, seat: int, orders: Any, looters: Any) -> None:
        """Draw a seat's plan instead of the previous one.

        ``orders``: ``(caravan, from, to)``; ``looters``: the trail of the looters, or "".
        """
        parts = [self._journey(*order) for order in orders if order[1] != order[2]]
        if looters:
            parts.append(piece_node(picture.looters(self.at, seat, looters)))
        fill(self.layers["journeys"], svg("g", {"style": tone(seat)}, parts) if parts else None)

    def _line(self, begin: Any, end: Any) -> tuple[Any, ...]:
        """Return the SVG path between two positions, its end point and the last point before it."""
        start, stop = trail_geometry.point_of(self.at, begin), trail_geometry.point_of(self.at, end)
        if len(begin) == 2 and len(end) == 2:
            corner = self.at[begin[1]]
            bend = f"Q{corner[0]} {corner[1]} {stop[0]} {stop[1]}"
            return f"M{start[0]} {start[1]}{bend}", stop, corner
        return f"M{start[0]} {start[1]}L{stop[0]} {stop[1]}", stop, start

    def _journey(self, caravan: int, begin: Any, end: Any) -> list[Any]:
        path, stop, corner = self._line(begin, end)
        ux, uy = trail_geometry.unit_vector(stop[0] - corner[0], stop[1] - corner[1])
        x, y = int(stop[0] - 4 * ux), int(stop[1] - 4 * uy)
        tip = {"d": trail_geometry.wedge_path(ux, uy), "transform": f"translate({x} {y})"}
        return [
            svg("path", {"class": "journey-edge", "d": path}),
            svg("path", {"class": "journey", "d": path}),
            svg("path", {"class": "journey-tip", **tip}),
            _circle("journey-end", x, y, 19),
            svg("text", {"class": "journey-number", "x": x, "y": y + 9}, str(caravan + 1)),
        ]

    def traces(self, moves: Any) -> None:
        """Draw the traces of caravans: a ring at the start and a dotted line.

        ``moves``: ``[(seat, caravan, from, to)]``.
        """
        if moves == self.traced:
            return
        self.traced = moves
        parts = []
        for seat, caravan, begin, end in moves:
            path, _, _ = self._line(begin, end)
            edge = svg("path", {"class": "journey-edge", "d": path})
            steps = svg("path", {"class": "trace-steps", "d": path})
            start = _circle("trace-begin", *trail_geometry.point_of(self.at, begin), 12)
            given = {"style": tone(seat), "data-trace": f"{seat}-{caravan}"}
            parts.append(svg("g", given, edge, steps, start))
        fill(self.layers["traces"], parts)

    def bands(self, raids: Any) -> None:
        """Draw the active looters ``[(seat, trail)]``."""
        self.pieces["bands"].put(picture.bands(self.at, raids))

    def scroll_to(self, scroller: Any, position: str) -> None:
        """Scroll vertically so that a position is in the middle of the view."""
        _, high = size_of(self.svg)
        _, sight = size_of(scroller)
        _, top, _, span = trail_geometry.BOX
        _, y = trail_geometry.point_of(self.at, position)
        scroller.scrollTop = (y - top) * high // span - sight // 2


def _circle(look: str, x: int, y: int, radius: int, **more: Any) -> Node:
    return svg("circle", {"class": look, "cx": x, "cy": y, "r": radius, **more})


def _tap_radius(x: int, y: int, spots: Any) -> int:
    """Return a tap radius that leaves half the distance to the nearest other target."""
    gaps = [((a - x) ** 2 + (b - y) ** 2) ** 0.5 for a, b in spots if (a, b) != (x, y)]
    return int(min([2 * TAP_RADIUS, *gaps])) // 2
