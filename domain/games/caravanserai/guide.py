"""Rules guide to Caravanserai in text and pictures; see `domain.contract.guide`.

Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.caravanserai import picture
from domain.text.i18n import N_

RULINGS = 28
_FIRST, _LAST = {-1: 0, 0: 0, 1: -1}, {-1: 7, 0: 6, 1: 6}
_TONES = {-1: "outer", 0: "intermediate", 1: "central"}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the current step of a view."""
    if view["step"] == "place":
        return "end" if view["final_round"] else "blocks"
    return {"start": "start", "take": "stop", "set": "tail", "over": "end"}[str(view["step"])]


_HINTS = {
    "start": N_("hint.start"),
    "first": N_("hint.first"),
    "expert": N_("hint.expert"),
    "next": N_("hint.next"),
    "take": N_("hint.take"),
    "set": N_("hint.set"),
    "over": "",
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current step, or "" if there is none."""
    step = view["step"]
    if step == "place":
        step = "next" if view["placement"]["blocks"] else "expert" if view["expert"] else "first"
    return _HINTS[step]


def _cells(courts: dict[tuple[int, int], str]) -> list[list[Any]]:
    """Return three rows of cells; ``courts``: the colours of caravanserais by ``(q, r)``."""
    return [
        [q, r, courts.get((q, r)), _TONES[r]]
        for r in (-1, 0, 1)
        for q in range(_FIRST[r], _LAST[r])
    ]


def _land(courts: dict[tuple[int, int], str]) -> tuple[Node, ...]:
    cells = _cells(courts)
    return picture.draw_ground(cells, [r for _, r, _, _ in cells])


def _caravan(pieces: tuple[tuple[int, int, str], ...]) -> tuple[Node, ...]:
    halos, ribbons, beads = picture.draw_caravan(0, pieces)
    return place_pieces([*halos, *ribbons, *beads])


def _placement() -> tuple[Node, ...]:
    """Draw a camel, one yellow and two white goods, and a camel.

    One of the white goods is on a white caravanserai.
    """
    line = ((0, 0, "camel"), (1, 0, "yellow"), (2, 0, "white"), (3, 0, "white"), (4, 0, "camel"))
    return (*_land({(3, 0): "white", (0, 0): "red", (5, -1): "black"}), *_caravan(line))


def _bend() -> tuple[Node, ...]:
    """Draw a caravan that turns on a purple caravanserai and ends on a red one."""
    line = ((0, 0, "camel"), (1, 0, "purple"), (2, 0, "purple"), (3, -1, "camel"))
    return (*_land({(2, 0): "purple", (3, -1): "red", (4, 1): "yellow"}), *_caravan(line))


def _goods() -> tuple[Node, ...]:
    """Draw two standing goods and an empty caravanserai."""
    courts = {(1, 0): "black", (3, 0): "yellow", (4, -1): "red"}
    return (*_land(courts), *place_pieces(picture.draw_standing_goods(courts, [(1, 0), (3, 0)])))


_BOX = picture.board_bounds(_cells({}))
GUIDE = (
    section("aim", "guide.aim.title", "guide.aim.1"),
    section(
        "things",
        "guide.things.title",
        "guide.things.1",
        points("guide.things.tiles", "guide.things.reserve", "guide.things.market"),
        Picture("guide.things.picture", _BOX, _goods),
        ruling("guide.things.ruling12", 12),
        ruling("guide.things.ruling16", 16, 20),
    ),
    section(
        "start",
        "guide.start.title",
        "guide.start.1",
        ruling("guide.start.ruling26", 26),
        ruling("guide.start.ruling27", 27),
    ),
    section(
        "turn",
        "guide.turn.title",
        "guide.turn.1",
        points("guide.turn.lay", "guide.turn.count", "guide.turn.take"),
        ruling("guide.turn.ruling7", 7),
        ruling("guide.turn.ruling14", 14, 21),
    ),
    section(
        "blocks",
        "guide.blocks.title",
        "guide.blocks.1",
        "guide.blocks.2",
        Picture("guide.blocks.picture", _BOX, _placement),
        ruling("guide.blocks.ruling1", 1, 2),
        ruling("guide.blocks.ruling6", 6),
        ruling("guide.blocks.ruling25", 25),
        Picture("guide.blocks.turn_picture", _BOX, _bend),
    ),
    section(
        "standing",
        "guide.standing.title",
        "guide.standing.1",
        ruling("guide.standing.ruling4", 4, 5),
        ruling("guide.standing.ruling24", 24),
    ),
    section("stop", "guide.stop.title", "guide.stop.1", ruling("guide.stop.ruling9", 9, 23)),
    section(
        "count",
        "guide.count.title",
        "guide.count.1",
        ruling("guide.count.ruling3", 3),
        ruling("guide.count.ruling8", 8),
        "guide.count.example",
    ),
    section(
        "tail",
        "guide.tail.title",
        "guide.tail.1",
        ruling("guide.tail.ruling10", 10),
        ruling("guide.tail.ruling11", 11, 22),
    ),
    section(
        "end",
        "guide.end.title",
        "guide.end.1",
        ruling("guide.end.ruling13", 13),
        ruling("guide.end.ruling15", 15),
        ruling("guide.end.ruling28", 28),
    ),
    section(
        "expert", "guide.expert.title", "guide.expert.1", ruling("guide.expert.ruling17", 17, 18)
    ),
    section("solo", "guide.solo.title", "guide.solo.1", ruling("guide.solo.ruling19", 19)),
)
