"""Rules guide to the courtyard game in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.courtyard.board import TOWERS
from domain.games.courtyard.cards import MAJORS
from domain.games.courtyard.geometry import HEIGHT, SPOTS, WIDTH
from domain.games.courtyard.picture import figures, fountain, offers
from domain.games.courtyard.static_board import static_nodes
from domain.text.i18n import N_

RULINGS = 49
_TOPICS = {"start": "start", "discard": "stalls", "income": "orders", "minor": "south"}
_SPACES = {
    "S_": "stalls",
    "M_": "money",
    "R_": "rests",
    "P_": "pavilions",
    "G_N": "north",
    "G_S": "south",
    "T_": "towers",
}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to a view."""
    if view["step"] != "turn":
        return _TOPICS.get(view["step"], "end")
    at = view["players"][view["to_move"]]["at"] or ""
    if view["moves_left"] == 2 or view["acted"]:
        return "moving"
    return _SPACES.get(at) or _SPACES[at[:2]]


_HINTS = {
    "start": N_("hint.start"),
    "move": N_("hint.move"),
    "act": N_("hint.act"),
    "on": N_("hint.on"),
    "end": N_("hint.end"),
    "discard": N_("hint.discard"),
    "income": N_("hint.income"),
    "minor": N_("hint.minor"),
    "over": "",
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the seat to act, or "" at the end."""
    if view["step"] != "turn":
        return _HINTS[view["step"]]
    if view["moves_left"] == 2:
        return _HINTS["move"]
    if not view["acted"] and view["actions_left"]:
        return _HINTS["act"]
    return _HINTS["on" if view["moves_left"] else "end"]


def _court() -> tuple[Node, ...]:
    """Draw the whole courtyard at the start of a match."""
    towers = {
        space: {"value": card.value, "goods": card.names, "frame": card.frame}
        for space, card in zip(TOWERS, MAJORS[-4:], strict=True)
    }
    stalls = (5, 4, 4, 5, 3, 3)
    spaces = ("S_bronze", "S_silver", "S_emerald", "S_amber", "S_diamond", "S_gold")
    rests = ("R_A1", "R_A2", "R_A3", "R_B1", "R_B2", "R_B3")
    view = {
        "towers": towers,
        "stalls": dict(zip(spaces, stalls, strict=True)),
        "rests": {space: {"tile": space[2:], "trade": 1} for space in rests},
    }
    medals, tags = figures(["G_N", "G_S"], ("A", "B"))
    return (*static_nodes(), *place_pieces([fountain(0), *offers(view), *medals, *tags]))


def _near(*spaces: str) -> tuple[float, float, float, float]:
    """Return the visible area ``(x, y, width, height)`` that shows these spaces."""
    xs, ys = [SPOTS[space][0] for space in spaces], [SPOTS[space][1] for space in spaces]
    return (min(xs) - 60, min(ys) - 62, max(xs) - min(xs) + 120, max(ys) - min(ys) + 124)


_WHOLE, _UPPER = (0, 0, WIDTH, HEIGHT), (0, 0, WIDTH, 3 * HEIGHT // 4)
GUIDE = (
    section(
        "aim",
        "guide.aim.heading",
        "guide.aim.summary",
        Picture("guide.aim.picture", _WHOLE, _court),
    ),
    section(
        "start",
        "guide.start.heading",
        "guide.start.setup",
        ruling("guide.start.first_player", 20, 46),
        ruling("guide.start.supply", 8),
    ),
    section(
        "turn",
        "guide.turn.heading",
        "guide.turn.two_moves",
        ruling("guide.turn.both_moves", 1),
        ruling("guide.turn.actions", 28),
    ),
    section(
        "moving",
        "guide.moving.heading",
        "guide.moving.move",
        ruling("guide.moving.occupied", 2, 26),
        "guide.moving.die",
        ruling("guide.moving.fewer_steps", 3),
    ),
    section(
        "stalls",
        "guide.stalls.heading",
        "guide.stalls.prices",
        ruling("guide.stalls.restock", 7),
        ruling("guide.stalls.storage", 10, 31),
    ),
    section(
        "money",
        "guide.money.heading",
        "guide.money.borrow",
        ruling("guide.money.limit", 4),
        ruling("guide.money.repay", 5),
        ruling("guide.money.expand", 6),
    ),
    section(
        "rests",
        "guide.rests.heading",
        "guide.rests.trade",
        Picture("guide.rests.picture", _near("R_A1", "R_A2", "R_A3"), _court),
        ruling("guide.rests.repeat", 11, 12),
        ruling("guide.rests.reshuffle", 41),
    ),
    section(
        "pavilions",
        "guide.pavilions.heading",
        "guide.pavilions.actions",
        ruling("guide.pavilions.excess", 9, 33),
        ruling("guide.pavilions.idle_swap", 49),
    ),
    section(
        "towers",
        "guide.towers.heading",
        "guide.towers.order",
        "guide.towers.fountain",
        Picture("guide.towers.picture", _UPPER, _court),
        ruling("guide.towers.arrows", 25),
        ruling("guide.towers.empty_decks", 18),
    ),
    section(
        "south",
        "guide.south.heading",
        "guide.south.draw",
        ruling("guide.south.one_open", 13),
        ruling("guide.south.open_order", 14),
        ruling("guide.south.keep", 29),
        ruling("guide.south.others_turns", 47),
    ),
    section(
        "orders",
        "guide.orders.heading",
        "guide.orders.steps",
        points(
            "guide.orders.repay", "guide.orders.save", "guide.orders.rest", "guide.orders.credit"
        ),
        ruling("guide.orders.order_of_steps", 30),
    ),
    section(
        "north",
        "guide.north.heading",
        "guide.north.gate",
        ruling("guide.north.one_action", 15, 40),
        ruling("guide.north.final_round", 16, 32),
        "guide.north.colours",
        ruling("guide.north.debt", 19, 43),
        ruling("guide.north.discount", 21, 35),
        ruling("guide.north.fountain_cards", 22, 38),
        ruling("guide.north.die_cards", 27),
        ruling("guide.north.anytime_cards", 34),
        ruling("guide.north.trade_cards", 36, 37),
        ruling("guide.north.one_time_cards", 39),
        ruling("guide.north.public_scoring", 44),
    ),
    section(
        "end",
        "guide.end.heading",
        "guide.end.scoring",
        points("guide.end.sets_four", "guide.end.sets_three", "guide.end.sets_two"),
        ruling("guide.end.best_split", 17),
        ruling("guide.end.at_32", 24),
        ruling("guide.end.ties", 23),
        ruling("guide.end.shared_place", 45),
        ruling("guide.end.long_games", 48),
        ruling("guide.end.ruin", 42),
    ),
)
