"""Rules guide to Caravan Conquest in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.conquest.picture import MARGIN, SIDE, caravans, chests, land
from domain.text.i18n import N_

RULINGS = 39
_OPEN, _TOWNS = ("GDMO",), ("SPCR",)
_MAP = ("BGDGD", "GRMOF", "DGSDP")
_TOPICS = {"camp": "camps", "city": "city", "move": "moving", "extra": "cards", "over": "end"}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to a view; ``seat``: the reader's, or None."""
    if view["step"] == "move" and seat is not None:
        player = view["players"][seat]
        if player["load"] > player["capacity"] or not player["speed"]:
            return "load"
    return _TOPICS.get(view["step"], "cards")


_HINTS = {
    "move": N_("hint.move"),
    "heavy": N_("hint.heavy"),
    "oasis": N_("hint.oasis"),
    "fortune": N_("hint.fortune"),
    "card": N_("hint.card"),
    "extra": N_("hint.extra"),
    "camp": N_("hint.camp"),
    "city": N_("hint.city"),
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the seat to act, or "" if there is none."""
    if view["step"] == "move" and topic(view, seat) == "load":
        return _HINTS["heavy"]
    return _HINTS.get(view["step"], "")


def _box(rows: tuple[str, ...]) -> tuple[float, float, float, float]:
    wide, high = SIDE * len(rows[0]), SIDE * len(rows)
    return (-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN)


def _map() -> tuple[Node, ...]:
    """Draw a small map with two caravans and a chest."""
    players = {"players": [{"at": (1, 0)}, {"at": (0, 2)}]}
    return (
        *land(_MAP),
        *place_pieces(chests([(2, 0)])),
        *place_pieces(caravans(players, ("A", "B"))),
    )


def _open() -> tuple[Node, ...]:
    """Draw one tile of each kind of open ground."""
    return land(_OPEN)


def _towns() -> tuple[Node, ...]:
    """Draw the two camps, a city and a river."""
    return land(_TOWNS)


GUIDE = (
    section(
        "aim", "guide.aim.title", "guide.aim.text", Picture("guide.aim.picture", _box(_MAP), _map)
    ),
    section(
        "start",
        "guide.start.title",
        "guide.start.equipment",
        "guide.start.options",
        ruling("guide.start.order", 22),
        ruling("guide.start.sharing", 6),
    ),
    section(
        "moving",
        "guide.moving.title",
        "guide.moving.text",
        ruling("guide.moving.steps", 5, 23),
        ruling("guide.moving.missed", 10, 27),
    ),
    section(
        "load",
        "guide.load.title",
        "guide.load.text",
        ruling("guide.load.ground", 1, 2),
        ruling("guide.load.drop", 4, 24),
    ),
    section(
        "tiles",
        "guide.tiles.title",
        "guide.tiles.text",
        Picture("guide.tiles.picture", _box(_OPEN), _open),
        ruling("guide.tiles.order", 3, 31),
        ruling("guide.tiles.oasis_no_treasure", 11),
        ruling("guide.tiles.treasure", 16),
    ),
    section(
        "cards",
        "guide.cards.title",
        "guide.cards.text",
        ruling("guide.cards.loss", 7, 28),
        ruling("guide.cards.trade", 9, 29),
        ruling("guide.cards.extra_step", 8, 25),
        ruling("guide.cards.fortune_teller", 12, 33),
        ruling("guide.cards.desert_nomad", 13, 32),
        ruling("guide.cards.healing_waters", 26),
        ruling("guide.cards.next_to_mountains", 30),
        ruling("guide.cards.reshuffle", 21),
    ),
    section(
        "camps",
        "guide.camps.title",
        "guide.camps.prices",
        Picture("guide.camps.picture", _box(_TOWNS), _towns),
        ruling("guide.camps.own_good", 14, 34),
    ),
    section(
        "city",
        "guide.city.title",
        "guide.city.exchange",
        points(
            "guide.city.donkey",
            "guide.city.roach",
            "guide.city.fidget",
            "guide.city.epona",
            "guide.city.caravans",
        ),
        ruling("guide.city.stock", 15, 35),
    ),
    section(
        "end",
        "guide.end.title",
        "guide.end.text",
        points("guide.end.values", "guide.end.equipment", "guide.end.not_arrived"),
        ruling("guide.end.prices", 17, 36),
        ruling("guide.end.last_round", 18, 20),
        ruling("guide.end.wealth", 19),
        ruling("guide.end.round_start", 37),
        ruling("guide.end.tie", 38),
        ruling("guide.end.no_arrival", 39),
    ),
)
