"""The planning panel: the caravans' orders and loads, and the looters' target.

Nothing is sent until the plan is sealed; then the remaining commands are sent in one request.
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import scroll_into_view

from domain.games.caravanserail.board import CARAVAN_CAPACITY, CARAVANS_PER_SEAT, trail_of
from frontend.app.core.dom import button, el, fill, plain_button
from frontend.app.core.i18n import NODE_PLACEHOLDER, insert_nodes, join_and
from frontend.app.core.types import Action, DomEvent, Node, View
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.plan import Plan
from frontend.app.games.caravanserail.trade_forms import confirm_button
from frontend.app.games.caravanserail.wares import WaresPicker

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
        self.warning = el("p", {"class": "warning"})

    def begin(self, view: View, seat: int) -> None:
        """Start from the commands already sent; keep the draft if these are unchanged."""
        player = view["players"][seat]
        mark = (seat, view["turn"], player["steps"], str(player["programme"]))
        if mark != self.mark:
            self.mark = mark
            self.places = {place["letter"]: place["name"] for place in view["board"]["places"]}
            self.wares = view["board"]["wares"]
            self.plan = Plan(view, player)
            self.tab = self.plan.steps % (LOOTERS_TAB + 1)

    # -- the map -------------------------------------------------------------------------------

    def targets(self) -> list[Any]:
        """Return the tap targets ``(position, text, action)`` on the map for the current tab."""
        if self.tab == LOOTERS_TAB:
            return [
                (trail, self._raid_label(trail), lambda _e, trail=trail: self._send(trail))
                for trail in self.plan.raidable()
            ]
        return [
            (to, self._route_label(self.tab, to), self._order_action(self.tab, to))
            for to in self.plan.destinations[self.tab]
        ]

    def refusal_at(self, position: str) -> str:
        """Return why a position cannot be chosen for the current tab."""
        if self.tab == LOOTERS_TAB:
            trails_only = t("refusal.trails_only")
            no_raid = trails_only if len(position) == 1 else t("refusal.own_trail")
            return self._raid_refusal() or no_raid
        if not self.plan.destinations[self.tab]:
            return t("refusal.caravan_ordered")
        at = self.plan.position(self.tab)
        if len(at) == 2 and position in (at[0], trail_of(at)):
            return t("refusal.no_turning")
        return t("refusal.too_far")

    def _raid_refusal(self) -> str:
        """Return why the looters cannot be sent anywhere, or "" if they can."""
        if self.plan.steps > LOOTERS_TAB:
            return t("refusal.raiders_ordered")
        return t("refusal.raiders_rest") if self.plan.player["looters"] == "down" else ""

    def focus(self) -> str:
        """Return the position on the map to scroll to for the current tab."""
        if self.tab == LOOTERS_TAB:
            return str(self.plan.looters or self.plan.player["home"])
        return self.plan.position(self.tab)

    def _order_action(self, caravan: int, to: str) -> Callable[..., object]:
        def on_choose(_event: DomEvent) -> None:
            self.plan.order(caravan, to)
            self.draw()
            self.redraw()
            if self.plan.leaves(caravan) and not self.plan.loads[caravan]:
                scroll_into_view(self.node.querySelector(".picker"))

        return on_choose

    def _send(self, trail: str) -> None:
        self.plan.looters = trail
        self.draw()
        self.redraw()

    # -- panel -----------------------------------------------------------------------------------

    def draw(self) -> Node:
        """Draw the tabs, the current tab (a caravan or the looters) and the seal button."""
        body = self._raid() if self.tab == LOOTERS_TAB else self._caravan(self.tab)
        text = t("plan.seal")
        seal = confirm_button(text, "Order", lambda: self.seal(self.plan.commands()))
        self._update_warning()
        fill(self.node, self._tabs(), body, el("div", {"class": "seal"}, self.warning, seal))
        return self.node

    def _update_warning(self) -> None:
        """Say which caravans leave home empty although the treasure has something to load."""
        plan, loads = self.plan, enumerate(self.plan.loads)
        empty = [str(n + 1) for n, load in loads if not load and plan.leaves(n)]
        if not plan.stock():
            empty = []
        text = t("plan.leaves_empty", n=len(empty), caravans=join_and(empty)) if empty else ""
        fill(self.warning, text)
        self.warning.hidden = not empty

    def _tabs(self) -> Node:
        tabs = []
        for n in range(CARAVANS_PER_SEAT):
            name = insert_nodes(t("plan.caravan_tab", n=NODE_PLACEHOLDER), str(n + 1))
            tabs.append(self._tab(n, name, self._short(n)))
        target = self.plan.looters or t("plan.raiders_rest")
        tabs.append(self._tab(LOOTERS_TAB, ["", t("plan.raiders_tab")], target))
        return el("div", {"class": "tabs", "role": "group", "aria-label": t("plan.parts")}, tabs)

    def _short(self, caravan: int) -> str:
        """Return a caravan's order in short notation."""
        begin, to = self.plan.position(caravan), self.plan.orders[caravan]
        return t("plan.stays", begin=begin) if begin == to else t("plan.goes", begin=begin, to=to)

    def _tab(self, number: int, name: Sequence[Node | str], text: str) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.tab = number
            self.draw()
            self.redraw()
            self.focused()

        pressed = {"aria-pressed": "true" if number == self.tab else "false"}
        more, short, *rest = name
        after = [el("span", {"class": "tab-more"}, text) for text in rest]
        title = el("span", {}, el("span", {"class": "tab-more"}, more), short, after)
        return plain_button("tab", on_choose, title, " ", el("b", {}, text), **pressed)

    def _caravan(self, caravan: int) -> list[Node]:
        parts = []
        plan = self.plan
        if plan.destinations[caravan]:
            buttons = [self._order_button(caravan, to) for to in plan.destinations[caravan]]
            parts.append(el("div", {"class": "ways", "role": "group"}, buttons))
        if plan.leaves(caravan) and plan.steps <= LOOTERS_TAB + 1 + caravan:
            parts.append(self._cargo(caravan))
        return parts

    def _order_button(self, caravan: int, to: str) -> Node:
        text = self._route_label(caravan, to)
        more = {
            "data-to": to,
            "aria-pressed": "true" if self.plan.orders[caravan] == to else "false",
            "aria-label": t("plan.order_label", caravan=caravan + 1, to=to, words=text),
        }
        node = button("", self._order_action(caravan, to), "way-to", **more)
        return fill(node, el("b", {}, to), " ", el("span", {}, text))

    def _route_label(self, caravan: int, to: str) -> str:
        place = self.places[to[-1]]
        if len(to) > 1:
            return t("plan.on_to", place=place)
        stays = self.plan.position(caravan) == to
        return t("plan.stay", place=place) if stays else t("plan.stop", place=place)

    def _cargo(self, caravan: int) -> Node:
        def on_change(wares: dict[str, int]) -> None:
            self.plan.loads[caravan] = wares
            self._update_warning()

        title, stock = t("plan.load_heading", caravan=caravan + 1), self.plan.stock(caravan)
        load = self.plan.loads[caravan]
        return WaresPicker(title, self.wares, stock, CARAVAN_CAPACITY, load, on_change).node

    def _raid(self) -> Node:
        refusal = self._raid_refusal()
        if refusal:
            return el("p", {}, refusal)
        trails = [self._raid_button("", t("looters-none"), t("plan.no_trail"))]
        for trail in self.plan.raidable():
            trails.append(self._raid_button(trail, self._raid_label(trail), trail))
        label = t("plan.raiders_tab")
        return el("div", {"class": "raid-ways", "role": "group", "aria-label": label}, trails)

    def _raid_label(self, trail: str) -> str:
        begin, end = self.places[trail[0]], self.places[trail[1]]
        return t("plan.raid_between", places=begin, places2=end)

    def _raid_button(self, trail: str, text: str, short: str) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self._send(trail)
            self.focused()

        more = {
            "data-to": trail,
            "aria-pressed": "true" if self.plan.looters == trail else "false",
            "aria-label": t("plan.raid_label", short=short, words=text),
            "title": text,
        }
        return button(short, on_choose, "way-to", **more)
