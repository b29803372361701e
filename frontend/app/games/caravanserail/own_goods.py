"""The display of a player's secret wares and plan."""

from typing import Any

from frontend.app.core.dom import el
from frontend.app.core.i18n import NODE_PLACEHOLDER, insert_nodes
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import ware_icon, wares_node


def goods_node(view: View, player: Data) -> Node:
    """Return a table of the player's wares by store, with the wares that its card requires."""
    wares = view["board"]["wares"]
    goal = player["goal"] or {}
    needs = [el("td", {}, _need(goal, player["treasure"], ware)) for ware in wares]
    card = el("th", {"scope": "row"}, t("goods.card_row"))
    rows = [
        el("tr", {"class": "needs"}, card, needs),
        _row(t("goods.treasure_row"), player["treasure"], wares),
    ]
    for n, caravan in enumerate(player["caravans"]):
        if caravan["load"]:
            rows.append(_row(t("goods.caravan_row", n=n + 1), caravan["load"], wares))
    head = [
        el("th", {"scope": "col"}, ware_icon(ware, 22), el("span", {}, t(f"ware-{ware}")))
        for ware in wares
    ]
    return el(
        "table",
        {"class": "goods many" if len(wares) > 6 else "goods"},
        el("caption", {"class": "hush"}, t("goods.caption")),
        el("thead", {}, el("tr", {}, el("td", {}), head)),
        el("tbody", {}, rows),
    )


def _row(name: str, store: Any, wares: dict[str, int]) -> Node:
    cells = [el("td", {}, str(store[ware]) if store.get(ware) else "·") for ware in wares]
    return el("tr", {}, el("th", {"scope": "row"}, name), cells)


def programme_node(player: Data) -> Node:
    """Return the list of a player's sealed orders, loads and looters."""
    planned = player["programme"]
    lines = []
    for n, to in enumerate(planned["orders"]):
        begin = player["caravans"][n]["at"]
        text = t("plan.stays", begin=begin) if begin == to else t("plan.goes", begin=begin, to=to)
        parts: list[Any] = [el("b", {}, t("plan.caravan_line", n=n + 1)), " ", text]
        load = planned["loads"][n] if n < len(planned["loads"]) else {}
        if load:
            with_load = t("plan.with_load", wares=NODE_PLACEHOLDER)
            parts += [" ", *insert_nodes(with_load, wares_node(load))]
        lines.append(el("li", {}, parts))
    looters = planned["looters"]
    if looters is not None:
        heading = el("b", {}, t("plan.raiders_line"))
        lines.append(el("li", {}, heading, " ", looters or t("plan.raiders_rest")))
    return el("ul", {"class": "plan-lines"}, lines)


def _need(goal: Any, treasure: Any, ware: str) -> Node:
    """Return how many of a ware the card requires, with a tick if the treasure holds them."""
    most = goal.get(ware)
    if not most:
        return el("span", {"class": "muted"}, "·")
    if treasure.get(ware, 0) >= most:
        return el("span", {"class": "done", "title": t("goods.needed_done", n=most)}, f"{most}✓")
    return el("span", {"class": "", "title": t("goods.needed", n=most)}, str(most))
