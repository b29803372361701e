"""The action panel of a seat: the selected space, and the actions available.

A tap on the board only selects a space; a button of the panel moves there. Forms replace the
buttons, and only their confirm button plays the command.
"""

from collections.abc import Callable
from typing import Any

from _native import fill, keep_focus

from domain.games.courtyard.board import TOWERS
from frontend.app.components.primary_button import action_button
from frontend.app.components.secret_panel import SecretPanel
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import announce, button, el, patch, picture, scroll_dock_to_top
from frontend.app.core.types import Action, Choice, Command, DomEvent, Node, View
from frontend.app.games.courtyard import refusals
from frontend.app.games.courtyard.derived import goods_node, place_name
from frontend.app.games.courtyard.forms import ChoiceForm, GoodsForm, confirm_button
from frontend.app.games.courtyard.i18n import t
from frontend.app.games.courtyard.orders import DrawnOrders, GateForm, OrderForm, order_income
from frontend.app.games.courtyard.places import space_details, swap_of

# Commands without parameters, which are played immediately.
PLAIN_COMMANDS = ("Roll", "Reroll", "EndTurn", "DrawOrders")
SPACE_COMMANDS = (
    "Buy",
    "Borrow",
    "Trade",
    "Sell",
    "Exchange",
    "VisitGate",
    "FillOrder",
    "DrawOrders",
)
# Completing an order is the aim of the game, so it is offered first wherever it is possible.
ORDER_COMMANDS = ("FillOrder", "FillKept")
# Commands that need no form if only one of them is possible.
SINGLE_COMMANDS = ("Buy", "Borrow", "Trade", "Sell", "Exchange")
# Button labels, by command type.
BUTTON_LABELS = {
    "Roll": t("roll"),
    "Reroll": t("reroll"),
    "EndTurn": t("end-turn"),
    "Borrow": t("panel.borrow"),
    "Buy": t("group-Buy"),
    "Trade": t("panel.trade"),
    "Sell": t("group-Sell"),
    "Exchange": t("group-Exchange"),
    "VisitGate": t("panel.visit_gate"),
    "FillOrder": t("panel.complete_order"),
    "DrawOrders": t("draw-minors"),
    "FillKept": t("panel.complete_minor"),
    "Repay": t("group-Repay"),
    "ExpandPurse": t("panel.expand_purse"),
    "FillPurse": t("ability-P3"),
    "WidenCredit": t("ability-P5"),
    "SwapTwo": t("panel.swap_one_or_two"),
    "SellTwo": t("panel.sell_one_or_two"),
}
QUESTIONS = {
    "Sell": t("panel.question_sell"),
    "SellTwo": t("panel.question_sell_two"),
    "Exchange": t("panel.question_exchange"),
    "SwapTwo": t("panel.question_swap_two"),
}


def is_secret(view: View) -> bool:
    """Return whether the current choices are secret, known only to the acting seat."""
    return bool(view["step"] == "minor")


