"""The secret plan of a turn: the caravans' orders and loads, and the looters' target.

Nothing is sent until the plan is sealed; then the remaining commands are sent in one request.
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import scroll_into_view

from domain.games.caravanserail.board import (
    BOARDS,
    CARAVAN_CAPACITY,
    CARAVANS_PER_SEAT,
    continuations,
    leaves_home,
    trail_of,
    trails_without,
)
from frontend.app.core.dom import button, el, fill, patch
from frontend.app.core.i18n import NODE_PLACEHOLDER, insert_nodes, join_and
from frontend.app.core.types import Action, Data, DomEvent, Node, View
from frontend.app.games.caravanserail.actions import ACTIONS
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import WaresPicker, minus

LOOTERS_TAB = CARAVANS_PER_SEAT  # index of the looters' tab, after those of the caravans


class RoutePlanner:
    """The planning panel.

    ``redraw()`` is called when the plan or the tab has changed, ``focused()`` when the map should
    scroll to another position, ``seal(commands)`` to send the plan.
    """

    def __init__(self, redraw: Action, focused: Action, seal: Callable[..., object]) -> None:
        self.redraw = redraw
        self.focused = focused
        self.seal = seal
        self.mark: Any = None
        self.tab = 0
        self.node = el("div", {"class": "planner"})

    def begin(self, view: View, seat: int) -> None:
        """Start from the commands already sent; keep the draft if these are unchanged."""
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
        self.destinations = [
            continuations(BOARDS[len(view["players"])], caravan["at"])
            for caravan in player["caravans"]
        ]
        given = taken["orders"]
        self.orders = [*given, *[places[0] for places in self.destinations[len(given) :]]]
        self.looters = taken["looters"] or ""
        self.loads = [*taken["loads"], *[{}] * (CARAVANS_PER_SEAT - len(taken["loads"]))]
        self.steps = player["steps"]
        self.tab = (
            min(self.steps, LOOTERS_TAB)
            if self.steps <= LOOTERS_TAB
            else self.steps - LOOTERS_TAB - 1
        )

    # -- the plan ------------------------------------------------------------------------------

    def arrows(self) -> list[Any]:
        """Return the orders in the form that `TrailsBoard.journeys` takes."""
        caravans = self.player["caravans"]
        return [(n, caravans[n]["at"], self.orders[n]) for n in range(CARAVANS_PER_SEAT)]

    def targets(self) -> list[Any]:
        """Return the tap targets ``(position, text, action)`` on the map for the current tab."""
        if self.tab == LOOTERS_TAB:
            if self.steps > LOOTERS_TAB:
                return []
            return [(t, self._raid_label(t), self._looters_action(t)) for t in self._raidable()]
        if self.steps > self.tab:
            return []
        return [
            (to, self._route_label(self.tab, to), self._order_action(self.tab, to))
            for to in self.destinations[self.tab]
        ]

    def refusal_at(self, position: str) -> str:
        """Return why a position cannot be chosen for the current tab."""
        if self.tab == LOOTERS_TAB:
            return self._why_no_raid(position)
        if self.steps > self.tab:
            return t("refusal.caravan_ordered")
        at = self.player["caravans"][self.tab]["at"]
        if len(at) == 2 and position in (at[0], trail_of(at)):
            return t("refusal.no_turning")
        return t("refusal.too_far")

    def _why_no_raid(self, position: str) -> str:
        if self.steps > LOOTERS_TAB:
            return t("refusal.raiders_ordered")
        if self.player["looters"] == "down":
            return t("refusal.raiders_rest")
        if len(position) == 1:
            return t("refusal.trails_only")
        return t("refusal.own_trail")

    def focus(self) -> str:
        """Return the position on the map to scroll to for the current tab."""
        if self.tab == LOOTERS_TAB:
            return self.looters or self.player["home"]
        return self.player["caravans"][self.tab]["at"]

    def commands(self) -> list[Data]:
        """Return the commands of the plan that have not been sent yet."""
        orders = [{"type": "Order", "caravan": n, "to": to} for n, to in enumerate(self.orders)]
        looters = {"type": "SendLooters", "trail": self.looters or None}
        loads = [
            {"type": "Load", "caravan": n, "wares": self.loads[n] if self._leaves(n) else {}}
            for n in range(CARAVANS_PER_SEAT)
        ]
        return [*orders, looters, *loads][self.steps :]

    def _leaves(self, caravan: int) -> bool:
        at = self.player["caravans"][caravan]["at"]
        return leaves_home(self.player["home"], at, self.orders[caravan])

    def _raidable(self) -> Sequence[str]:
        if self.player["looters"] == "down":
            return ()
        return trails_without(self.trails, tuple(self.orders))

    def _order(self, caravan: int, to: str) -> None:
        self.orders[caravan] = to
        if not self._leaves(caravan):
            self.loads[caravan] = {}
        if self.looters and self.looters not in self._raidable():
            self.looters = ""
        self.draw()
        self.redraw()
        if self._leaves(caravan) and not self.loads[caravan]:
            scroll_into_view(self.node.querySelector(".picker"))

    def _order_action(self, caravan: int, to: str) -> Callable[..., object]:
        return lambda _e: self._order(caravan, to)

    def _send(self, trail: str) -> None:
        self.looters = trail
        self.draw()
        self.redraw()

    def _looters_action(self, trail: str) -> Callable[..., object]:
        return lambda _e: self._send(trail)

    # -- panel -----------------------------------------------------------------------------------

    def draw(self) -> Node:
        """Draw the tabs, the current tab (a caravan or the looters) and the seal button."""
        body = self._raid() if self.tab == LOOTERS_TAB else self._caravan(self.tab)
        seal = ACTIONS.button(
            t("plan.seal"),
            lambda _e: self.seal(self.commands()),
            "Order",
            is_best=True,
            kind="confirm",
        )
        self.warning = el("p", {"class": "warning"})
        self._update_warning()
        fill(self.node, self._tabs(), body, el("div", {"class": "seal"}, self.warning, seal))
        return self.node

    def _update_warning(self) -> None:
        """Say which caravans leave home empty although the treasure has something to load."""
        left = self.player["treasure"]
        for load in self.loads:
            left = minus(left, load)
        empty = [
            str(n + 1)
            for n in range(CARAVANS_PER_SEAT)
            if left and self._leaves(n) and not self.loads[n]
        ]
        text = t("plan.leaves_empty", n=len(empty), caravans=join_and(empty)) if empty else ""
        fill(self.warning, text)
        self.warning.hidden = not empty

    def _tabs(self) -> Node:
        tabs = [
            self._tab(
                n,
                insert_nodes(t("plan.caravan_tab", n=NODE_PLACEHOLDER), str(n + 1)),
                self._short(n),
            )
            for n in range(CARAVANS_PER_SEAT)
        ]
        tabs.append(
            self._tab(
                LOOTERS_TAB, ["", t("plan.raiders_tab")], self.looters or t("plan.raiders_rest")
            )
        )
        return el("div", {"class": "tabs", "role": "group", "aria-label": t("plan.parts")}, tabs)

    def _short(self, caravan: int) -> str:
        """Return a caravan's order in short notation."""
        begin, to = self.player["caravans"][caravan]["at"], self.orders[caravan]
        return t("plan.stays", begin=begin) if begin == to else t("plan.goes", begin=begin, to=to)

    def _tab(self, number: int, name: Sequence[Node | str], text: str) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.tab = number
            self.draw()
            self.redraw()
            self.focused()

        pressed = "true" if number == self.tab else "false"
        given = {"type": "button", "class": "tab", "aria-pressed": pressed, "onclick": on_choose}
        more, short, *rest = name
        after = [el("span", {"class": "tab-more"}, text) for text in rest]
        title = el("span", {}, el("span", {"class": "tab-more"}, more), short, after)
        return el("button", given, title, " ", el("b", {}, text))

    def _caravan(self, caravan: int) -> list[Node]:
        parts = []
        if self.steps <= caravan:
            buttons = [self._order_button(caravan, to) for to in self.destinations[caravan]]
            parts.append(el("div", {"class": "ways", "role": "group"}, buttons))
        if self._leaves(caravan) and self.steps <= LOOTERS_TAB + 1 + caravan:
            parts.append(self._cargo(caravan))
        return parts

    def _order_button(self, caravan: int, to: str) -> Node:
        text = self._route_label(caravan, to)
        pressed = "true" if self.orders[caravan] == to else "false"
        node = button("", self._order_action(caravan, to), "way-to", **{"data-to": to})
        patch(
            node,
            {
                "aria-pressed": pressed,
                "aria-label": t("plan.order_label", caravan=caravan + 1, to=to, words=text),
            },
        )
        fill(node, el("b", {}, to), " ", el("span", {}, text))
        return node

    def _route_label(self, caravan: int, to: str) -> str:
        at = self.player["caravans"][caravan]["at"]
        place = self.places[to[-1]]
        if len(to) > 1:
            return t("plan.on_to", place=place)
        return t("plan.stay", place=place) if at == to else t("plan.stop", place=place)

    def _cargo(self, caravan: int) -> Node:
        stock = self.player["treasure"]
        for other, load in enumerate(self.loads):
            if other != caravan:
                stock = minus(stock, load)

        def on_change(wares: dict[str, int]) -> None:
            self.loads[caravan] = wares
            self._update_warning()

        title = t("plan.load_heading", caravan=caravan + 1)
        load = self.loads[caravan]
        return WaresPicker(title, self.wares, stock, CARAVAN_CAPACITY, load, on_change).node

    def _raid(self) -> Node:
        if self.steps > LOOTERS_TAB:
            return el("p", {}, t("refusal.raiders_ordered"))
        if self.player["looters"] == "down":
            return el("p", {}, t("refusal.raiders_rest"))
        trails = [self._raid_button("", t("looters-none"), t("plan.no_trail"))]
        for trail in self._raidable():
            trails.append(self._raid_button(trail, self._raid_label(trail), trail))
        return el(
            "div",
            {"class": "raid-ways", "role": "group", "aria-label": t("plan.raiders_tab")},
            trails,
        )

    def _raid_label(self, trail: str) -> str:
        return t(
            "plan.raid_between",
            places=self.places[trail[0]],
            places2=self.places[trail[1]],
        )

    def _raid_button(self, trail: str, text: str, short: str) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self._send(trail)
            self.focused()

        node = button(short, on_choose, "way-to", **{"data-to": trail})
        pressed = "true" if self.looters == trail else "false"
        label = t("plan.raid_label", short=short, words=text)
        patch(node, {"aria-pressed": pressed, "aria-label": label, "title": text})
        return node
