"""A city's exchange offers: each new item with its speed or capacity and the price."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.conquest.commands import Exchange
from domain.games.conquest.equipment import CAPACITIES, COSTS, FIDGET, SPEEDS
from domain.games.conquest.market import exchange_cost
from frontend.app.components.confirm_dialog import ConfirmDialog
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import el, plain_button
from frontend.app.core.types import Node
from frontend.app.games.conquest.i18n import t


class StableOffers:
    """The offers of a city, with a row for each animal and for the wagon of the acting seat.

    A row keeps its place after an exchange, and an exchange for something worse is confirmed first:
    a second tap on the same place must not undo the first. ``play(command)`` plays an exchange.
    """

    def __init__(self, play: Callable[..., object]) -> None:
        self.play = play
        self.visit: Any = None
        self.is_second_first = False

    def draw(self, now: ViewModel, leave: Node) -> Node:
        """Return the rows; ``leave``: the button to leave the city, beside the first line."""
        state = now.state
        visit = (state.round, state.seat)
        if visit != self.visit:
            self.visit = visit
            self.is_second_first = False
        player = state.players[state.seat]
        one, other = player.animals
        team = (other, one) if self.is_second_first else (one, other)
        offers = [each for each in now.choices if type(each) is Exchange]
        head = el("div", {"class": "refit-head"}, el("span", {}, t("panel.slower_counts")), leave)
        rows = [self._row(team, number, offers) for number in range(len(team))]
        rows.append(self._row((player.caravan,), 0, offers))
        return el("div", {"class": "refits"}, head, rows)

    def _row(self, things: Sequence[str], number: int, offers: Sequence[Exchange]) -> Node:
        """Return the offers for one thing, those that are not worse first."""
        old = things[number]
        is_pair = len(things) == 2 and things[0] == things[1]
        title = t("panel.exchange_for", old=old)
        if is_pair:
            title = t("panel.exchange_nth_for", old=old, n=number + 1)
        mine = [each for each in offers if each.old == old]
        mine.sort(key=lambda each: (is_worse(old, each.new), -COSTS[each.new]))

        def on_choose(offer: Exchange) -> None:
            # The rules exchange the first of two equal animals.
            if is_pair:
                self.is_second_first = number == 1
            self.play(offer)

        row = el("div", {"class": "refit-row"}, [_offer(each, on_choose) for each in mine])
        if not mine:
            row = el("p", {"class": "muted"}, t("panel.no_offer"))
        return el("div", {"class": "refit"}, el("b", {}, title), row)


def is_worse(old: str, new: str) -> bool:
    """Return whether ``new`` is slower or carries less than ``old``, or is equal but for sand."""
    if old not in SPEEDS:
        return CAPACITIES[new] < CAPACITIES[old]
    return (SPEEDS[new], new == FIDGET) < (SPEEDS[old], old == FIDGET)


def _offer(offer: Exchange, choose: Callable[[Exchange], object]) -> Node:
    old, new = offer.old, offer.new
    cost = exchange_cost(old, new)
    price = t("panel.pay_gold", n=cost) if cost >= 0 else t("panel.get_gold", n=-cost)
    worse = is_worse(old, new)

    def on_tap(_event: Any) -> None:
        if not worse:
            choose(offer)
            return
        was, now = _benefit(old), _benefit(new)
        text = t("panel.downgrade", old=old, new=new, was=was, now=now)
        title = t("panel.downgrade_title", new=new)
        yes, no = t("panel.downgrade_yes"), t("panel.downgrade_no")
        ConfirmDialog(title, (text,), yes, no, lambda: choose(offer))

    return plain_button(
        "button offer worse" if worse else "button offer",
        on_tap,
        el("b", {}, t("panel.offer_new", new=new)),
        el("span", {}, _benefit(new)),
        el("small", {}, price),
        **{"data-old": old, "data-new": new},
    )


def _benefit(thing: str) -> str:
    """Return the speed of an animal or the capacity of a wagon."""
    if thing == FIDGET:
        return t("panel.offer_speed_sand", n=SPEEDS[thing])
    if thing in SPEEDS:
        return t("panel.offer_speed", n=SPEEDS[thing])
    return t("panel.carries", n=CAPACITIES[thing])