class ActionPanel(SecretPanel):
    """The action panel; ``on_look()`` is called when a space is selected or deselected."""

    def __init__(self, host: ScreenHost, on_look: Action) -> None:
        super().__init__(host)
        self.on_look = on_look
        self.space: str | None = None
        self.form: str | None = None
        self.moment: Any = None
        patch(self.node, {"class": "desk courtyard-desk"})

    # -- drawing a moment ----------------------------------------------------------------------

    def draw(self, now: ViewModel) -> None:
        """Draw the panel for a moment.

        At a new moment, the form, the selection and the cover are closed first. Does not
        rebuild the panel while the choices are being loaded.
        """
        self.now = now
        if now.live and now.seat is not None and not now.has_choices and self.built is not None:
            return  # the service has not sent the choices yet
        moment = (now.version, now.seat, now.live)
        if moment != self.moment:
            self.moment = moment
            self.form = self.space = None
            self.cover.hide()
        self._hand_over(now)
        self.update()

    def _hand_over(self, now: ViewModel) -> None:
        """Update the hand-over of a shared device.

        Only the choice of minor orders is secret; otherwise the device passes to the next seat
        without a hand-over page.
        """
        due = self.handover.next_seat() if now.live else None
        if due is not None and not is_secret(now.view):
            self.handover.take(due)
        else:
            self.handover.update(now, False)

    def update(self) -> None:
        """Rebuild the panel if it has changed."""
        now = self.now
        key = (self.moment, self.space, self.form, str(now.choices), self.host.match.active_seat)
        if key != self.built:
            if self.built is None or key[:3] != self.built[:3]:
                scroll_dock_to_top(self.node)
            self.built = key
            keep_focus(lambda: fill(self.node, self._parts(now)))
        self.cover.update_label()
        if self.opening is not None and now.has_choices:
            self.opening = None
            self.cover.show()

    def toggle_space(self, space: str) -> None:
        """Select a space, or deselect it if it is selected."""
        self.form = None
        self.space = None if space == self.space else space
        self.update()
        self.on_look()
        announce(place_name(space))

    def reach(self) -> dict[str, int]:
        """Return the number of steps to each space on which the next move may end."""
        if self.now is None or not self.now.live:
            return {}
        return {
            choice["command"]["to"]: choice["args"]["steps"] for choice in self._choices_of("Move")
        }

    def _choices_of(self, kind: str) -> list[Choice]:
        return [choice for choice in self.now.choices if choice["command"]["type"] == kind]

    def _send(self, *commands: Command) -> None:
        """Play commands confirmed in the panel, without asking again."""
        self.cover.hide()
        self.form = self.space = None
        self.host.commit(*commands)

    # -- content of the panel ------------------------------------------------------------------

    def _parts(self, now: ViewModel) -> list[Any]:
        view, seat = now.view, now.seat
        if now.live and view["step"] == "minor" and self._is_drawer(view):
            self.cover.draw()
            return [self.cover.node]
        if now.live and seat is not None and now.has_choices and self.space is None:
            if view["step"] == "discard":
                return [self._discarding(view, seat)]
            if view["step"] == "income":
                return [order_income(view, seat, self._send)]
            if view["step"] == "start":
                return [self._settling()]
        if self.form is not None and seat is not None:
            if self.form in QUESTIONS or self.form == "VisitGate":  # their buttons say enough
                return [self._form(self.form, view, seat)]
            return [self._back(), self._form(self.form, view, seat)]
        return self._place(now)

    def _is_drawer(self, view: View) -> bool:
        return self.host.match.active_seat == view["to_move"] and view["drawn"] is not None

    def _place(self, now: ViewModel) -> list[Any]:
        """Return the selected space, or the viewer's own, with its details and actions."""
        view = now.view
        viewer = now.seat if now.seat is not None else self.host.match.active_seat
        own = view["players"][viewer]["at"] if viewer is not None else None
        space = self.space or own
        acting = now.live and now.seat is not None
        parts: list[Any] = []
        if space:
            parts.append(self._head(space, own))
            is_own = acting and space == own and now.seat is not None
            if is_own and refusals.idle_reason(view, now.seat or 0):
                parts.append(self._buttons())  # nothing to do here, so the details come last
                return [*parts, *space_details(view, space, viewer)]
            if space == "G_N" and self.space is None and acting:
                parts.append(el("p", {}, t("space.north_details")))
            else:
                parts.extend(space_details(view, space, viewer))
            parts.append(self._blocked(space, viewer) if space != own else None)
        if acting and self.space and self.space != own:
            parts.append(self._go(self.space))
        elif acting:
            parts.append(self._buttons())
        elif self.space and self.host.idle_reason(now):
            parts.append(el("p", {"class": "muted hint"}, self.host.idle_reason(now)))
        return parts or [el("p", {"class": "muted"}, t("panel.tap_a_space"))]

    def _blocked(self, space: str, viewer: int | None) -> Node | None:
        """Return a line about what blocks the action of a space, unless its details say so."""
        if viewer is None or space in TOWERS or self.now.view["step"] in ("start", "over"):
            return None
        reason = refusals.blocked_reason(self.now.view, viewer, space)
        return el("p", {"class": "blocked"}, reason) if reason else None

    def _head(self, space: str, own: str | None) -> Node:
        title = el("b", {}, place_name(space))
        text = t("panel.you_are_here") if space == own and self.space else None
        n = self.reach().get(space)
        if n:
            text = t("space.steps", n=n)
        away = el("span", {"class": "muted"}, text) if text else None
        back = None
        if self.space:
            close = t("panel.back_to_space")
            back = button(
                close, lambda _e: self.toggle_space(space), "round quiet", "i-close", name="leave"
            )
        return el("div", {"class": "place-head"}, title, away, back)

    def _go(self, space: str) -> Node:
        moves = [choice["command"] for choice in self._choices_of("Move")]
        there = [command for command in moves if command["to"] == space]
        if there:
            text = t("panel.move_here")
            return confirm_button(text, lambda _e: self._send(there[0]), "Move", "go")
        reason = refusals.unreachable_reason(self.now.view, self.now.seat, space)
        return el("p", {"class": "muted"}, reason)

    def _buttons(self) -> Node:
        """Return a button for each command type, actions of the space first, and hints."""
        kinds: list[str] = []
        for choice in self.now.choices:
            kind = choice["command"]["type"]
            if kind not in kinds and kind != "Move":
                kinds.append(kind)
        kinds.sort(key=lambda kind: (kind not in ORDER_COMMANDS, kind not in SPACE_COMMANDS))
        first = kinds[0] if kinds else ""
        best = first if first in SPACE_COMMANDS or first in ORDER_COMMANDS else "EndTurn"
        view, seat = self.now.view, self.now.seat
        buttons = [self._button(kind, kind == best) for kind in kinds]
        idle = "" if set(kinds) & set(SPACE_COMMANDS) else refusals.idle_reason(view, seat)
        hints = [idle] if idle else []
        if self._choices_of("Move"):
            last = view["moves_left"] == 1
            hints.append(t("panel.tap_to_move_last") if last else t("panel.tap_to_move"))
        buttons += [el("p", {"class": "muted hint"}, hint) for hint in hints]
        return el("div", {"class": "ways"}, buttons)

    def _button(self, kind: str, best: bool) -> Node:
        choices = self._choices_of(kind)
        single = kind in SINGLE_COMMANDS and len(choices) == 1
        plain = kind in PLAIN_COMMANDS or single

        def on_press(_event: DomEvent) -> None:
            if plain:
                self.host.play(choices[0]["command"])
                return
            self.form = kind
            self.update()

        text = choices[0]["label"] if single else BUTTON_LABELS[kind]
        if kind == "Roll":
            text = t("panel.roll", n=refusals.stride(self.now.view, self.now.seat))
        does = kind if plain else ""
        return action_button(text, on_press, does, is_best=best, name=f"do-{kind}")

    def _back_button(self) -> Node:
        def on_close(_event: DomEvent) -> None:
            self.form = None
            self.update()

        return button(t("panel.cancel"), on_close, "round quiet", "i-close", name="leave")

    def _back(self) -> Node:
        back = self._back_button()
        if self.form in ("FillOrder", "FillKept"):  # the order is its heading
            return el("div", {"class": "form-close"}, back)
        title = el("b", {}, BUTTON_LABELS[self.form or "EndTurn"])
        return el("div", {"class": "place-head"}, title, back)

    # -- forms ---------------------------------------------------------------------------------

    def _form(self, kind: str, view: View, seat: int) -> Node:
        choices = self._choices_of(kind)
        player = view["players"][seat]
        if kind in QUESTIONS:
            back = self._back_button()
            return GoodsForm(choices, player["goods"], QUESTIONS[kind], self._send, back).node
        if kind == "VisitGate":
            return GateForm(choices, view, self._send, self._back_button()).node
        if kind == "FillOrder":
            return OrderForm(view, seat, player["at"], choices, self._send).node
        if kind == "FillKept":
            return OrderForm(view, seat, "", choices, self._send).node
        return ChoiceForm(choices, _shorts(kind, view, player["at"]), self._send).node

    def _discarding(self, view: View, seat: int) -> Node:
        goods = view["players"][seat]["goods"]
        text = t("panel.discard_down", n=sum([*goods.values()]) - 7)
        return GoodsForm(self._choices_of("Discard"), goods, text, self._send).node

    def _settling(self) -> Node:
        choices = self._choices_of("Settle")

        def short(choice: Choice) -> list[Node]:
            command = choice["command"]
            name = el("span", {}, place_name(command["gate"]))
            return [name, picture("good-" + command["good"], 26)]

        return ChoiceForm(choices, short, self._send).node

    # -- the secret choice ---------------------------------------------------------------------

    def cover_label(self) -> str:
        """Return the label of the closed cover."""
        choosing = self.now is not None and self.now.has_choices
        return t("panel.choose_minor") if choosing else t("panel.hold_to_peek")

    def build_secrets(self) -> list[Any]:
        """Return the drawn orders."""
        now = self.now
        if now is None or now.seat is None or not now.view["drawn"]:
            return []
        return [DrawnOrders(now.choices, now.view, now.seat, self._send).node]

    def _on_seat_taken(self, seat: int | None) -> None:
        self.moment = None
        super()._on_seat_taken(seat)
        if self.now is None or not is_secret(self.now.view):
            self.opening = None


