"""Planning the ways of three caravans and the looters, in secret and at leisure.

Nothing is sent before the plan is sealed; then all that is missing of it goes in one request.
"""

from domain.caravanserail.board import (
    BOARDS,
    CAPACITY,
    CARAVANS,
    continuations,
    leaves_home,
    trails_without,
)
from frontend.app.dom import button, el, fill, patch
from frontend.app.wares import Picker, minus

LOOTERS = CARAVANS  # the tab after the caravans'


class Planner:
    """``redraw()`` is called when the plan changed, ``seal(commands)`` to send it."""

    def __init__(self, redraw, seal):
        self.redraw = redraw
        self.seal = seal
        self.mark = None
        self.tab = 0
        self.node = el("div", {"class": "planner"})

    def begin(self, view, seat):
        """Starts from what the seat has planned so far; keeps a plan that is under way."""
        player = view["players"][seat]
        taken = player["programme"]
        mark = (seat, view["turn"], player["steps"], str(taken))
        if mark == self.mark:
            return
        self.mark = mark
        self.places = {place["letter"]: place["name"] for place in view["board"]["places"]}
        self.wares = view["board"]["wares"]
        self.trails = view["board"]["trails"]
        self.player = player
        self.ways = [
            continuations(BOARDS[len(view["players"])], caravan["at"])
            for caravan in player["caravans"]
        ]
        given = taken["orders"]
        self.orders = [*given, *[ways[0] for ways in self.ways[len(given) :]]]
        self.looters = taken["looters"] or ""
        self.loads = [*taken["loads"], *[{}] * (CARAVANS - len(taken["loads"]))]
        self.steps = player["steps"]
        self.tab = min(self.steps, LOOTERS) if self.steps <= LOOTERS else self.steps - LOOTERS - 1

    # -- what is planned -----------------------------------------------------------------------

    def arrows(self):
        """The orders as `Trails.journeys` wants them."""
        caravans = self.player["caravans"]
        return [(n, caravans[n]["at"], self.orders[n]) for n in range(CARAVANS)]

    def targets(self):
        """Where a tap on the map may send what is being planned."""
        if self.tab == LOOTERS:
            if self.steps > LOOTERS:
                return []
            return [(t, self._raid_words(t), self._sender(t)) for t in self._raidable()]
        if self.steps > self.tab:
            return []
        return [
            (to, self._way_words(self.tab, to), self._orderer(self.tab, to))
            for to in self.ways[self.tab]
        ]

    def focus(self):
        """The position that matters now."""
        if self.tab == LOOTERS:
            return self.looters or self.player["home"]
        return self.player["caravans"][self.tab]["at"]

    def commands(self):
        """What is still to be sent."""
        orders = [{"type": "Order", "caravan": n, "to": to} for n, to in enumerate(self.orders)]
        looters = {"type": "SendLooters", "trail": self.looters or None}
        loads = [
            {"type": "Load", "caravan": n, "wares": self.loads[n] if self._leaves(n) else {}}
            for n in range(CARAVANS)
        ]
        return [*orders, looters, *loads][self.steps :]

    def _leaves(self, caravan):
        at = self.player["caravans"][caravan]["at"]
        return leaves_home(self.player["home"], at, self.orders[caravan])

    def _raidable(self):
        if self.player["looters"] == "down":
            return ()
        return trails_without(self.trails, self.orders)

    def _order(self, caravan, to):
        self.orders[caravan] = to
        if not self._leaves(caravan):
            self.loads[caravan] = {}
        if self.looters and self.looters not in self._raidable():
            self.looters = ""
        self.draw()
        self.redraw()

    def _orderer(self, caravan, to):
        return lambda _e: self._order(caravan, to)

    def _send(self, trail):
        self.looters = trail
        self.draw()
        self.redraw()

    def _sender(self, trail):
        return lambda _e: self._send(trail)

    # -- the desk --------------------------------------------------------------------------------

    def draw(self):
        """Shows the plan, one caravan or the looters at a time."""
        body = self._raid() if self.tab == LOOTERS else self._caravan(self.tab)
        seal = button("Seal the plan", lambda _e: self.seal(self.commands()), "primary confirm")
        fill(self.node, self._tabs(), body, seal)
        return self.node

    def _tabs(self):
        tabs = [self._tab(n, ("Caravan ", str(n + 1)), self._short(n)) for n in range(CARAVANS)]
        tabs.append(self._tab(LOOTERS, ("", "Looters"), self.looters or "rest"))
        return el("div", {"class": "tabs", "role": "group", "aria-label": "What to plan"}, tabs)

    def _short(self, caravan):
        """An order in a few letters, as one would note it on paper."""
        begin, to = self.player["caravans"][caravan]["at"], self.orders[caravan]
        return f"{begin} stays" if begin == to else f"{begin} → {to}"

    def _tab(self, number, name, words):
        def chosen(_event):
            self.tab = number
            self.draw()
            self.redraw()

        pressed = "true" if number == self.tab else "false"
        given = {"type": "button", "class": "tab", "aria-pressed": pressed, "onclick": chosen}
        more, short = name
        given["aria-label"] = f"{more}{short}: {words}"
        title = el("span", {}, el("span", {"class": "tab-more"}, more), short)
        return el("button", given, title, el("b", {}, words))

    def _caravan(self, caravan):
        parts = []
        if self.steps <= caravan:
            ways = [self._way(caravan, to) for to in self.ways[caravan]]
            parts.append(el("div", {"class": "ways", "role": "group"}, ways))
        if self._leaves(caravan) and self.steps <= LOOTERS + 1 + caravan:
            parts.append(self._cargo(caravan))
        return parts

    def _way(self, caravan, to):
        words = self._way_words(caravan, to)
        pressed = "true" if self.orders[caravan] == to else "false"
        node = button("", self._orderer(caravan, to), "way-to")
        patch(node, {"aria-pressed": pressed, "aria-label": f"Caravan {caravan + 1}: {words}"})
        fill(node, el("b", {}, to), el("span", {}, words))
        return node

    def _way_words(self, caravan, to):
        at = self.player["caravans"][caravan]["at"]
        place = self.places[to[-1]]
        if len(to) > 1:
            return f"on to {place}"
        return f"stay in {place}" if at == to else f"stop in {place}"

    def _cargo(self, caravan):
        stock = self.player["treasure"]
        for other, load in enumerate(self.loads):
            if other != caravan:
                stock = minus(stock, load)

        def changed(wares):
            self.loads[caravan] = wares

        title = f"Load of caravan {caravan + 1}"
        load = self.loads[caravan]
        return Picker(title, self.wares, stock, CAPACITY, load, changed).node

    def _raid(self):
        if self.steps > LOOTERS:
            return el("p", {}, "The looters have their order.")
        if self.player["looters"] == "down":
            return el("p", {}, "The looters struck last turn. They rest this time.")
        trails = [self._raid_way("", "Send no looters", "none")]
        for trail in self._raidable():
            trails.append(self._raid_way(trail, self._raid_words(trail), trail))
        return el("div", {"class": "raid-ways", "role": "group", "aria-label": "Looters"}, trails)

    def _raid_words(self, trail):
        return f"raid between {self.places[trail[0]]} and {self.places[trail[1]]}"

    def _raid_way(self, trail, words, short):
        node = button(short, self._sender(trail), "way-to")
        pressed = "true" if self.looters == trail else "false"
        patch(node, {"aria-pressed": pressed, "aria-label": words, "title": words})
        return node
