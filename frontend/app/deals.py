"""Business in secret: offers as cards that both sides confirm, and making one.

An offer is put together here, store by store and ware by ware, and goes out in one request.
"""

from domain.caravanserail.board import CAPACITY, TREASURE, most_asked
from frontend.app.dom import button, el, fill
from frontend.app.wares import Picker, amount, total


class Deals:
    """``play(commands)`` sends; ``redraw()`` is called when the deal thought of changed."""

    def __init__(self, host, play, redraw):
        self.host = host
        self.play = play
        self.redraw = redraw
        self.deal = None
        self.gives = {}
        self.asks = {}

    def forget(self):
        """Nothing is being put together any more."""
        self.deal = None
        self.gives = {}
        self.asks = {}

    def made(self, view, seat, choices):
        """What the seat may see and do in business now."""
        self.view = view
        self.seat = seat
        self.commands = [choice["command"] for choice in choices]
        kinds = [command["type"] for command in self.commands]
        draft = view["players"][seat]["draft"]
        parts = [self._offer(offer) for offer in view["offers"]]
        if draft is not None:
            parts.append(self._begun(draft))
        elif self.deal is not None and self._open_for(self.deal):
            parts.append(self._composer())
        elif "Draft" in kinds or "Shift" in kinds:
            parts.append(self._partners())
        elif choices and not view["offers"]:
            parts.append(el("p", {"class": "muted"}, "Nobody to trade with is where you are."))
        return parts

    def _open_for(self, deal):
        return {"type": "Draft", **deal} in self.commands or "source" in deal

    # -- offers on the table ---------------------------------------------------------------------

    def _offer(self, offer):
        mine = offer["offerer"] == self.seat
        other = offer["partner"] if mine else offer["offerer"]
        name = self.host.names()[other]
        gives, asks = amount(offer["gives"]), amount(offer["asks"])
        if mine:
            title = f"Your offer to {name}"
            lines = (("You give", gives, offer["mine"]), ("You get", asks, None))
            ways = [self._way("Withdraw", {"type": "Withdraw"})]
        else:
            title = f"{name} offers you"
            lines = (("You get", gives, None), ("You give", asks, offer["theirs"]))
            ways = self._answers(offer, other)
        return el(
            "section",
            {
                "class": "offer",
                "style": f"--tone:var(--seat-{other})",
                "aria-label": title,
            },
            el("h3", {}, el("span", {"class": "dot"}), title),
            [
                el(
                    "p",
                    {"class": "offer-line"},
                    el("span", {}, words),
                    wares,
                    el("small", {}, "from your " + _store(store)) if store is not None else None,
                )
                for words, wares, store in lines
            ],
            el("div", {"class": "row offer-ways"}, [way for way in ways if way]),
        )

    def _answers(self, offer, other):
        ways = [self._way("Accept", {"type": "Accept", "offerer": other}, "primary")]
        ways.append(self._way("Decline", {"type": "Decline", "offerer": other}))
        counter = {"mine": offer["theirs"], "partner": other, "theirs": offer["mine"]}
        if {"type": "Draft", **counter} in self.commands:
            ways.append(button("Counter", lambda _e: self._counter(counter, offer)))
        if not offer["acceptable"]:
            ways[0] = el("p", {"class": "muted"}, "You have not got that, or no room for it.")
        return ways

    def _way(self, words, command, kind=""):
        if command not in self.commands:
            return None
        return button(words, lambda _e: self._send([command]), kind)

    def _counter(self, deal, offer):
        self.deal = deal
        store = self._store_of(self.seat, deal["mine"])
        self.gives = {w: min(n, store[w]) for w, n in offer["asks"].items() if store.get(w)}
        self.asks = {**offer["gives"]}
        self.redraw()

    def _send(self, commands):
        self.forget()
        self.play(commands)

    # -- whom to trade with ----------------------------------------------------------------------

    def _partners(self):
        rows = []
        for command in self.commands:
            if command["type"] == "Draft":
                rows.append(self._partner(command))
        moves = []
        for command in self.commands:
            if command["type"] == "Shift":
                pair = (command["source"], command["target"])
                if pair not in moves:
                    moves.append(pair)
        rows.extend([self._move(*pair) for pair in moves])
        return el(
            "div",
            {"class": "partners"},
            el("h3", {}, "Make an offer" if len(rows) > len(moves) else "Your caravans"),
            rows,
        )

    def _partner(self, command):
        deal = {name: command[name] for name in ("mine", "partner", "theirs")}
        name = self.host.names()[deal["partner"]]
        words = f"{_store(deal['mine'])} ⇄ {_store(deal['theirs'])}"
        where = self._place(deal)

        def begin(_event):
            self.forget()
            self.deal = deal
            self.redraw()

        node = button("", begin, "partner", style=f"--tone:var(--seat-{deal['partner']})")
        said = f"your {_store(deal['mine'])}, {name}'s {_store(deal['theirs'])}"
        node.setAttribute("aria-label", f"Offer {name} a deal in {where}: {said}")
        fill(
            node,
            el("span", {"class": "dot"}),
            el("b", {}, name),
            el("span", {}, f"in {where}"),
            el("small", {}, words),
        )
        return node

    def _move(self, source, target):
        deal = {"source": source, "target": target}

        def begin(_event):
            self.forget()
            self.deal = deal
            self.redraw()

        return button(f"Move wares from caravan {source + 1} to caravan {target + 1}", begin)

    def _place(self, deal):
        other = self.view["players"][deal["partner"]]
        store = deal["theirs"]
        letter = other["home"] if store == TREASURE else other["caravans"][store]["at"]
        places = self.view["board"]["places"]
        return next(place["name"] for place in places if place["letter"] == letter)

    def _store_of(self, seat, store):
        player = self.view["players"][seat]
        return player["treasure"] if store == TREASURE else player["caravans"][store]["load"]

    # -- putting one together --------------------------------------------------------------------

    def _composer(self):
        if "source" in self.deal:
            return self._moving()
        deal = self.deal
        name = self.host.names()[deal["partner"]]
        wares = self.view["board"]["wares"]
        stock = self._store_of(self.seat, deal["mine"])
        self.go = button("Make the offer", lambda _e: self._offer_made(), "primary confirm")
        giving = Picker(
            f"You give from your {_store(deal['mine'])}",
            wares,
            stock,
            CAPACITY,
            self.gives,
            self._giving,
        )
        self.asking_home = el("div", {})
        self.gives = giving.value()
        self._ask_anew()
        return el(
            "div",
            {"class": "composer"},
            el("h3", {}, f"An offer to {name} in {self._place(deal)}"),
            giving.node,
            self.asking_home,
            el("div", {"class": "bottom"}, self._stop(), self.go),
        )

    def _stop(self):
        def stop(_event):
            self.forget()
            self.redraw()

        return button("Not now", stop)

    def _giving(self, wares):
        self.gives = wares
        self._ask_anew()

    def _ask_anew(self):
        """One may ask for as much as there is room for, and that depends on what one gives."""
        name = self.host.names()[self.deal["partner"]]
        mine = self.deal["mine"]
        most = most_asked(mine, total(self._store_of(self.seat, mine)), total(self.gives))
        wares = self.view["board"]["wares"]
        while total(self.asks) > most:
            last = [ware for ware in wares if self.asks.get(ware)][-1]
            self.asks[last] -= 1
        picker = Picker(f"You ask {name} for", wares, None, most, self.asks, self._asking)
        fill(self.asking_home, picker.node)
        self._asking(picker.value())

    def _asking(self, wares):
        self.asks = wares
        self.go.disabled = not (self.gives or self.asks)

    def _offer_made(self):
        draft = {"type": "Draft", **self.deal}
        give, ask = {"type": "Give", "wares": self.gives}, {"type": "Ask", "wares": self.asks}
        self._send([draft, give, ask])

    def _moving(self):
        source, target = self.deal["source"], self.deal["target"]
        caravans = self.view["players"][self.seat]["caravans"]
        room = CAPACITY - total(caravans[target]["load"])

        def changed(wares):
            self.gives = wares
            self.go.disabled = not wares

        def move(_event):
            wares = self.gives
            self._send([{"type": "Shift", "source": source, "target": target, "wares": wares}])

        self.go = button("Move them", move, "primary confirm")
        title = f"From caravan {source + 1} to caravan {target + 1}"
        stock = caravans[source]["load"]
        picker = Picker(title, self.view["board"]["wares"], stock, room, self.gives, changed)
        changed(picker.value())
        bottom = el("div", {"class": "bottom"}, self._stop(), self.go)
        return el("div", {"class": "composer"}, picker.node, bottom)

    def _begun(self, draft):
        """An offer begun move by move, in the list of all moves."""
        name = self.host.names()[draft["partner"]]
        words = f"You began an offer to {name}; the list of all moves goes on with it."
        return el("div", {"class": "offer"}, el("p", {}, words), self._way("Drop it", DROP))


DROP = {"type": "DropDraft"}


def _store(store):
    return "treasure" if store == TREASURE else f"caravan {store + 1}"
