"""Secret trading: current offers with their answers, and a form to compose an offer.

An offer is composed locally and sent in one request.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.caravanserail.board import CARAVAN_CAPACITY, TREASURE, max_asked
from domain.text.i18n import N_
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import (
    after,
    button,
    el,
    fill,
    scroll_dock_to_top,
    set_blocked_reason,
)
from frontend.app.core.types import Action, Command, Data, DomEvent, Node
from frontend.app.games.caravanserail.actions import ACTIONS
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import WaresPicker, minus, total, wares_node

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

    def __init__(
        self,
        host: ScreenHost,
        play: Callable[..., object],
        commit: Callable[..., object],
        redraw: Action,
    ) -> None:
        self.host = host
        self.play = play
        self.commit = commit
        self.redraw = redraw
        self.deal: Any = None
        self.dropped: Sequence[Command] = ()
        self.gives: dict[Any, Any] = {}
        self.asks: dict[Any, Any] = {}
        self.form: Any = None
        self.answered = 0  # the version of the latest answer shown

    def reset(self) -> None:
        """Discard the deal that is being composed."""
        self.deal = None
        self.dropped = ()
        self.gives = {}
        self.asks = {}

    def build(self, now: ViewModel, seat: int) -> list[Node | None]:
        """Return the current offers and the trading controls of a seat."""
        view = self.view = now.view
        self.seat = seat
        choices = now.choices if now.live else ()
        self.shifts = {
            (each["command"]["source"], each["command"]["target"]): each
            for each in (now.ranges("Shift") if now.live else ())
        }
        self.commands = [choice["command"] for choice in choices]
        kinds = [command["type"] for command in self.commands]
        draft = view["players"][seat]["draft"]
        parts = [self._latest_answer() if now.live else None]
        parts.extend([self._offer(offer) for offer in view["offers"]])
        if self.deal is not None and self._open_for(self.deal):
            return [self._composer()]
        if draft is not None:
            parts.append(self._draft_notice(draft))
        elif "Draft" in kinds or self.shifts:
            parts.append(self._partners())
        elif choices and not view["offers"]:
            parts.append(el("p", {"class": "muted"}, t("trade.no_partner")))
        return parts

    def _open_for(self, deal: Any) -> bool:
        if self.dropped:
            return all(command in self.commands for command in self.dropped)
        return {"type": "Draft", **deal} in self.commands or self._pair(deal) in self.shifts

    def _pair(self, deal: Any) -> Any:
        return deal.get("source"), deal.get("target")

    def latest_deal_event(self) -> Any:
        """Return the latest event of this turn about a deal that the reader knows of, or None."""
        match = self.host.match
        version = match.version
        while version > 0 and match.events[version - 1]["type"] != "CaravansMoved":
            event = match.events[version - 1]
            if event["type"] in ANSWERS and event["seat"] is not None:
                return event
            version = match.version_before(version)
        return None

    def _latest_answer(self) -> Node | None:
        """Return what the partner did about the seat's latest deal of this turn, if anything.

        The panel is scrolled to a new answer.
        """
        event = self.latest_deal_event()
        if event is None or event["seat"] == self.seat or not ANSWERS[event["type"]]:
            return None
        args: dict[str, Any] = {"name": self.host.names()[event["seat"]]}
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
        mine = offer["offerer"] == self.seat
        other = offer["partner"] if mine else offer["offerer"]
        name = self.host.names()[other]
        gives, asks = wares_node(offer["gives"]), wares_node(offer["asks"])
        if mine:
            title = t("trade.own_offer_heading", name=name)
            lines = ((t("trade.you_give"), gives, offer["mine"]), (t("trade.you_get"), asks, None))
            buttons = [self._command_button(t("trade.withdraw"), {"type": "Withdraw"})]
        else:
            title = t("trade.offer_from_heading", name=name)
            lines = (
                (t("trade.you_get"), gives, None),
                (t("trade.you_give"), asks, offer["theirs"]),
            )
            buttons = self._answers(offer, other)
        return el(
            "section",
            {
                "class": "offer",
                "style": f"--tone:var(--seat-{other})",
                "aria-label": title,
            },
            el("h2", {}, el("span", {"class": "dot"}), title),
            [
                el(
                    "p",
                    {"class": "offer-line"},
                    el("span", {}, text),
                    wares,
                    el("small", {}, t("trade.from_store", store=_store(store)))
                    if store is not None
                    else None,
                )
                for text, wares, store in lines
            ],
            el("div", {"class": "row offer-ways"}, [way for way in buttons if way]),
        )

    def _answers(self, offer: Data, other: int) -> list[Node | None]:
        """Return what can be done about an offer to the seat, if it is to act at all.

        To decline or counter, an own draft or offer is dropped first if the rules require that.
        """
        if not self.commands:
            return []
        accept = self._command_button(
            t("trade.accept"), {"type": "Accept", "offerer": other}, best=True
        )
        decline = {"type": "Decline", "offerer": other}
        counter = {"mine": offer["theirs"], "partner": other, "theirs": offer["mine"]}
        dropped = [each for each in (DROP_DRAFT, WITHDRAW) if each in self.commands]
        first = [] if decline in self.commands else dropped
        buttons = [
            accept,
            ACTIONS.button(t("trade.decline"), lambda _e: self._answer(*first, decline), "Decline"),
        ]
        if dropped or {"type": "Draft", **counter} in self.commands:
            buttons.append(
                button(t("trade.counter"), lambda _e: self._counter(counter, offer, dropped))
            )
        if not offer["acceptable"]:
            buttons[0] = el("p", {"class": "muted"}, self._why_not_accept(offer))
        return buttons

    def _why_not_accept(self, offer: Data) -> str:
        """Return what the seat lacks for an offer, else that its caravan would be too full."""
        store = offer["theirs"]
        lacking = minus(offer["asks"], self._store_of(self.seat, store))
        if lacking:
            return t("trade.lacks", store=_store(store), wares=lacking)
        return t("trade.no_room", store=_store(store), most=CARAVAN_CAPACITY)

    def _command_button(self, text: str, command: Command, best: bool = False) -> Node | None:
        if command not in self.commands:
            return None
        return ACTIONS.button(text, lambda _e: self._answer(command), command["type"], is_best=best)

    def _counter(self, deal: Any, offer: Data, dropped: Sequence[Command]) -> None:
        """Compose an offer in reply, beginning with what the other asks for and gives."""
        self.dropped = dropped
        store = self._store_of(self.seat, deal["mine"])
        self.gives = {w: min(n, store[w]) for w, n in offer["asks"].items() if store.get(w)}
        self.asks = {**offer["gives"]}
        self._open(deal)

    def _open(self, deal: Any) -> None:
        """Show the form for a deal, from its top."""
        self.deal = deal
        self.redraw()
        scroll_dock_to_top(self.form)

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
        rows = []
        for command in self.commands:
            if command["type"] == "Draft":
                rows.append(self._partner(command))
        rows.extend([self._move(*pair) for pair in self.shifts])
        return el(
            "div",
            {"class": "partners"},
            el(
                "h2",
                {},
                t("trade.make_heading") if len(rows) > len(self.shifts) else t("trade.own_heading"),
            ),
            rows,
        )

    def _partner(self, command: Command) -> Node:
        deal = {name: command[name] for name in ("mine", "partner", "theirs")}
        name = self.host.names()[deal["partner"]]
        text = _store(deal["mine"]) + " ⇄ " + _store(deal["theirs"])
        where = self._place(deal)

        def begin(_event: DomEvent) -> None:
            self.reset()
            self._open(deal)

        given = {
            "style": f"--tone:var(--seat-{deal['partner']})",
            "data-deal": f"{deal['mine']} {deal['partner']} {deal['theirs']}",
        }
        node = button("", begin, "partner", **given)
        fill(
            node,
            el("span", {"class": "dot"}),
            el("b", {}, name),
            el("span", {}, t("trade.at", where=where)),
            el("small", {}, text),
        )
        return node

    def _move(self, source: Any, target: Any) -> Node:
        deal = {"source": source, "target": target}

        def begin(_event: DomEvent) -> None:
            self.reset()
            self._open(deal)

        return button(
            t(
                "trade.move_between",
                source=source + 1,
                target=target + 1,
            ),
            begin,
        )

    def _place(self, deal: Any) -> str:
        other = self.view["players"][deal["partner"]]
        store = deal["theirs"]
        letter = other["home"] if store == TREASURE else other["caravans"][store]["at"]
        places = self.view["board"]["places"]
        return next(place["name"] for place in places if place["letter"] == letter)

    def _store_of(self, seat: int, store: Any) -> dict[str, int]:
        player = self.view["players"][seat]
        return player["treasure"] if store == TREASURE else player["caravans"][store]["load"]

    # -- composing an offer ----------------------------------------------------------------------

    def _composer(self) -> Node:
        if "source" in self.deal:
            return self._moving()
        deal = self.deal
        name = self.host.names()[deal["partner"]]
        wares = self.view["board"]["wares"]
        stock = self._store_of(self.seat, deal["mine"])
        self.go = ACTIONS.button(
            t("trade.send_offer"),
            lambda _e: self._offer_made(),
            "Draft",
            is_best=True,
            kind="confirm",
        )
        self.summary = el("p", {"class": "summary"})
        giving = WaresPicker(
            t("trade.give_heading", store=_store(deal["mine"])),
            wares,
            stock,
            CARAVAN_CAPACITY,
            self.gives,
            self._giving,
        )
        self.asking_home = el("div", {"class": "asked"})
        self.gives = giving.value()
        self._redraw_ask_picker()
        self.form = el(
            "div",
            {"class": "composer"},
            el("h2", {}, t("trade.offer_heading", name=name, place=self._place(deal))),
            giving.node,
            self.asking_home,
            el("div", {"class": "bottom"}, self.summary, self._stop(), self.go),
        )
        return self.form

    def _stop(self) -> Node:
        def stop(_event: DomEvent) -> None:
            self.reset()
            self.redraw()

        return button(t("trade.cancel"), stop)

    def _giving(self, wares: dict[str, int]) -> None:
        self.gives = wares
        self._redraw_ask_picker()

    def _redraw_ask_picker(self) -> None:
        """Redraw the picker for the wares asked for; its maximum depends on the wares given."""
        name = self.host.names()[self.deal["partner"]]
        mine = self.deal["mine"]
        most = max_asked(mine, total(self._store_of(self.seat, mine)), total(self.gives))
        wares = self.view["board"]["wares"]
        while total(self.asks) > most:
            last = [ware for ware in wares if self.asks.get(ware)][-1]
            self.asks[last] -= 1
        picker = WaresPicker(
            t("trade.get_heading", name=name), wares, None, most, self.asks, self._asking
        )
        fill(self.asking_home, picker.node)
        self._asking(picker.value())

    def _asking(self, wares: dict[str, int]) -> None:
        self.asks = wares
        empty = not (self.gives or self.asks)
        set_blocked_reason(self.go, t("trade.choose_goods") if empty else None)
        fill(self.summary, "" if empty else t("trade.summary", gives=self.gives, asks=self.asks))
        is_gift = self.gives and not self.asks
        fill(self.go.lastChild, t("trade.send_gift") if is_gift else t("trade.send_offer"))

    def _offer_made(self) -> None:
        draft = {"type": "Draft", **self.deal}
        give, ask = {"type": "Give", "wares": self.gives}, {"type": "Ask", "wares": self.asks}
        self._send([*self.dropped, draft, give, ask])

    def _moving(self) -> Node:
        source, target = self.deal["source"], self.deal["target"]
        shift = self.shifts[source, target]

        def on_change(wares: dict[str, int]) -> None:
            self.gives = wares
            set_blocked_reason(self.go, None if wares else t("trade.choose_moved"))

        def move(_event: DomEvent) -> None:
            wares = self.gives
            self._send([{**shift["command"], "wares": wares}])

        self.go = ACTIONS.button(t("trade.move"), move, "Shift", is_best=True, kind="confirm")
        title = t("trade.moving_heading", source=source + 1, target=target + 1)
        wares = self.view["board"]["wares"]
        picker = WaresPicker(title, wares, shift["of"], shift["most"], self.gives, on_change)
        on_change(picker.value())
        bottom = el("div", {"class": "bottom"}, self._stop(), self.go)
        self.form = el("div", {"class": "composer"}, picker.node, bottom)
        return self.form

    def _draft_notice(self, draft: Any) -> Node:
        """Return the notice of an offer begun in the list of all moves, with a drop button."""
        name = self.host.names()[draft["partner"]]
        text = t("trade.draft_open", name=name)
        return el(
            "div",
            {"class": "offer"},
            el("p", {}, text),
            self._command_button(t("trade.discard_draft"), DROP_DRAFT),
        )


DROP_DRAFT = {"type": "DropDraft"}
WITHDRAW = {"type": "Withdraw"}


def _store(store: Any) -> str:
    return t("store-treasure") if store == TREASURE else t("store-caravan", caravan=store + 1)
