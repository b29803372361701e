"""Descriptions of the spaces: what each offers, and who is there."""

from typing import Any

from domain.games.courtyard import board
from domain.games.courtyard.board import wares as of_goods
from domain.games.courtyard.cards import TILES, TRADES_PER_TILE
from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import join_list
from frontend.app.core.types import Data, Node, View
from frontend.app.games.courtyard import derived
from frontend.app.games.courtyard.cards import ability_card, ability_text, order_card, order_text
from frontend.app.games.courtyard.i18n import t


def swap_of(rest: Data) -> tuple[dict[str, int], dict[str, int]]:
    """Return the goods that a player gives and gets in a trade at a rest, in this order."""
    swap = TILES[rest["tile"]][rest["trade"] - 1]
    return of_goods(swap.gives), of_goods(swap.gets)


def describe_offer(view: View, space: str) -> str:
    """Return a line about the current offer of a space."""
    if space in board.STALLS:
        good = board.STALLS[space]
        n, price = view["stalls"][space], derived.money_text(derived.unit_price(good))
        return t("space.stall", n=n, price=price)
    if space in board.CHANGERS:
        return t("space.changer")
    if space in view["rests"]:
        gives, gets = swap_of(view["rests"][space])
        return t("space.trade", gets=derived.goods_text(gets), gives=derived.goods_text(gives))
    if space in board.TOWERS:
        order = view["towers"][space]
        return order_text(order) if order else t("space.no_order")
    if space == board.SELLING:
        return t("space.selling")
    if space == board.EXCHANGING:
        return t("space.exchange")
    return t("space.north") if space == board.NORTH else t("space.south")


def describe_space(view: View, space: str, steps: int | None, names: Any) -> str:
    """Return a text with a space's name, offer, distance (if any) and players."""
    parts = [t("space.label", place=derived.place_name(space), what=describe_offer(view, space))]
    if steps:
        parts.append(t("space.steps", n=steps))
    here = [names[player["seat"]] for player in view["players"] if player["at"] == space]
    if here:
        parts.append(t("space.here", names=join_list(here)))
    return join_list(parts)


def space_details(view: View, space: str, seat: int | None) -> list[Node | None]:
    """Return the details of a space for a seat, or for any viewer if None."""
    player = view["players"][seat] if seat is not None else None
    if space in board.STALLS:
        return _stall(view, space, player)
    if space in view["rests"]:
        return _rest(view["rests"][space])
    if space in board.TOWERS:
        return _tower(view, space, seat)
    if space in board.CHANGERS:
        return [_line(t("space.changer_details"))]
    if space == board.SELLING:
        return [_line(t("space.selling_details")), _prices()]
    if space == board.EXCHANGING:
        return [_line(t("space.exchange_details")), _pairs()]
    if space == board.NORTH:
        return _north(view)
    return _south(view, seat)


def _line(*text: Any) -> Node:
    return el("p", {}, *text)


def _stall(view: View, space: str, player: Data | None) -> list[Node | None]:
    good = board.STALLS[space]
    coins = [picture("dirham", 18) for _ in range(derived.unit_price(good))]
    price = el("span", {"class": "price", "aria-hidden": "true"}, coins)
    text = el("span", {}, describe_offer(view, space))
    offer = el("p", {"class": "offer-line"}, picture("good-" + good, 30), text, price)
    cheaper = player is not None and derived.is_cheaper(player, good)
    return [offer, _line(t("space.discount")) if cheaper else None]


def _rest(rest: Data) -> list[Node | None]:
    gives, gets = [derived.goods_node(goods, 28) for goods in swap_of(rest)]
    arrow = picture("gives", 22, **{"class": "arrow"})
    nth = t("space.nth_trade", trade=rest["trade"], trades=TRADES_PER_TILE)
    muted = el("span", {"class": "muted"}, nth)
    return [el("p", {"class": "offer-line"}, gives, arrow, gets, muted)]


def _tower(view: View, space: str, seat: int | None) -> list[Node | None]:
    order = view["towers"][space]
    if not order:
        return [_line(t("space.no_order_left"))]
    return [order_payment(view, order, space, seat)]


