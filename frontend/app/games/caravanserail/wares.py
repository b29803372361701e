"""Wares: their symbols, which differ in shape as well as colour, and a picker."""

from collections.abc import Callable, Sequence
from typing import Any

from frontend.app.core.dom import (
    announce,
    button,
    el,
    fill,
    picture,
    plain_button,
    set_blocked_reason,
)
from frontend.app.core.types import Node
from frontend.app.games.caravanserail.i18n import t


def ware_icon(ware: str, size: int = 24) -> Node:
    """Return the symbol of a ware."""
    return picture("ware-" + ware, size)


def wares_node(wares: dict[str, int]) -> Node:
    """Return wares as numbers, symbols and names."""
    if not wares:
        return el("span", {"class": "wares muted"}, t("wares-none"))
    parts = []
    for ware, n in wares.items():
        name = el("span", {}, " ", t(f"ware-{ware}"), " ")
        parts.append(el("span", {"class": "ware"}, el("b", {}, str(n)), ware_icon(ware, 22), name))
    return el("span", {"class": "wares"}, parts)


def minus(wares: dict[str, int], fewer: Any) -> dict[Any, Any]:
    """Return ``wares`` minus ``fewer``, without wares of which none is left."""
    left = {ware: n - fewer.get(ware, 0) for ware, n in wares.items()}
    return {ware: n for ware, n in left.items() if n > 0}


def total(wares: dict[str, int]) -> int:
    """Return the total number of tokens."""
    return sum([*wares.values()])


class WaresPicker:
    """A picker for up to ``most`` tokens.

    A tap on a ware takes one, a tap on a taken ware puts one back. ``order``: the wares in the
    order shown; ``stock``: ``{ware: tokens}``, None if unknown; ``picked``: the initial selection.
    ``changed(picked)`` is called after each change.
    """

    def __init__(
        self,
        title: str,
        order: Sequence[str],
        stock: dict[str, int] | None,
        most: int,
        picked: dict[str, int],
        changed: Callable[[dict[str, int]], object],
    ) -> None:
        self.title = title
        self.order = order
        self.known = stock is not None
        self.stock = dict.fromkeys(order, most) if stock is None else stock
        self.most = most
        self.changed = changed
        self.picked = {ware: min(n, self.stock.get(ware, 0)) for ware, n in picked.items()}
        self.shelf = {ware: self._ware_button(ware) for ware in order if self.stock.get(ware)}
        self.taken = el("div", {"class": "taken"})
        shelf = el("div", {"class": "shelf"}, [*self.shelf.values()])
        given = {"class": "picker", "role": "group", "aria-label": title}
        self.node = el("div", given, self.taken, shelf)
        self._draw()

    def value(self) -> dict[Any, Any]:
        """Return the picked tokens by ware, in display order."""
        return {ware: self.picked[ware] for ware in self.order if self.picked.get(ware)}

    def _ware_button(self, ware: str) -> Node:
        sign = el("span", {}, ware_icon(ware, 24), el("b", {}))
        name = el("span", {"class": "ware-name"}, t(f"ware-{ware}"))
        more = {"data-ware": ware}
        return plain_button("shelf-ware", lambda _e: self._take(ware, 1), sign, " ", name, **more)

    def _take(self, ware: str, by: int) -> None:
        now = self.picked.get(ware, 0) + by
        if now < 0 or now > self.stock[ware] or (by > 0 and total(self.picked) >= self.most):
            return
        self.picked[ware] = now
        self._draw()
        announce(t("picker.now", title=self.title, n=now, ware=t(f"ware-{ware}")))
        self.changed(self.value())

    def _draw(self) -> None:
        full = total(self.picked) >= self.most
        for ware, node in self.shelf.items():
            left = self.stock[ware] - self.picked.get(ware, 0)
            fill(node.firstChild.lastChild, str(left) if self.known else "")
            why = t("picker.full", n=self.most) if full else ""
            set_blocked_reason(node, why if left else t("picker.none_left"))
            name = t(f"ware-{ware}")
            label = t("picker.add", ware=name)
            if self.known:
                label = t("picker.add_left", add=label, n=left, ware=name)
            node.setAttribute("aria-label", label)
        chips = [self._chip(ware, n) for ware, n in self.value().items()]
        title = el("span", {"class": "taken-title"}, self.title)
        fill(self.taken, title, chips or el("span", {"class": "muted"}, t("wares-none")))

    def _chip(self, ware: str, n: Any) -> Node:
        which = {"data-ware": ware, "data-number": n}
        chip = button(str(n), lambda _e: self._take(ware, -1), "taken-ware", **which)
        chip.setAttribute("aria-label", t("picker.put_back", ware=t(f"ware-{ware}"), n=n))
        chip.append(ware_icon(ware, 22))
        chip.append(picture("i-minus", 18))
        return chip
