"""A hint that the app can be installed, shown after a finished match or from the third visit on.

Once dismissed, it is not shown again.
"""

from typing import Any

from _native import local_storage, on_installable, prompt_install

from frontend.app.core.dom import button, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Node

VISITS_KEY = "visits"
MIN_VISITS = 3
HINT_KEY = "install-hint"


def mark_hint_due() -> None:
    """Make the hint due on the next visit to the home page; called when a match has ended."""
    local_storage(VISITS_KEY, str(MIN_VISITS))


def build_hint() -> Node:
    """Count the visit and build the hint; it stays hidden unless due and the app is installable."""
    visits = int(local_storage(VISITS_KEY) or "0") + 1
    local_storage(VISITS_KEY, str(min(visits, MIN_VISITS)))
    node = el("section", {"class": "card install", "hidden": True})

    def on_installable_change(how: str) -> None:
        node.hidden = False
        fill(node, *_hint_nodes(node, how))

    if visits >= MIN_VISITS and local_storage(HINT_KEY) is None:
        on_installable(on_installable_change)
    return node


def _hint_nodes(node: Node, how: str) -> list[Node]:
    def away(_event_or_choice: Any) -> None:
        local_storage(HINT_KEY, "seen")
        node.remove()

    def install(_event: DomEvent) -> None:
        take.disabled = True  # the browser's prompt can be shown only once
        prompt_install(away)

    later = button(t("home.install_no"), away, "grow")
    if how == "hand":
        rest = [el("p", {}, t("home.install_by_hand")), later]
    else:
        take = button(t("home.install"), install, "primary grow")
        rest = [el("div", {"class": "row"}, take, later)]
    return [el("h2", {}, t("home.install_title")), el("p", {}, t("home.install_text")), *rest]
