"""Cards: orders with frame, value and goods, and abilities with their text."""

from typing import Any

from domain.games.courtyard.board import wares as of_goods
from domain.games.courtyard.cards import ABILITIES
from frontend.app.core.dom import el, labelled, picture
from frontend.app.core.types import Data, Node
from frontend.app.games.courtyard.derived import amounts_by_good, goods_node, goods_text
from frontend.app.games.courtyard.i18n import t

FRAMES = {
    "blue": t("card.frame_blue"),
    "green": t("card.frame_green"),
    "red": t("card.frame_red"),
    "white": t("card.frame_white"),
}


def order_text(order: Data) -> str:
    """Return a description of an order; only major orders have a frame."""
    goods = goods_text(amounts_by_good(order["goods"]))
    if "frame" in order:
        return t("card.major", value=order["value"], goods=goods, frame=FRAMES[order["frame"]])
    return t("card.minor", value=order["value"], goods=goods)


def order_card(order: Data) -> Node:
    """Return an order card; a major order shows its frame's colour and symbol."""
    frame = order.get("frame")
    sign = picture("frame-" + frame, 20) if frame else picture("scroll", 20)
    head = el("span", {"class": "order-head"}, el("b", {}, str(order["value"])), sign)
    goods = [picture("good-" + good, 20) for good in order["goods"]]
    body = el("span", {"class": "order-goods"}, goods)
    return labelled(f"order frame-{frame or 'minor'}", order_text(order), head, body)


def ability_text(name: str) -> str:
    """Return the name and the effect of an ability."""
    return t("card.ability", ability=name)


def cost(name: str) -> dict[str, int]:
    """Return the goods that an ability costs."""
    return of_goods(ABILITIES[name].cost)


def ability_card(name: str, used: bool = False, priced: bool = False, **more: Any) -> Node:
    """Return an ability card with its full text.

    ``used``: mark it as used; ``priced``: show its cost; ``more``: further attributes.
    """
    deck, sign = ("turquoise", "skill") if name[0] == "T" else ("purple", "laurel")
    price = None
    if priced:
        goods = goods_node(cost(name), 20)
        price = el("span", {"class": "ability-cost"}, t("card.cost"), " ", goods)
    return el(
        "span",
        {"class": f"ability {deck}" + (" used" if used else ""), **more},
        el("b", {}, picture(sign, 18), t("card.ability_name", ability=name)),
        " ",
        el("span", {"class": "ability-words"}, t("card.ability_effect", ability=name)),
        " ",
        el("span", {"class": "muted"}, t("card.used")) if used else None,
        price,
    )
