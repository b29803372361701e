"""The silk road on the page: the drawing of `domain.games.caravane.picture`, titles and traces.

Each part has a title for tooltips and screen readers. Traces show where the camels came from.
"""

from collections.abc import Sequence
from typing import Any

from _native import fill, size_of, svg

from domain.drawing.scene import Node as Drawing
from domain.drawing.scene import Piece
from domain.games.caravane import picture
from domain.games.caravane.road_geometry import HEIGHT, SKY_HEIGHT, SPOTS
from frontend.app.core.i18n import join_list
from frontend.app.core.scene_nodes import PieceLayer, to_node, trace_node
from frontend.app.core.types import Data, Node
from frontend.app.games.caravane.i18n import t

SQUARE_LABELS = {
    "water": t("board.water"),
    "leak": t("board.leak"),
    "bale": t("board.bale"),
    "damage": t("board.damage"),
}
EFFECT_SENTENCES = {
    "water": t("effect.water"),
    "leak": t("effect.leak"),
    "bale": t("effect.bale"),
    "damage": t("effect.damage"),
}
LOOK_AHEAD_UNITS = (
    30  # units by which the view is shifted to show more of the road ahead than behind
)


class Road:
    """The road; its background is drawn once, then camels and traces are updated."""

    def __init__(self) -> None:
        self.svg = svg("svg", {"viewBox": " ".join(map(str, picture.BOX)), "role": "img"})
        self.layers: tuple[PieceLayer, ...] = ()
        self.lengths: tuple[int, ...] = ()
        self.marks: Any = ()
        self.traced: Any = None

    # -- the ground ----------------------------------------------------------------------------

    def draw_track(self, track: list[Data], seats: int) -> None:
        """Draw the background; ``track`` is the track in the game's view."""
        self.lengths = tuple([stage["length"] for stage in track])
        for node in picture.draw_land():
            self.svg.append(to_node(node))
        self.marks = []
        for stage in track:
            mark = svg("g", {"class": "stage"})
            self.marks.append(mark)
            self.svg.append(mark)
            for square in range(1, stage["length"]):
                mark.append(self._square(stage["stage"], square, stage["special"]))
            mark.append(self._palace(stage, seats))
            mark.append(self._title(stage["stage"]))
        self.svg.append(to_node(picture.draw_camp()))
        self.traces = svg("g", {})
        camels, tags = svg("g", {}), svg("g", {})
        labels = svg("g", {"aria-hidden": "true"})
        PieceLayer(labels).put(self._labels(track, seats))
        for layer in (self.traces, camels, labels, tags):
            self.svg.append(layer)
        self.layers = (PieceLayer(camels), PieceLayer(tags))

    def spot(self, stage: int, square: int) -> int:
        """Return the index on the whole road of a square of a stage."""
        return sum(self.lengths[: max(1, stage) - 1]) + square

    def _square(self, stage: int, square: int, special: Any) -> Node:
        what = special.get(str(square))
        where = {"square": square, "stage": stage}
        name = t("board.square", **where)
        if what:
            name = t("board.special_square", what=EFFECT_SENTENCES[what], **where)
        spot = self.spot(stage, square)
        return _titled_part("square " + (what or "plain"), name, picture.draw_square(spot, what))

    def _palace(self, stage: Data, seats: int) -> Node:
        number = stage["stage"]
        silk = [str(bales) for bales in stage["palace"][:seats]]
        text = t("board.palace", number=number, bales=join_list(silk))
        parts = picture.draw_palace(number, self.spot(number, stage["length"]))
        return _titled_part("palace", text, parts)

    def _labels(self, track: list[Data], seats: int) -> list[Piece]:
        """Return the visible labels of special squares and palaces."""
        found = []
        for stage in track:
            number = stage["stage"]
            for square, what in stage["special"].items():
                spot = self.spot(number, int(square))
                found.append(picture.draw_square_label(spot, SQUARE_LABELS[what]))
            silk = [str(bales) for bales in stage["palace"][:seats]]
            found.append(picture.draw_palace_label(self.spot(number, stage["length"]), silk))
        return found

    def _title(self, number: int) -> Node:
        _, y = SPOTS[self.spot(number, 0)]
        place = (
            {"x": 500, "y": y + 54, "style": "text-anchor:end"},
            {"x": 160, "y": y - 40, "style": "text-anchor:start"},
            # avoids overlapping the labels of squares
            {"x": 626, "y": y - 272, "style": "text-anchor:end"},
        )[number - 1]
        return svg("text", {"class": "stage-word", **place}, t("board.stage", number=number))

    def mark_stage(self, stage: int) -> None:
        """Highlight the current stage and dim the others."""
        for number, mark in enumerate(self.marks, start=1):
            mark.setAttribute("class", "stage" if number == max(1, stage) else "stage other")

    # -- camels --------------------------------------------------------------------------------

    def place_camels(self, places: list[int], letters: Sequence[str], own: Any) -> None:
        """Place each seat's camel on its spot; camels on the same spot are drawn side by side."""
        camels, tags = picture.draw_camels(places, letters, own)
        self.layers[0].put(camels)
        self.layers[1].put(tags)

    def draw_traces(self, routes: Any) -> None:
        """Draw each seat's trace; ``routes`` holds its first and last spot, by seat.

        A trace is a ring at the start followed by steps. The traces of several seats run side by
        side.
        """
        if routes == self.traced:
            return
        self.traced = routes
        parts = []
        for seat, (begin, end) in enumerate(routes):
            if begin >= end:  # nothing to draw; the view may be older than the events
                continue
            aside = 7 * (2 * seat - len(routes) + 1) // 2
            spots = [(x + aside, y + aside) for x, y in SPOTS[begin : end + 1]]
            parts.append(trace_node(seat, spots, 9))
        fill(self.traces, parts)

    def scroll_to(self, scroller: Any, places: list[int]) -> None:
        """Scroll so that the camels on these spots and the road ahead of them are in view."""
        _, high = size_of(self.svg)
        _, sight = size_of(scroller)
        heights = [SPOTS[spot][1] for spot in places]
        middle = SKY_HEIGHT + (min(heights) + max(heights)) // 2 - LOOK_AHEAD_UNITS
        scroller.scrollTop = middle * high // (HEIGHT + SKY_HEIGHT) - sight // 2


def _titled_part(kind: str, text: str, parts: Sequence[Drawing]) -> Node:
    """Return a part of the background with a title."""
    return svg("g", {"class": kind}, svg("title", {}, text), [to_node(part) for part in parts])
