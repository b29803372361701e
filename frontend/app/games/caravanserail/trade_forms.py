"""What a seat can trade at a moment, and the forms to compose offers and moves of own wares."""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserail.board import CARAVAN_CAPACITY, TREASURE, max_asked
from frontend.app.components.primary_button import action_button
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, fill, set_blocked_reason
from frontend.app.core.types import Action, Callback, Command, Data, Node
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.sheikhs import name_of
from frontend.app.games.caravanserail.wares import WaresPicker, total

Wares = dict[str, int]


def store_name(store: int) -> str:
    """Return the name of a seat's store: its treasure or one of its caravans."""
    return t("store-treasure") if store == TREASURE else t("store-caravan", caravan=store + 1)


class Market:
    """What a seat can trade at a moment.

    ``order``: all wares, as they are shown; ``commands``: the legal commands; ``shifts``: the
    ranges of wares that can be moved between own caravans, by source and target.
    """

    def __init__(self, now: ViewModel, seat: int, names: Sequence[str]) -> None:
        self.view = now.view
        self.seat = seat
        self.names = names
        self.order = now.view["board"]["wares"]
        self.commands = [choice["command"] for choice in now.choices] if now.live else []
        self.shifts = {
            (each["command"]["source"], each["command"]["target"]): each
            for each in (now.ranges("Shift") if now.live else ())
        }

    def wares_in(self, store: int) -> Wares:
        """Return the wares in one of the seat's stores."""
        player = self.view["players"][self.seat]
        return player["treasure"] if store == TREASURE else player["caravans"][store]["load"]

    def place_of(self, deal: Data) -> str:
        """Return the name of the place at which a deal is made."""
        other = self.view["players"][deal["partner"]]
        store = deal["theirs"]
        letter = other["home"] if store == TREASURE else other["caravans"][store]["at"]
        return name_of(self.view, letter)


class OfferForm:
    """The form to compose an offer.

    ``deal``: the ``partner``, and the stores ``mine`` and ``theirs``; ``dropped``: the commands
    that drop an own draft or offer first; ``countered``: the offer to reply to, if any.
    ``send(commands)`` makes the offer, ``cancel()`` closes the form.
    """

    def __init__(
        self,
        deal: Data,
        send: Callback,
        cancel: Action,
        dropped: Sequence[Command] = (),
        countered: Data | None = None,
    ) -> None:
        self.deal = deal
        self.dropped = dropped
        # A reply begins with what the other asks for and gives.
        self.gives: Wares = {**countered["asks"]} if countered else {}
        self.asks: Wares = {**countered["gives"]} if countered else {}
        self.asked = el("div", {"class": "asked"})
        self.summary = el("p", {"class": "summary"})
        self.go = confirm_button(t("trade.send_offer"), "Draft", lambda: send(self._commands()))
        self.bottom = el("div", {"class": "bottom"}, self.summary, _cancel_button(cancel), self.go)
        self.node = el("div", {"class": "composer"})

    def is_possible(self, market: Market) -> bool:
        """Return whether the offer can be made at a moment."""
        first = self.dropped or [{"type": "Draft", **self.deal}]
        return all(command in market.commands for command in first)

    def draw(self, market: Market) -> Node:
        """Draw the form for a moment, with the wares picked so far."""
        deal = self.deal
        name, stock = market.names[deal["partner"]], market.wares_in(deal["mine"])

        def on_give(wares: Wares) -> None:
            self.gives = wares
            most = max_asked(deal["mine"], total(stock), total(wares))
            while total(self.asks) > most:
                last = [ware for ware in market.order if self.asks.get(ware)][-1]
                self.asks[last] -= 1
            title = t("trade.get_heading", name=name)
            picker = WaresPicker(title, market.order, None, most, self.asks, self._on_ask)
            fill(self.asked, picker.node)
            self._on_ask(picker.value())

        title = t("trade.give_heading", store=store_name(deal["mine"]))
        giving = WaresPicker(title, market.order, stock, CARAVAN_CAPACITY, self.gives, on_give)
        on_give(giving.value())
        heading = t("trade.offer_heading", name=name, place=market.place_of(deal))
        return fill(self.node, el("h2", {}, heading), giving.node, self.asked, self.bottom)

    def _on_ask(self, wares: Wares) -> None:
        self.asks = wares
        empty = not (self.gives or wares)
        set_blocked_reason(self.go, t("trade.choose_goods") if empty else None)
        fill(self.summary, "" if empty else t("trade.summary", gives=self.gives, asks=wares))
        is_gift = self.gives and not wares
        fill(self.go.lastChild, t("trade.send_gift") if is_gift else t("trade.send_offer"))

    def _commands(self) -> list[Command]:
        give, ask = {"type": "Give", "wares": self.gives}, {"type": "Ask", "wares": self.asks}
        return [*self.dropped, {"type": "Draft", **self.deal}, give, ask]


class ShiftForm:
    """The form to move wares between two own caravans, with the same callbacks as `OfferForm`."""

    def __init__(self, source: int, target: int, send: Callback, cancel: Action) -> None:
        self.caravans = (source, target)
        self.wares: Wares = {}
        self.go = confirm_button(t("trade.move"), "Shift", lambda: send([self._command()]))
        self.bottom = el("div", {"class": "bottom"}, _cancel_button(cancel), self.go)
        self.node = el("div", {"class": "composer"})

    def is_possible(self, market: Market) -> bool:
        """Return whether wares can be moved at a moment."""
        return self.caravans in market.shifts

    def draw(self, market: Market) -> Node:
        """Draw the form for a moment, with the wares picked so far."""
        shift = market.shifts[self.caravans]
        source, target = self.caravans

        def on_change(wares: Wares) -> None:
            self.wares = wares
            set_blocked_reason(self.go, None if wares else t("trade.choose_moved"))

        title = t("trade.moving_heading", source=source + 1, target=target + 1)
        of, most = shift["of"], shift["most"]
        picker = WaresPicker(title, market.order, of, most, self.wares, on_change)
        on_change(picker.value())
        return fill(self.node, picker.node, self.bottom)

    def _command(self) -> Command:
        source, target = self.caravans
        return {"type": "Shift", "source": source, "target": target, "wares": self.wares}


def confirm_button(text: str, command_type: str, send: Action, **more: Any) -> Node:
    """Return the button that plays what was composed; ``more``: further attributes."""
    return action_button(text, lambda _e: send(), command_type, True, "confirm", **more)


def _cancel_button(cancel: Action) -> Node:
    return button(t("trade.cancel"), lambda _e: cancel())
