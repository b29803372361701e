"""Forms for orders, income and abilities that preview costs and results."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.courtyard.board import SOUTH
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import (
    announce,
    button,
    el,
    fill,
    plain_button,
    scroll_dock_to_top,
    set_blocked_reason,
)
from frontend.app.core.types import Choice, Data, DomEvent, Node, View
from frontend.app.games.courtyard.cards import ability_card
from frontend.app.games.courtyard.derived import fountain_bonus, payment_text
from frontend.app.games.courtyard.forms import IncomeForm, Send, confirm_button
from frontend.app.games.courtyard.i18n import t
from frontend.app.games.courtyard.places import order_payment
from frontend.app.games.courtyard.refusals import ability_reason


def toggle_row(text: str, on: bool, name: str, changed: Callable[[bool], object]) -> Node:
    """Return a labelled switch whose field has a name."""
    row = toggle_field(text, "", on, changed)
    row.firstChild.name = name
    return row


class OrderForm:
    """The form to complete a major order or the open minor order: payment and split.

    ``place``: the tower with the order, or "" for the open minor order, whose payment no arrow of
    the fountain changes; ``choices``: all variants of the command.
    """

    def __init__(
        self, view: View, seat: int, place: str, choices: Sequence[Choice], send: Send
    ) -> None:
        self.view = view
        self.seat = seat
        self.order = view["towers"][place] if place else view["players"][seat]["minor"]
        self.place = place
        self.choices = choices
        self.send = send
        self.turn = False
        self.split = IncomeForm(view["players"][seat], self._income(), place)
        self.head = el("div", {})
        does = choices[0]["command"]["type"]
        confirm = confirm_button(t("panel.complete_order"), self._on_confirm, does)
        parts = (self.head, self.split.node, confirm, self.split.after)
        self.node = el("div", {"class": "form"}, *parts)
        self._draw()

    def _income(self) -> int:
        more = fountain_bonus(self.view, self.seat, self.place, self.turn) if self.place else 0
        return int(self.order["value"] + more)

    def _draw(self) -> None:
        summary = self.split.summary
        parts = [order_payment(self.view, self.order, self.place, self.seat, self.turn, summary)]
        if len(self.choices) > 1:
            parts.append(toggle_row(t("form.rotate_first"), self.turn, "turn", self._on_toggle))
        fill(self.head, parts)

    def _on_toggle(self, on: bool) -> None:
        self.turn = on
        self.split.limit(self._income())
        self._draw()
        announce(payment_text(self.order["value"], self._income() - self.order["value"]))

    def _on_confirm(self, _event: DomEvent) -> None:
        found = [each for each in self.choices if each["command"].get("turn", False) == self.turn]
        chosen = found[-1] if found else self.choices[0]
        self.send(chosen["command"], self.split.command())


def order_income(view: View, seat: int, send: Send) -> Node:
    """Return the form that splits the income of an order."""
    split = IncomeForm(view["players"][seat], view["income"], "")
    text = el("p", {}, el("b", {}, t("form.income_question", income=view["income"])))
    confirm = confirm_button(t("form.confirm_split"), lambda _e: send(split.command()), "Share")
    return el("div", {"class": "form"}, text, split.summary, split.node, confirm, split.after)


class GateForm:
    """The form of the North Gate: take an ability, turn the fountain, or both.

    A chosen card stands alone with its button, so that the button covers no other card. ``back`` is
    the button that leaves the form.
    """

    def __init__(self, choices: Sequence[Choice], view: View, send: Send, back: Node) -> None:
        self.choices = choices
        self.view = view
        self.send = send
        self.card: Any = None
        self.turn = True
        names = [*view["abilities"]["turquoise"], *view["abilities"]["purple"]]
        can = [choice["command"]["ability"] for choice in choices]
        self.cards = {name: self._card(name, name in can) for name in names}
        self.confirm = confirm_button("", self._on_confirm, "VisitGate")
        self.back = back
        text = t("form.other_abilities")
        self.others = button(text, self._on_leave_card, "round quiet", "i-close", name="others")
        self.turner = el("div", {})
        self.node = el("div", {"class": "form"})
        self._draw()

    def _card(self, name: str, can: bool) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.card = None if self.card == name else name
            self.turn = self.turn or self.card is None
            self._draw()
            scroll_dock_to_top(self.node)
            node.focus()

        shown = ability_card(name, priced=True)
        node = plain_button("card-button", on_choose, shown, name=f"card-{name}")
        return node if can else set_blocked_reason(node, ability_reason(self.view, name))

    def _on_toggle(self, on: bool) -> None:
        self.turn = on or self.card is None
        self._draw()

    def _current_choice(self) -> Choice:
        for choice in self.choices:
            if (choice["command"]["ability"], choice["command"]["turn"]) == (self.card, self.turn):
                return choice
        return self.choices[0]

    def _draw(self) -> None:
        for name, node in self.cards.items():
            node.setAttribute("aria-pressed", "true" if name == self.card else "false")
        fill(self.turner, toggle_row(t("form.also_rotate"), self.turn, "turn", self._on_toggle))
        text = t("turn-fountain")
        if self.card is not None:
            text = t("form.take_ability_rotate") if self.turn else t("form.take_ability")
        fill(self.confirm.lastChild, text)
        fill(self.node, self._parts())

    def _parts(self) -> list[Node]:
        """Return the fountain's button above all cards or, with a card chosen, only that card."""
        if self.card is None:
            cards = el("div", {"class": "abilities"}, [*self.cards.values()])
            return [el("div", {"class": "confirm-row fixed"}, self.back, self.confirm), cards]
        row = el("div", {"class": "confirm-row"}, self.others, self.confirm)
        return [self.cards[self.card], self.turner, row]

    def _on_leave_card(self, _event: DomEvent) -> None:
        self.card = None
        self.turn = True
        self._draw()

    def _on_confirm(self, _event: DomEvent) -> None:
        self.send(self._current_choice()["command"])


