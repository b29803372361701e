"""Secret trading: current offers with their answers, and partners for new offers.

An offer is composed locally and sent in one request.
"""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserail.board import CARAVAN_CAPACITY
from domain.text.i18n import N_
from frontend.app.components.primary_button import action_button
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import after, button, el, fill, scroll_dock_to_top, tone
from frontend.app.core.types import Action, Callback, Command, Data, DomEvent, Node
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.trade_forms import Market, OfferForm, ShiftForm, store_name
from frontend.app.games.caravanserail.wares import minus, wares_node

DROP_DRAFT = {"type": "DropDraft"}
WITHDRAW = {"type": "Withdraw"}
ANSWERS = {
    "OfferMade": "",
    "OfferDeclined": N_("trade.was_declined"),
    "OfferWithdrawn": N_("trade.was_withdrawn"),
    "WaresExchanged": N_("trade.was_accepted"),
}


class TradePanel:
    """The trading panel of a seat.

    ``play(commands)`` plays commands; ``commit(commands)`` plays commands composed in this panel;
    ``redraw()`` is called when a deal is begun or dropped.
    """

    def __init__(self, host: ScreenHost, play: Callback, commit: Callback, redraw: Action) -> None:
        self.host = host
        self.play = play
        self.commit = commit
        self.redraw = redraw
        self.form: OfferForm | ShiftForm | None = None
        self.answered = 0  # the version of the latest answer shown

    def reset(self) -> None:
        """Discard the deal that is being composed."""
        self.form = None

    def build(self, now: ViewModel, seat: int) -> list[Node | None]:
        """Return the current offers and the trading controls of a seat."""
        view = now.view
        market = self.market = Market(now, seat, self.host.match.names)
        draft = view["players"][seat]["draft"]
        parts = [self._latest_answer() if now.live else None]
        parts.extend([self._offer(offer) for offer in view["offers"]])
        if self.form is not None and self.form.is_possible(market):
            return [self.form.draw(market)]
        if draft is not None:
            parts.append(self._draft_notice(draft))
        elif market.shifts or any(command["type"] == "Draft" for command in market.commands):
            parts.append(self._partners())
        elif market.commands and not view["offers"]:
            parts.append(el("p", {"class": "muted"}, t("trade.no_partner")))
        return parts

    def latest_deal_event(self) -> Any:
        """Return the latest event of this turn about a deal that the reader knows of, or None."""
        match = self.host.match
        for event in match.standing_events(match.version):
            if event["type"] == "CaravansMoved":
                return None
            if event["type"] in ANSWERS and event["seat"] is not None:
                return event
        return None

    def _latest_answer(self) -> Node | None:
        """Return what the partner did about the seat's latest deal of this turn, if anything.

        The panel is scrolled to a new answer.
        """
        event = self.latest_deal_event()
        if event is None or event["seat"] == self.market.seat or not ANSWERS[event["type"]]:
            return None
        args: dict[str, Any] = {"name": self.market.names[event["seat"]]}
        if event["type"] == "WaresExchanged":
            args |= {"gets": event["data"]["pays"], "pays": event["data"]["gets"]}
        text = t(ANSWERS[event["type"]], **args)
        node = el("p", {"class": "answer", "style": f"--tone:var(--seat-{event['seat']})"}, text)
        if event["version"] > self.answered:
            self.answered = event["version"]
            after(0, lambda: scroll_dock_to_top(node))
        return node

    # -- current offers --------------------------------------------------------------------------

    def _offer(self, offer: Data) -> Node:
        mine = offer["offerer"] == self.market.seat
        other = offer["partner"] if mine else offer["offerer"]
        name = self.market.names[other]
        gives, asks = wares_node(offer["gives"]), wares_node(offer["asks"])
        if mine:
            title = t("trade.own_offer_heading", name=name)
            lines = ((t("trade.you_give"), gives, offer["mine"]), (t("trade.you_get"), asks, None))
            buttons = [self._command_button(t("trade.withdraw"), WITHDRAW)]
        else:
            title = t("trade.offer_from_heading", name=name)
            gets = (t("trade.you_get"), gives, None)
            lines = (gets, (t("trade.you_give"), asks, offer["theirs"]))
            buttons = self._answers(offer, other)
        parts = [el("h2", {}, el("span", {"class": "dot"}), title)]
        for text, wares, store in lines:
            line = el("p", {"class": "offer-line"}, el("span", {}, text), wares)
            if store is not None:
                line.append(el("small", {}, t("trade.from_store", store=store_name(store))))
            parts.append(line)
        parts.append(el("div", {"class": "row offer-ways"}, buttons))
        given = {"class": "offer", "style": tone(other), "aria-label": title}
        return el("section", given, parts)

    def _answers(self, offer: Data, other: int) -> list[Node | None]:
        """Return what can be done about an offer to the seat, if it is to act at all.

        To decline or counter, an own draft or offer is dropped first if the rules require that.
        """
        if not self.market.commands:
            return []
        accept = {"type": "Accept", "offerer": other}
        decline = {"type": "Decline", "offerer": other}
        counter = {"mine": offer["theirs"], "partner": other, "theirs": offer["mine"]}
        dropped = [each for each in (DROP_DRAFT, WITHDRAW) if each in self.market.commands]
        first = [] if decline in self.market.commands else dropped
        buttons = [
            self._command_button(t("trade.accept"), accept, best=True),
            action_button(t("trade.decline"), lambda _e: self._answer(*first, decline), "Decline"),
        ]
        if dropped or {"type": "Draft", **counter} in self.market.commands:

            def compose(_event: DomEvent) -> None:
                self._open(OfferForm(counter, self._send, self._close, dropped, offer))

            buttons.append(button(t("trade.counter"), compose))
        if not offer["acceptable"]:
            buttons[0] = el("p", {"class": "muted"}, self._why_not_accept(offer))
        return buttons

    def _why_not_accept(self, offer: Data) -> str:
        """Return what the seat lacks for an offer, else that its caravan would be too full."""
        store = offer["theirs"]
        lacking = minus(offer["asks"], self.market.wares_in(store))
        if lacking:
            return t("trade.lacks", store=store_name(store), wares=lacking)
        return t("trade.no_room", store=store_name(store), most=CARAVAN_CAPACITY)

    def _command_button(self, text: str, command: Command, best: bool = False) -> Node | None:
        if command not in self.market.commands:
            return None
        return action_button(text, lambda _e: self._answer(command), command["type"], is_best=best)

    def _open(self, form: OfferForm | ShiftForm) -> None:
        """Show a form, from its top."""
        self.form = form
        self.redraw()
        scroll_dock_to_top(form.node)

    def _close(self) -> None:
        self.reset()
        self.redraw()

    def _answer(self, *commands: Command) -> None:
        self.reset()
        self.play([*commands])

    def _send(self, commands: Sequence[Command]) -> None:
        """Play what was composed, and close the form: its controls need the deal."""
        self.reset()
        self.commit(commands)
        self.redraw()

    # -- partners --------------------------------------------------------------------------------

    def _partners(self) -> Node:
        commands, shifts = self.market.commands, self.market.shifts
        partners = [self._partner(each) for each in commands if each["type"] == "Draft"]
        heading = t("trade.make_heading") if partners else t("trade.own_heading")
        moves = [self._move(source, target) for source, target in shifts]
        return el("div", {"class": "partners"}, el("h2", {}, heading), partners, moves)

    def _partner(self, command: Command) -> Node:
        deal = {name: command[name] for name in ("mine", "partner", "theirs")}

        def begin(_event: DomEvent) -> None:
            self._open(OfferForm(deal, self._send, self._close))

        where = t("trade.at", where=self.market.place_of(deal))
        node = button("", begin, "partner", style=tone(deal["partner"]))
        node.setAttribute("data-deal", f"{deal['mine']} {deal['partner']} {deal['theirs']}")
        return fill(
            node,
            el("span", {"class": "dot"}),
            el("b", {}, self.market.names[deal["partner"]]),
            el("span", {}, where),
            el("small", {}, store_name(deal["mine"]) + " ⇄ " + store_name(deal["theirs"])),
        )

    def _move(self, source: int, target: int) -> Node:
        def begin(_event: DomEvent) -> None:
            self._open(ShiftForm(source, target, self._send, self._close))

        return button(t("trade.move_between", source=source + 1, target=target + 1), begin)

    def _draft_notice(self, draft: Any) -> Node:
        """Return the notice of an offer begun in the list of all moves, with a drop button."""
        text = t("trade.draft_open", name=self.market.names[draft["partner"]])
        drop = self._command_button(t("trade.discard_draft"), DROP_DRAFT)
        return el("div", {"class": "offer"}, el("p", {}, text), drop)
