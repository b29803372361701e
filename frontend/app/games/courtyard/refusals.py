"""The reasons why an action is impossible in the courtyard, derived from the view."""

from domain.games.courtyard.board import CHANGERS, EXCHANGING, SELLING, SOUTH, STALLS, TOWERS, steps
from domain.games.courtyard.board import wares as of_goods
from domain.games.courtyard.cards import ABILITIES
from frontend.app.core.types import Data, View
from frontend.app.games.courtyard.derived import goods_text, missing_goods, unit_price
from frontend.app.games.courtyard.i18n import t, tn
from frontend.app.games.courtyard.places import swap_of

MAX_MINORS = 3


def unreachable_reason(view: View, seat: int, space: str) -> str:
    """Return why a seat's move cannot end on a space that is out of reach."""
    player = view["players"][seat]
    if not view["moves_left"]:
        return t("Both moves of this turn are made.")
    if view["die"] is None and space == player["at"]:
        return t("A move does not end where it began.")
    others = [each["at"] for each in view["players"] if each["at"] and each["seat"] != seat]
    far = steps(player["at"], tuple(sorted(set(others))))[space]
    reach = view["die"] or (4 if "T6" in player["abilities"] else 3)
    return tn(
        "It is {far} steps away; this move has {n} step at most.",
        "It is {far} steps away; this move has {n} steps at most.",
        far=far,
        n=reach,
    )


def idle_reason(view: View, seat: int) -> str:
    """Return why a seat cannot do the action of its space; "" if no reason is known."""
    player = view["players"][seat]
    at = player["at"]
    if view["acted"]:
        return t("You have acted at this stop.")
    if view["moves_left"] == 2:
        return t("First move: an action follows a move.")
    if at in STALLS:
        return _stall(view, player, STALLS[at])
    if at in CHANGERS:
        return _loan(player)
    if at in view["rests"]:
        gives, _gets = swap_of(view["rests"][at])
        return _lacking(missing_goods(player, gives))
    if at in TOWERS:
        return _order(player, view["towers"][at])
    if at in (SELLING, EXCHANGING):
        return t("You have no goods.")
    return _draw(view, player) if at == SOUTH else ""


def _stall(view: View, player: Data, good: str) -> str:
    space = next(each for each, sold in STALLS.items() if sold == good)
    if not view["stalls"][space]:
        return t("Nothing is left at this stall.")
    return tn(
        "One costs {n} dirham, and your purse holds {coins}.",
        "One costs {n} dirhams, and your purse holds {coins}.",
        n=unit_price(good),
        coins=player["coins"],
    )


def _loan(player: Data) -> str:
    if player["debt"] >= player["credit"]:
        return t("Your debt has reached your credit.")
    return t("Your purse is full.")


def _lacking(lacks: dict[str, int]) -> str:
    return t("You lack {goods}.", goods=goods_text(lacks)) if lacks else ""


def _order(player: Data, order: Data | None) -> str:
    if order is None:
        return t("No order is left here.")
    if player["minor"]:
        return t("First complete the minor order that lies open before you.")
    return _lacking(missing_goods(player, order["goods"]))


def _draw(view: View, player: Data) -> str:
    if player["minor"]:
        return t("First complete the minor order that lies open before you.")
    if len(player["minors"]) >= MAX_MINORS:
        return t("Nobody may have more than three minor orders.")
    return "" if view["decks"]["minors"] else t("No minor order is left.")


def ability_reason(view: View, name: str) -> str:
    """Return why the player to move cannot take an ability that is not among the choices."""
    player = view["players"][view["to_move"]]
    card = ABILITIES[name]
    lacks = missing_goods(player, of_goods(card.cost))
    if lacks:
        return _lacking(lacks)
    return t("You have a card of this kind already, and may hold only one.")
