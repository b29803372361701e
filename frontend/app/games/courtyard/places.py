"""The spaces in words and symbols: what each offers, and who stands there."""

from typing import Any

from domain.games.courtyard.board import (
    CHANGERS,
    EXCHANGING,
    GOODS,
    NORTH,
    SELLING,
    SOUTH,
    SPACES,
    STALLS,
    TOWERS,
)
from domain.games.courtyard.board import wares as of_goods
from domain.games.courtyard.cards import TILES, TRADES_PER_TILE
from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import row
from frontend.app.core.types import Data, Node, View
from frontend.app.games.courtyard.cards import ability_card, ability_words, order_card, order_words
from frontend.app.games.courtyard.derived import (
    bonus,
    coins,
    in_words,
    is_cheaper,
    missing,
    named,
    place_name,
    sum_of,
    unit_price,
    wares,
)
from frontend.app.games.courtyard.i18n import t, tn


def swap_of(rest: Data) -> tuple[dict[str, int], dict[str, int]]:
    """Return what the travellers of a rest want and what they give."""
    swap = TILES[rest["tile"]][rest["trade"] - 1]
    return of_goods(swap.gives), of_goods(swap.gets)


def said(view: View, space: str) -> str:
    """Return what a space offers now, in a line."""
    if space in STALLS:
        good = STALLS[space]
        n, price = view["stalls"][space], coins(unit_price(good))
        return t("{n} left, {price} each", n=n, price=price)
    if space in CHANGERS:
        return t("borrow coins")
    if space in view["rests"]:
        gives, gets = swap_of(view["rests"][space])
        return t("gives {gets} for {gives}", gets=in_words(gets), gives=in_words(gives))
    if space in TOWERS:
        order = view["towers"][space]
        return order_words(order) if order else t("no order left")
    if space == SELLING:
        return t("sell goods")
    if space == EXCHANGING:
        return t("exchange goods for their like")
    return t("abilities and the fountain") if space == NORTH else t("draw minor orders")


def whole(view: View, space: str, steps: int | None, names: Any) -> str:
    """Return a space with its name, its offer, the steps to it and who is there."""
    parts = [t("{place}: {what}", place=place_name(space), what=said(view, space))]
    if steps:
        parts.append(tn("{n} step", "{n} steps", n=steps))
    here = [names[player["seat"]] for player in view["players"] if player["at"] == space]
    if here:
        parts.append(t("here: {names}", names=row(here)))
    return row(parts)


def about(view: View, space: str, seat: int | None) -> list[Node | None]:
    """Return the details of a space, for a seat or (None) for anybody."""
    player = view["players"][seat] if seat is not None else None
    if space in STALLS:
        return _stall(view, space, player)
    if space in view["rests"]:
        return _rest(view["rests"][space])
    if space in TOWERS:
        return _tower(view, space, seat)
    if space in CHANGERS:
        return [_line(t("Coins on credit: as many as your credit and your purse have room for."))]
    if space == SELLING:
        return [_line(t("Sell any goods at the prices of the stalls.")), _prices()]
    if space == EXCHANGING:
        return [_line(t("Exchange any goods for their like, one for one.")), _pairs()]
    if space == NORTH:
        return _north(view)
    return _south(view, seat)


def _line(*words: Any) -> Node:
    return el("p", {}, *words)


def _stall(view: View, space: str, player: Data | None) -> list[Node | None]:
    good = STALLS[space]
    price = unit_price(good)
    cheaper = player is not None and is_cheaper(player, good)
    return [
        el(
            "p",
            {"class": "offer-line"},
            picture("good-" + good, 30),
            el("span", {}, said(view, space)),
            el("span", {"class": "price", "aria-hidden": "true"}, [_coin() for _ in range(price)]),
        ),
        _line(t("Two units of a visit cost you 1 less.")) if cheaper else None,
    ]


def _coin() -> Node:
    return picture("dirham", 18)


