"""Secret trading: current offers with their answers, and a form to compose an offer.

An offer is composed locally and sent in one request.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.caravanserail.board import CARAVAN_CAPACITY, TREASURE, max_asked
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el, fill, set_blocked_reason
from frontend.app.core.types import Action, Command, Data, DomEvent, Node
from frontend.app.games.caravanserail.actions import ACTIONS
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import WaresPicker, total, wares_node


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
        self.gives: dict[Any, Any] = {}
        self.asks: dict[Any, Any] = {}

    def reset(self) -> None:
        """Discard the deal that is being composed."""
        self.deal = None
        self.gives = {}
        self.asks = {}

    def build(self, now: ViewModel, seat: int) -> list[Node]:
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
        parts = [self._offer(offer) for offer in view["offers"]]
        if draft is not None:
            parts.append(self._draft_notice(draft))
        elif self.deal is not None and self._open_for(self.deal):
            parts.append(self._composer())
        elif "Draft" in kinds or self.shifts:
            parts.append(self._partners())
        elif choices and not view["offers"]:
            parts.append(el("p", {"class": "muted"}, t("Nobody to trade with is where you are.")))
        return parts

    def _open_for(self, deal: Any) -> bool:
        return {"type": "Draft", **deal} in self.commands or self._pair(deal) in self.shifts

    def _pair(self, deal: Any) -> Any:
        return deal.get("source"), deal.get("target")

    # -- current offers --------------------------------------------------------------------------

    def _offer(self, offer: Data) -> Node:
        mine = offer["offerer"] == self.seat
        other = offer["partner"] if mine else offer["offerer"]
        name = self.host.names()[other]
        gives, asks = wares_node(offer["gives"]), wares_node(offer["asks"])
        if mine:
            title = t("Your offer to {name}", name=name)
            lines = ((t("You give"), gives, offer["mine"]), (t("You get"), asks, None))
            buttons = [self._command_button(t("Withdraw"), {"type": "Withdraw"})]
        else:
            title = t("{name} offers you", name=name)
            lines = ((t("You get"), gives, None), (t("You give"), asks, offer["theirs"]))
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
                    el("small", {}, t("from your {store}", store=_store(store)))
                    if store is not None
                    else None,
                )
                for text, wares, store in lines
            ],
            el("div", {"class": "row offer-ways"}, [way for way in buttons if way]),
        )

    def _answers(self, offer: Data, other: int) -> list[Node]:
        buttons = [
            self._command_button(t("Accept"), {"type": "Accept", "offerer": other}, best=True)
        ]
        buttons.append(self._command_button(t("Decline"), {"type": "Decline", "offerer": other}))
        counter = {"mine": offer["theirs"], "partner": other, "theirs": offer["mine"]}
        if {"type": "Draft", **counter} in self.commands:
            buttons.append(button(t("Counter"), lambda _e: self._counter(counter, offer)))
        if not offer["acceptable"]:
            buttons[0] = el("p", {"class": "muted"}, t("You have not got that, or no room for it."))
        return buttons

    def _command_button(self, text: str, command: Command, best: bool = False) -> Node | None:
        if command not in self.commands:
            return None
        return ACTIONS.button(text, lambda _e: self._answer(command), command["type"], is_best=best)

    def _counter(self, deal: Any, offer: Data) -> None:
        self.deal = deal
        store = self._store_of(self.seat, deal["mine"])
        self.gives = {w: min(n, store[w]) for w, n in offer["asks"].items() if store.get(w)}
        self.asks = {**offer["gives"]}
        self.redraw()

    def _answer(self, command: Command) -> None:
        self.reset()
        self.play([command])

    def _send(self, commands: Sequence[Command]) -> None:
        self.reset()
        self.commit(commands)

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
                "h2", {}, t("Make an offer") if len(rows) > len(self.shifts) else t("Your caravans")
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
            self.deal = deal
            self.redraw()

        node = button("", begin, "partner", style=f"--tone:var(--seat-{deal['partner']})")
        fill(
            node,
            el("span", {"class": "dot"}),
            el("b", {}, name),
            el("span", {}, t("in {where}", where=where)),
            el("small", {}, text),
        )
        return node

    def _move(self, source: Any, target: Any) -> Node:
        deal = {"source": source, "target": target}

        def begin(_event: DomEvent) -> None:
            self.reset()
            self.deal = deal
            self.redraw()

        return button(
            t(
                "Move wares from caravan {source} to caravan {target}",
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
            t("Make the offer"),
            lambda _e: self._offer_made(),
            "Draft",
            is_best=True,
            kind="confirm",
        )
        giving = WaresPicker(
            t("You give from your {store}", store=_store(deal["mine"])),
            wares,
            stock,
            CARAVAN_CAPACITY,
            self.gives,
            self._giving,
        )
        self.asking_home = el("div", {})
        self.gives = giving.value()
        self._redraw_ask_picker()
        return el(
            "div",
            {"class": "composer"},
            el("h2", {}, t("An offer to {name} in {place}", name=name, place=self._place(deal))),
            giving.node,
            self.asking_home,
            el("div", {"class": "bottom"}, self._stop(), self.go),
        )

    def _stop(self) -> Node:
        def stop(_event: DomEvent) -> None:
            self.reset()
            self.redraw()

        return button(t("Not now"), stop)

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
            t("You ask {name} for", name=name), wares, None, most, self.asks, self._asking
        )
        fill(self.asking_home, picker.node)
        self._asking(picker.value())

    def _asking(self, wares: dict[str, int]) -> None:
        self.asks = wares
        empty = not (self.gives or self.asks)
        set_blocked_reason(
            self.go, t("Choose what you give or what you ask for first.") if empty else None
        )

    def _offer_made(self) -> None:
        draft = {"type": "Draft", **self.deal}
        give, ask = {"type": "Give", "wares": self.gives}, {"type": "Ask", "wares": self.asks}
        self._send([draft, give, ask])

    def _moving(self) -> Node:
        source, target = self.deal["source"], self.deal["target"]
        shift = self.shifts[source, target]

        def on_change(wares: dict[str, int]) -> None:
            self.gives = wares
            set_blocked_reason(self.go, None if wares else t("Choose which wares move first."))

        def move(_event: DomEvent) -> None:
            wares = self.gives
            self._send([{**shift["command"], "wares": wares}])

        self.go = ACTIONS.button(t("Move them"), move, "Shift", is_best=True, kind="confirm")
        title = t("From caravan {source} to caravan {target}", source=source + 1, target=target + 1)
        wares = self.view["board"]["wares"]
        picker = WaresPicker(title, wares, shift["of"], shift["most"], self.gives, on_change)
        on_change(picker.value())
        bottom = el("div", {"class": "bottom"}, self._stop(), self.go)
        return el("div", {"class": "composer"}, picker.node, bottom)

    def _draft_notice(self, draft: Any) -> Node:
        """Return the notice of an offer begun in the list of all moves, with a drop button."""
        name = self.host.names()[draft["partner"]]
        text = t("You began an offer to {name}; the list of all moves goes on with it.", name=name)
        return el(
            "div",
            {"class": "offer"},
            el("p", {}, text),
            self._command_button(t("Drop it"), DROP_DRAFT),
        )


DROP_DRAFT = {"type": "DropDraft"}


def _store(store: Any) -> str:
    return t("treasure") if store == TREASURE else t("caravan {caravan}", caravan=store + 1)
