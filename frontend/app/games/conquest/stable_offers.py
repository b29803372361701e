"""A city's exchange offers: each new item with its speed or capacity and the price."""

from collections.abc import Callable
from typing import Any

from domain.games.conquest.commands import Exchange
from domain.games.conquest.equipment import CAPACITIES, SPEEDS
from domain.games.conquest.market import exchange_cost
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import el
from frontend.app.core.types import Node
from frontend.app.games.conquest.i18n import t


def stable_offers_node(now: ViewModel, play: Callable[..., object]) -> Node:
    """Return a row of offer buttons for each item that can be exchanged."""
    offers = [each for each in now.choices if type(each) is Exchange]
    node = el("div", {"class": "refits"})
    for old in dict.fromkeys([each.old for each in offers]):
        row = el("div", {"class": "refit-row"})
        for each in offers:
            if each.old == old:
                row.append(_offer(each, play))
        node.append(el("div", {"class": "refit"}, el("b", {}, t("For a {old:gear}", old=old)), row))
    return node


def _offer(offer: Exchange, play: Callable[..., object]) -> Node:
    cost = exchange_cost(offer.old, offer.new)
    price = t("pay {n} gold", n=cost) if cost >= 0 else t("get {n} gold", n=-cost)
    return el(
        "button",
        {
            "type": "button",
            "class": "button offer",
            "data-old": offer.old,
            "data-new": offer.new,
            "onclick": lambda _e: play(offer),
        },
        el("b", {}, t("{new:gear}", new=offer.new)),
        el("span", {}, _good_for(offer.new)),
        el("small", {}, price),
    )


def _good_for(thing: str) -> Any:
    if thing in SPEEDS:
        return t("speed {n}", n=SPEEDS[thing])
    return t("carries {n}", n=CAPACITIES[thing])