def _shorts(kind: str, view: View, at: str) -> Callable[[Choice], Any]:
    """Return the function that builds the chip of a choice, for a command type."""
    if kind == "Buy":
        return _bought
    if kind == "Trade":
        gives, gets = swap_of(view["rests"][at])
        return lambda choice: _traded(choice, gives, gets)
    if kind in ("Borrow", "Repay"):
        return lambda choice: [el("b", {}, str(choice["command"]["coins"])), picture("dirham", 22)]
    return lambda choice: [picture("good-" + choice["command"]["good"], 26)]


def _bought(choice: Choice) -> list[Node]:
    goods = {choice["command"]["good"]: choice["command"]["units"]}
    price = el("span", {"class": "muted"}, str(choice["args"]["coins"]), picture("dirham", 18))
    return [goods_node(goods, 26), price]


def _traded(choice: Choice, gives: dict[str, int], gets: dict[str, int]) -> list[Any]:
    times = choice["command"]["times"]
    given, got = [{good: n * times for good, n in goods.items()} for goods in (gives, gets)]
    more = None
    if choice["command"]["bronze"]:
        more = el("span", {"title": t("panel.plus_bronze")}, "+", picture("good-bronze", 22))
    arrow = picture("gives", 18, **{"class": "arrow"})
    return [goods_node(given, 22), arrow, goods_node(got, 22), more]