def order_payment(
    view: View,
    order: Data,
    space: str,
    seat: int | None,
    turn: bool = False,
    more_about: Node | None = None,
) -> Node:
    """Return an order, its payment at a space now, and what keeps the seat from completing it.

    That is missing goods or, for a major order, an open minor order.

    The fountain is left out for a minor order whose goods are missing. Without a seat, the payment
    is that for the seat to move. ``more_about`` is shown instead of the missing goods.
    """
    lacks = derived.missing_goods(view["players"][seat], order["goods"]) if seat is not None else {}
    has_minor = seat is not None and view["players"][seat]["minor"] is not None
    blocked = has_minor and "frame" in order and more_about is None
    more = 0
    if space in board.TOWERS or (space and not lacks):
        more = derived.fountain_bonus(view, view["to_move"] if seat is None else seat, space, turn)
    pays = el("b", {"class": "pays"}, derived.payment_text(order["value"], more))
    about = more_about or (None if blocked and not lacks else _goods_missing(lacks, seat))
    first = el("span", {"class": "blocked"}, t("space.minor_first")) if blocked else None
    text = el("span", {}, pays, about, first)
    return el("div", {"class": "offer-line order-offer"}, order_card(order), text)


def _goods_missing(lacks: dict[str, int], seat: int | None) -> Node | None:
    if lacks:
        return el("span", {}, t("space.missing"), " ", derived.goods_node(lacks, 22))
    return None if seat is None else el("span", {}, t("space.has_all_goods"))


def _prices() -> Node:
    parts = []
    for good in board.GOODS:
        price = derived.unit_price(good)
        text = t("space.price", good=good, price=derived.money_text(price))
        inside = (picture("good-" + good, 22), el("b", {}, str(price)))
        parts.append(el("span", {"class": "ware", "role": "img", "aria-label": text}, inside))
    return el("p", {"class": "offer-line"}, parts)


def _pairs() -> Node:
    pairs = []
    for one, other in zip(board.GOODS[::2], board.GOODS[1::2], strict=True):
        given = {"class": "ware", "role": "img"}
        given["aria-label"] = t("space.swap_pair", one=one, other=other)
        arrow = picture("swap", 18, **{"class": "arrow"})
        signs = [picture("good-" + good, 22) for good in (one, other)]
        pairs.append(el("span", given, signs[0], arrow, signs[1]))
    return el("p", {"class": "offer-line"}, pairs)


def _north(view: View) -> list[Node | None]:
    rows = [*view["abilities"]["turquoise"], *view["abilities"]["purple"]]
    cards = [ability_card(name, priced=True) for name in rows]
    shown = el("div", {"class": "abilities", "data-row": "abilities"}, cards)
    return [_line(t("space.north_details")), shown]


def _south(view: View, seat: int | None) -> list[Node | None]:
    more = derived.fountain_bonus(view, view["to_move"] if seat is None else seat, board.SOUTH)
    text = t("space.south_details")
    left = t("space.minors_left", n=view["decks"]["minors"])
    arrow = ""
    if more:
        sign = "+" if more > 0 else "−"
        arrow = t("space.minor_at_once", sign=sign, more=abs(more))
    return [_line(text, " ", left, ". ", arrow)]


def describe_holdings(player: Data) -> str:
    """Return a text with a player's wealth, coins, debt, goods, orders and abilities."""
    goods = derived.amounts_by_good(player["goods"])
    parts = [
        t("space.wealth", n=player["wealth"]),
        t("space.coins", n=player["coins"], room=player["purse"]),
        t("space.debt", n=player["debt"], room=player["credit"]),
        derived.goods_text(goods) if goods else t("space.no_goods"),
    ]
    parts += [order_text(order) for order in (*player["majors"], *player["minors"])]
    if player["minor"]:
        parts.append(t("space.open_minor", order=order_text(player["minor"])))
    return join_list([*parts, *[ability_text(name) for name in player["abilities"]]])
