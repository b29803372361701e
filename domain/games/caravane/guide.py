"""Rules guide to Caravane in text and pictures; see `domain.contract.guide`.

Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.caravane.board import STAGE_LENGTHS
from domain.games.caravane.picture import BOX, EFFECT_LABELS, draw_square, draw_square_label, scene
from domain.games.caravane.road_geometry import SPOTS
from domain.text.i18n import N_

RULINGS = 16
_LETTERS = ("A", "B", "C", "D")


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the phase of a view."""
    names = {"prepare": "gourds", "bid": "bids", "revise": "bags", "over": "end"}
    return names.get(view["phase"], "squares")


_HINTS = {"prepare": N_("hint.prepare"), "bid": N_("hint.bid"), "revise": N_("hint.revise")}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current phase, or "" if there is none."""
    return _HINTS.get(view["phase"], "")


def _road(*squares: int) -> tuple[Node, ...]:
    """Draw the whole road with a camel on each of these squares of the first stage."""
    racers = [{"seat": seat, "square": at, "bales": 0} for seat, at in enumerate(squares)]
    track = [{"length": length} for length in STAGE_LENGTHS]
    view = {"racers": racers, "track": track, "phase": "bid", "stage": 1, "round": 1, "last": None}
    shown = scene(view, _LETTERS)
    return (*shown.ground, *place_pieces(shown.pieces))


def _start() -> tuple[Node, ...]:
    """Draw the road before the race."""
    return _road(0, 0, 0, 0)


def _moved() -> tuple[Node, ...]:
    """Draw the road after bids of 3, 1, 1 and 0."""
    return _road(4, 3, 3, 1)


def _signs() -> tuple[Node, ...]:
    """Draw one special square of each kind with its label."""
    found: list[Node] = []
    for spot, what in zip((2, 3, 4, 5), ("water", "bale", "leak", "damage"), strict=True):
        found += draw_square(spot, what)
        found += place_pieces([draw_square_label(spot, EFFECT_LABELS[what])])
    return tuple(found)


_FIRST_ROW = (230, SPOTS[0][1] - 60, 400, 130)
_SIGNS = (SPOTS[5][0] - 60, SPOTS[0][1] - 50, SPOTS[2][0] - SPOTS[5][0] + 120, 130)
GUIDE = (
    section(
        "aim",
        "guide.aim.title",
        "guide.aim.1",
        Picture("guide.aim.picture", BOX, _start),
        ruling("guide.aim.ruling1", 1),
    ),
    section(
        "gourds",
        "panel.gourds",
        "guide.gourds.1",
        ruling("guide.gourds.ruling11", 11),
        ruling("guide.gourds.ruling10", 10),
        ruling("guide.gourds.ruling16", 16),
    ),
    section(
        "bids",
        "guide.bids.title",
        "guide.bids.1",
        "guide.bids.2",
        Picture("guide.bids.picture", _FIRST_ROW, _moved),
        ruling("guide.bids.ruling7", 7),
        ruling("guide.bids.ruling8", 8, 9),
    ),
    section(
        "squares",
        "guide.squares.title",
        "guide.squares.1",
        points(
            "guide.squares.water",
            "guide.squares.leak",
            "guide.squares.bale",
            "guide.squares.damage",
        ),
        Picture("guide.squares.picture", _SIGNS, _signs),
        ruling("guide.squares.ruling4", 4),
        ruling("guide.squares.ruling5", 5, 6),
    ),
    section(
        "palace",
        "guide.palace.title",
        "guide.palace.1",
        points("guide.palace.first", "guide.palace.second", "guide.palace.third"),
        "guide.palace.2",
        ruling("guide.palace.ruling2", 2, 3),
    ),
    section(
        "bags",
        "option.food",
        "guide.bags.1",
        ruling("guide.bags.ruling12", 12),
        ruling("guide.bags.ruling13", 13),
    ),
    section(
        "end",
        "guide.end.title",
        "guide.end.1",
        ruling("guide.end.ruling14", 14),
        ruling("guide.end.ruling15", 15),
    ),
)
