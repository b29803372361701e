"""The courtyard on the page: the drawing of `domain.games.courtyard.picture` and overlays.

The overlays show the spaces in reach with their distances, and the latest routes.
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import fill, svg

from domain.games.courtyard import picture
from domain.games.courtyard.board import SPACES
from domain.games.courtyard.geometry import COLUMN, HEIGHT, ROW, SPACE_SIZE, SPOTS, WIDTH
from domain.games.courtyard.static_board import static_nodes
from frontend.app.core.scene_nodes import PieceLayer, to_node, trace_node
from frontend.app.core.types import DomEvent, Node, View


class CourtyardBoard:
    """The courtyard board, whose background is drawn once.

    ``tapped(space)`` is called when a space is tapped or activated with the keyboard.
    """

    def __init__(self, tapped: Callable[[str], object]) -> None:
        self.tapped = tapped
        box = f"0 0 {WIDTH} {HEIGHT}"
        self.svg = svg("svg", {"viewBox": box, "role": "group", "class": "court"})
        land = svg("g", {"aria-hidden": "true"})
        for node in static_nodes():
            land.append(to_node(node))
        self.svg.append(land)
        self.layers: dict[str, Node] = {}
        for name in ("traces", "things", "legal", "players", "tags", "steps", "taps"):
            hush = {} if name == "taps" else {"aria-hidden": "true"}
            self.layers[name] = svg("g", {"class": "layer-" + name, **hush})
            self.svg.append(self.layers[name])
        self.pieces = {
            name: PieceLayer(self.layers[name]) for name in ("things", "players", "tags")
        }
        self.taps = {space: self._tap(space) for space in SPACES}
        self.traced: Any = None

    def _tap(self, space: str) -> Node:
        x, y = SPOTS[space]

        def key(event: DomEvent) -> None:
            if event.key in ("Enter", " "):
                event.preventDefault()
                event.stopPropagation()
                self.tapped(space)

        box = {"x": x - COLUMN / 2, "y": y - ROW / 2, "width": COLUMN, "height": ROW, "rx": 12}
        given = {"class": "tap", "data-space": space, "role": "button", "tabindex": "0", **box}
        does = {"onclick": lambda _e: self.tapped(space), "onkeydown": key}
        node = svg("rect", {**given, **does})
        self.layers["taps"].append(node)
        return node

    def show(self, view: View, places: list[str], letters: Sequence[str], own: Any) -> None:
        """Draw the fountain, the offers, and the players on their spaces ``places``."""
        self.pieces["things"].put([picture.fountain(view["fountain"]), *picture.offers(view)])
        medals, tags = picture.figures(places, letters, own)
        self.pieces["players"].put(medals)
        self.pieces["tags"].put(tags)

    def set_label(self, space: str, text: str) -> None:
        """Set the accessible name of a space."""
        self.taps[space].setAttribute("aria-label", text)

    def set_targets(self, reach: dict[str, int], chosen: str | None) -> None:
        """Highlight the spaces in reach with their distances, and the selected space."""
        marks, numbers = [], []
        for space, steps in reach.items():
            marks.append(_ring(space, "legal-halo"))
            marks.append(_ring(space, "legal-ring"))
            x, y = SPOTS[space]
            badge = {"cx": x + 34, "cy": y - 42, "r": 19}
            number = {"class": "step-number", "x": x + 34, "y": y - 32}
            numbers.append(svg("circle", {"class": "step-badge", **badge}))
            numbers.append(svg("text", number, str(steps)))
        if chosen:
            marks.append(_ring(chosen, "aim-halo"))
            marks.append(_ring(chosen, "aim"))
        fill(self.layers["legal"], marks)
        fill(self.layers["steps"], numbers)
        for space, tap in self.taps.items():
            tap.setAttribute("class", "tap legal" if space in reach else "tap")
            tap.setAttribute("aria-pressed", "true" if space == chosen else "false")

    def trace(self, moves: Any) -> None:
        """Draw the routes ``[(seat, [space])]``, with a ring at the start of each."""
        if moves == self.traced:
            return
        self.traced = moves
        parts = [trace_node(seat, [SPOTS[space] for space in spaces], 11) for seat, spaces in moves]
        fill(self.layers["traces"], parts)


def _ring(space: str, kind: str) -> Node:
    x, y = SPOTS[space]
    wide, high = SPACE_SIZE[0] + 2, SPACE_SIZE[1] + 2
    box = {"x": x - wide / 2, "y": y - high / 2, "width": wide, "height": high, "rx": 12}
    return svg("rect", {"class": kind, **box})
