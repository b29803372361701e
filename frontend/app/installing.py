"""A hint that the app can be installed, at a good moment: after a match was finished, or at the
third visit. Who puts it away is not asked again."""

from _native import ask_to_install, installable, stored

from frontend.app.dom import button, el, fill
from frontend.app.typed import Node
from frontend.app.words import t

VISITS = "visits"
ENOUGH = 3
HINT = "install-hint"


def played() -> None:
    """A match was finished on this device: a good moment."""
    stored(VISITS, str(ENOUGH))


def hint() -> Node:
    """The hint, hidden unless it is time for it."""
    visits = int(stored(VISITS) or "0") + 1
    stored(VISITS, str(min(visits, ENOUGH)))
    node = el("section", {"class": "card install", "hidden": True})

    def come(way: str) -> None:
        node.hidden = False
        fill(node, *_said(node, way))

    if visits >= ENOUGH and stored(HINT) is None:
        installable(come)
    return node


def _said(node: Node, way: str) -> list[Node]:
    def away() -> None:
        stored(HINT, "seen")
        node.remove()

    words = t("Keep it on your home screen: it opens at once, and without a network too.")
    by_hand = t("Tap Share below, then Add to Home Screen.")
    later = button(t("No, thanks"), lambda _e: away(), "grow")
    if way == "hand":
        return [el("h2", {}, t("Install the app")), el("p", {}, words), el("p", {}, by_hand), later]
    take = button(t("Install"), lambda _e: ask_to_install(lambda _done: away()), "primary grow")
    return [
        el("h2", {}, t("Install the app")),
        el("p", {}, words),
        el("div", {"class": "row"}, take, later),
    ]
