"""Facts derived from a view, such as payments and missing goods, and how they are displayed."""

from typing import Any

from domain.games.courtyard import board
from domain.games.courtyard.cards import DISCOUNTED_UNITS, DISCOUNTS
from frontend.app.core.dom import el, labelled, picture
from frontend.app.core.types import Data, Node, View
from frontend.app.games.courtyard.i18n import t


def place_name(space: str) -> str:
    """Return the name of a space."""
    return t("place.name", place=space)


def amounts_by_good(goods: Any) -> dict[str, int]:
    """Return amounts by good in the usual order, without zeros.

    ``goods``: a list of names, or amounts by good.
    """
    if hasattr(goods, "items"):
        return {good: goods[good] for good in board.GOODS if goods.get(good)}
    names = [*goods]
    return {good: names.count(good) for good in board.GOODS if good in names}


def goods_text(goods: dict[str, int]) -> str:
    """Return goods as a text such as "2 bronze, 1 gold"."""
    return t("goods.list", goods=goods)


def goods_node(goods: Any, size: int = 24) -> Node:
    """Return goods as symbols with numbers, and a text for screen readers."""
    amounts = amounts_by_good(goods)
    if not amounts:
        none = t("goods-none")
        return labelled("wares", none, el("span", {"class": "muted"}, none))
    parts = []
    for good, n in amounts.items():
        number = el("b", {}, str(n)) if n > 1 else None
        parts.append(el("span", {"class": "ware"}, number, picture("good-" + good, size)))
    return labelled("wares", goods_text(amounts), parts)


def money_text(n: int) -> str:
    """Return an amount of money as a text."""
    return t("space.money", n=n)


def fountain_bonus(view: View, seat: int, place: str, turn: bool = False) -> int:
    """Return what the fountain adds to an order's payment at a place.

    ``turn``: the fountain is turned first.
    """
    if place in board.TOWERS and "T3" in view["players"][seat]["abilities"]:
        return board.GREEN_EFFECT
    fountain = view["fountain"]
    return board.arrow_effect(board.turn_fountain(fountain) if turn else fountain, place)


def payment_text(value: int, more: int) -> str:
    """Return a text about the payment for an order; ``more``: the fountain's addition."""
    if not more:
        return t("space.pays", value=value)
    sign = "+" if more > 0 else "−"
    return t("space.pays_sum", value=value, sign=sign, more=abs(more), sum=value + more)


def missing_goods(player: Data, goods: Any) -> dict[str, int]:
    """Return the amounts of ``goods`` that a player lacks, by good."""
    wanted = amounts_by_good(goods)
    lacks = {good: n - player["goods"][good] for good, n in wanted.items()}
    return {good: n for good, n in lacks.items() if n > 0}


def unit_price(good: str) -> int:
    """Return the price of a unit of a good without discounts."""
    return board.PRICES[board.NUMBER[good]]


def is_cheaper(player: Data, good: str) -> bool:
    """Return whether an ability gives the player a discount on a good."""
    return DISCOUNTS[good] in player["abilities"] and DISCOUNTED_UNITS > 0


def shortest_path(begin: str, end: str) -> list[str]:
    """Return the spaces of a shortest path, including both ends."""
    before: dict[str, Any] = {begin: None}
    edge = [begin]
    while edge and end not in before:
        here = edge.pop(0)
        for there in board.NEIGHBOURS[here]:
            if there not in before:
                before[there] = here
                edge.append(there)
    found = [end]
    while before[found[0]] is not None:
        found.insert(0, before[found[0]])
    return found
