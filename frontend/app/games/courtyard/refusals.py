"""The reasons why an action is impossible in the courtyard, derived from the view."""

from domain.games.courtyard import board
from frontend.app.core.types import Data, View
from frontend.app.games.courtyard.cards import cost
from frontend.app.games.courtyard.derived import goods_text, is_cheaper, missing_goods, unit_price
from frontend.app.games.courtyard.i18n import t
from frontend.app.games.courtyard.places import swap_of

MAX_MINORS = 3


def unreachable_reason(view: View, seat: int, space: str) -> str:
    """Return why a seat's move cannot end on a space that is out of reach."""
    if view["step"] != "turn":
        return t("no-" + view["step"])
    player = view["players"][seat]
    if not view["moves_left"]:
        return t("refusal.moves_done")
    if space == player["at"]:
        return t("refusal.own_space")
    others = [each["at"] for each in view["players"] if each["at"] and each["seat"] != seat]
    far = board.steps(player["at"], tuple(sorted(set(others))))[space]
    return t("refusal.too_far", far=far, n=view["die"] or stride(view, seat))


def stride(view: View, seat: int) -> int:
    """Return the number of steps of a seat's move without a roll."""
    return board.STRIDE_STEPS + ("T6" in view["players"][seat]["abilities"])


def idle_reason(view: View, seat: int) -> str:
    """Return why a seat cannot do the action of its space; "" if no reason is known."""
    if view["acted"]:
        return t("refusal.already_acted")
    if view["moves_left"] == 2:
        return t("refusal.move_first")
    return blocked_reason(view, seat, view["players"][seat]["at"])


def blocked_reason(view: View, seat: int, space: str) -> str:
    """Return why a seat could not do the action of a space if it were there now; "" if it could.

    The North Gate never blocks, as the fountain can always be rotated.
    """
    player = view["players"][seat]
    if space in board.STALLS:
        return _stall(view, player, space)
    if space in board.CHANGERS:
        return _loan(player)
    if space in view["rests"]:
        gives, _gets = swap_of(view["rests"][space])
        return _lacking(missing_goods(player, gives))
    if space in board.TOWERS:
        return _order(player, view["towers"][space])
    if space in (board.SELLING, board.EXCHANGING):
        return "" if sum([*player["goods"].values()]) else t("refusal.no_goods")
    return _draw(view, player) if space == board.SOUTH else ""


def _stall(view: View, player: Data, space: str) -> str:
    here = board.STALLS[space]
    kinds = board.METALS if here in board.METALS and "T14" in player["abilities"] else (here,)
    prices = [
        unit_price(good) - is_cheaper(player, good)
        for place, good in board.STALLS.items()
        if good in kinds and view["stalls"][place]
    ]
    if not prices:
        return t("refusal.stall_empty")
    if min(prices) <= player["coins"]:
        return ""
    return t("refusal.one_costs", n=min(prices), coins=player["coins"])


def _loan(player: Data) -> str:
    if player["debt"] >= player["credit"]:
        return t("refusal.credit_limit")
    return t("refusal.purse_full") if player["coins"] >= player["purse"] else ""


def _lacking(lacks: dict[str, int]) -> str:
    return t("refusal.missing_goods", goods=goods_text(lacks)) if lacks else ""


def _order(player: Data, order: Data | None) -> str:
    if order is None:
        return t("space.no_order_left")
    if player["minor"]:
        return t("refusal.open_minor")
    return _lacking(missing_goods(player, order["goods"]))


def _draw(view: View, player: Data) -> str:
    if player["minor"]:
        return t("refusal.open_minor")
    if len(player["minors"]) >= MAX_MINORS:
        return t("refusal.three_minors")
    return "" if view["decks"]["minors"] else t("refusal.no_minor_left")


def ability_reason(view: View, name: str) -> str:
    """Return why the player to move cannot take an ability that is not among the choices."""
    player = view["players"][view["to_move"]]
    return _lacking(missing_goods(player, cost(name))) or t("refusal.one_of_type")