class DrawnOrders:
    """The form to choose a drawn minor order, kept for later or completed immediately."""

    def __init__(self, choices: Sequence[Choice], view: View, seat: int, send: Send) -> None:
        self.choices = choices
        self.view = view
        self.seat = seat
        self.send = send
        self.which = 0
        self.now = False
        self.cards = [self._card(i, order) for i, order in enumerate(view["drawn"])]
        self.order_form = el("div", {"class": "form"})
        drawn = el("div", {"class": "drawn"}, self.cards)
        self.node = el("div", {"class": "form"}, drawn, self.order_form)
        self._draw()

    def _card(self, i: int, order: Data) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.which = i
            self.now = False
            self._draw()

        shown = order_payment(self.view, order, SOUTH, self.seat)
        return plain_button("card-button", on_choose, shown, name=f"drawn-{i}")

    def _choice(self, now: bool) -> Choice | None:
        for choice in self.choices:
            if (choice["command"]["which"], choice["command"]["now"]) == (self.which, now):
                return choice
        return None

    def _on_toggle(self, on: bool) -> None:
        self.now = on
        self._draw()

    def _draw(self) -> None:
        for i, node in enumerate(self.cards):
            node.setAttribute("aria-pressed", "true" if i == self.which else "false")
        parts: list[Node] = []
        self.split: Any = None
        if self._choice(True):
            parts.append(toggle_row(t("form.complete_now"), self.now, "now", self._on_toggle))
        if self.now:
            order = self.view["drawn"][self.which]
            income = order["value"] + fountain_bonus(self.view, self.seat, SOUTH)
            self.split = IncomeForm(self.view["players"][self.seat], income, SOUTH)
            parts += [self.split.summary, self.split.node]
        text = t("form.complete_order_now") if self.now else t("form.keep_for_later")
        if not self.now:
            parts.append(el("p", {"class": "muted"}, t("form.keep_blocks")))
        parts.append(confirm_button(text, self._on_confirm, "KeepOrder"))
        if self.split:
            parts.append(self.split.after)
        fill(self.order_form, parts)

    def _on_confirm(self, _event: DomEvent) -> None:
        choice = self._choice(self.now)
        if choice is None:
            return
        more = [self.split.command()] if self.now else []
        self.send(choice["command"], *more)