def _rest(rest: Data) -> list[Node | None]:
    gives, gets = swap_of(rest)
    nth = t("trade {trade} of {trades} of this caravan", trade=rest["trade"], trades=TRADES_PER_TILE)
    return [
        el(
            "p",
            {"class": "offer-line"},
            wares(gives, 28),
            picture("gives", 22, **{"class": "arrow"}),
            wares(gets, 28),
            el("span", {"class": "muted"}, nth),
        ),
    ]


def _tower(view: View, space: str, seat: int | None) -> list[Node | None]:
    order = view["towers"][space]
    if not order:
        return [_line(t("No order is left here."))]
    return [paying(view, order, space, seat)]


def paying(view: View, order: Data, space: str, seat: int | None, turn: bool = False) -> Node:
    """Return an order, what it pays here and now, and what a player lacks for it.

    The fountain does not count for a minor order that has to wait for its goods.
    """
    lacks = missing(view["players"][seat], order["goods"]) if seat is not None else {}
    more = 0
    if space in TOWERS or (space and not lacks):
        more = bonus(view, view["to_move"] if seat is None else seat, space, turn)
    ready = seat is not None and not lacks
    return el(
        "div",
        {"class": "offer-line order-offer"},
        order_card(order),
        el(
            "span",
            {},
            el("b", {"class": "pays"}, sum_of(order["value"], more)),
            el("span", {}, t("You lack"), " ", wares(lacks, 22)) if lacks else None,
            el("span", {}, t("You have all its goods.")) if ready else None,
        ),
    )


def _prices() -> Node:
    parts = []
    for good in GOODS:
        price = unit_price(good)
        words = t("{good:good}: {price}", good=good, price=coins(price))
        inside = (picture("good-" + good, 22), el("b", {}, str(price)))
        parts.append(el("span", {"class": "ware", "role": "img", "aria-label": words}, inside))
    return el("p", {"class": "offer-line"}, parts)


def _pairs() -> Node:
    pairs = []
    for i in range(0, len(GOODS), 2):
        one, other = GOODS[i], GOODS[i + 1]
        words = t("{one:good} for {other:good} or back", one=one, other=other)
        inside = (
            picture("good-" + one, 22),
            picture("swap", 18, **{"class": "arrow"}),
            picture("good-" + other, 22),
        )
        pairs.append(el("span", {"class": "ware", "role": "img", "aria-label": words}, inside))
    return el("p", {"class": "offer-line"}, pairs)


def _north(view: View) -> list[Node | None]:
    rows = [*view["abilities"]["turquoise"], *view["abilities"]["purple"]]
    cards = [ability_card(name, priced=True) for name in rows]
    return [
        _line(t("Take one ability for its goods, turn the fountain, or both.")),
        el("div", {"class": "abilities", "data-row": "abilities"}, cards),
    ]


def _south(view: View, seat: int | None) -> list[Node | None]:
    more = bonus(view, view["to_move"] if seat is None else seat, SOUTH)
    words = t("Draw minor orders in secret and keep one.")
    left = tn("{n} left", "{n} left", n=view["decks"]["minors"])
    arrow = ""
    if more:
        sign = "+" if more > 0 else "−"
        arrow = t("One completed at once pays {sign}{more}.", sign=sign, more=abs(more))
    return [_line(words, " ", left, ". ", arrow)]


def read(view: View, names: Any) -> list[str]:
    """Return all spaces in words."""
    return [whole(view, space, None, names) for space in SPACES]


def holdings(player: Data) -> str:
    """Return what a player has, in words."""
    goods = named(player["goods"])
    return row(
        [
            t("wealth {n}", n=player["wealth"]),
            t("{n} of {room} coins", n=player["coins"], room=player["purse"]),
            t("debt {n} of {room}", n=player["debt"], room=player["credit"]),
            in_words(goods) if goods else t("no goods"),
            *[order_words(order) for order in (*player["majors"], *player["minors"])],
            *([t("open: {order}", order=order_words(player["minor"]))] if player["minor"] else []),
            *[ability_words(name) for name in player["abilities"]],
        ]
    )
