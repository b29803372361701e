"""Rules guide to Caravansérail in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, ruling, section
from domain.drawing.scene import Node
from domain.games.caravanserail.board import BOARDS
from domain.games.caravanserail.picture import caravans, homes, land, looters, place, place_name
from domain.games.caravanserail.trail_geometry import BOX
from domain.games.caravanserail.trail_geometry import points as spots
from domain.text.i18n import N_

RULINGS = 16
_BOARD = BOARDS[6]
_LETTERS = ("A", "B", "C", "D", "E", "F")
_HOMES = {"A": 0, "B": 1, "C": 2, "D": 3, "E": 4, "F": 5}
_TOPICS = {
    "homes": "start",
    "diplomacy": "business",
    "programme": "plan",
    "movement": "journeys",
    "raid": "raids",
    "business": "business",
}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the phase of a view."""
    return _TOPICS.get(view["phase"], "end")


_HINTS = {
    "homes": N_("hint.homes"),
    "diplomacy": N_("hint.diplomacy"),
    "programme": N_("hint.programme"),
    "movement": N_("hint.movement"),
    "raid": N_("hint.raid"),
    "business": N_("hint.business"),
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current phase, or "" if there is none."""
    return _HINTS.get(view["phase"], "")


def _map(where: dict[tuple[int, int], str], raid: str = "") -> tuple[Node, ...]:
    """Draw the board for six seats.

    ``where``: caravans as ``{(seat, number): position}``; ``raid``: the trail of seat 1's looters,
    "" for none.
    """
    at = spots([{"letter": each.letter, "x": each.x, "y": each.y} for each in _BOARD.places])
    ground = [place(at, each.letter, each.oasis) for each in _BOARD.places]
    ground += [place_name(at, each.letter, each.name, False) for each in _BOARD.places]
    band = [looters(at, 1, raid)] if raid else []
    pieces = [*homes(at, _HOMES), *band, *caravans(at, where)]
    return (*land(at, list(_BOARD.trails)), *ground, *place_pieces(pieces))


def _homes() -> tuple[Node, ...]:
    """Draw the board with all homes and no caravans."""
    return _map({})


def _trails_picture() -> tuple[Node, ...]:
    """Draw a caravan on the trail from F to G and two others."""
    return _map({(0, 0): "FG", (0, 1): "H", (2, 0): "CH"})


def _raid() -> tuple[Node, ...]:
    """Draw looters and a caravan on the same trail."""
    return _map({(0, 0): "AF"}, "AF")


GUIDE = (
    section("aim", "guide.aim.title", "guide.aim.overview", ruling("guide.aim.seats", 15)),
    section(
        "start",
        "guide.start.title",
        "guide.start.boards",
        "guide.start.cards",
        Picture("guide.start.picture", BOX, _homes),
        ruling("guide.start.order", 16),
    ),
    section(
        "plan",
        "guide.plan.title",
        "guide.plan.phases",
        "guide.plan.routes",
        Picture("guide.plan.picture", BOX, _trails_picture),
        ruling("guide.plan.orders", 2, 3),
        ruling("guide.plan.default", 4),
    ),
    section("load", "guide.load.title", "guide.load.capacity", ruling("guide.load.when", 5)),
    section(
        "journeys",
        "guide.journeys.title",
        "guide.journeys.reveal",
        "guide.journeys.lodging",
        ruling("guide.journeys.passing", 6),
        ruling("guide.journeys.fee", 7),
    ),
    section(
        "raids",
        "phase.raid",
        "guide.raids.attack",
        Picture("guide.raids.picture", BOX, _raid),
        "guide.raids.rest",
        ruling("guide.raids.rest_always", 8),
        ruling("guide.raids.clash", 9),
        ruling("guide.raids.few", 10, 11),
    ),
    section(
        "business",
        "phase.business",
        "guide.trade.where",
        "guide.trade.secrecy",
        ruling("guide.trade.limits", 12),
        ruling("guide.trade.time", 13),
        ruling("guide.trade.private", 14),
    ),
    section("end", "guide.end.title", "guide.end.win", ruling("guide.end.checks", 1)),
)
