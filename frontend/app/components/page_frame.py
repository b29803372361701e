"""Parts of simple pages: top bar, message page, loading placeholder and small nodes."""

from collections.abc import Callable
from typing import Any

from _native import guides

from frontend.app.components.navigation_bar import navigation_tree
from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Node


class Page:
    """A page of the app; answers that arrive after it was closed are ignored."""

    closed = False

    def close(self) -> None:
        """Ignore answers from now on."""
        self.closed = True

    def while_open(self, action: Callable[..., object]) -> Callable[..., None]:
        """Return a function that calls ``action`` unless the page is closed."""

        def run(*arguments: Any) -> None:
            if not self.closed:
                action(*arguments)

        return run


def navigation(current: str) -> Node:
    """Return the navigation bar; ``current``: the address of the page that shows it."""
    tag, attributes, links = navigation_tree(LANGUAGE, current)
    nodes = []
    for _tag, link, (icon, text) in links:
        nodes.append(el("a", link, picture(icon[1]["name"], 22), el("span", {}, text[2])))
    return el(tag, attributes, nodes)


def header_bar(title: str) -> Node:
    """Return the top bar of a simple page: a link to the home page and the title."""
    link = {"class": "button round quiet", "href": "/", "aria-label": t("common.home")}
    back = el("a", link, picture("i-back", 22))
    return el("header", {"class": "bar"}, back, el("h1", {}, title))


def page(title: str, *nodes: Any) -> Node:
    """Return a simple page: the top bar with the title, and the nodes."""
    return el("main", {"class": "page"}, header_bar(title), *nodes)


def message_page(title: str, text: str) -> Node:
    """Return a page that shows one message."""
    home = el("a", {"class": "button primary", "href": "/"}, t("common.home"))
    card = el("div", {"class": "card"}, el("p", {}, text), home)
    return page(title, card)


def loading_page() -> Node:
    """Return the placeholder page of a match that is loading."""
    brand = el("a", {"class": "brand", "href": "/"}, "Caravanserai")
    bones = [el("div", {"class": look}) for look in ("skeleton board", "skeleton", "skeleton")]
    busy = {"class": "page waits", "aria-busy": "true"}
    return el("main", busy, el("div", {"class": "bar"}, brand), bones)


def medal(seat: int) -> Node:
    """Return a camel icon in a seat's colour."""
    style = f"color:var(--seat-{seat})"
    return el("span", {"class": "medal", "style": style}, picture("camel", 40))


def rules_link(slug: str) -> Node | None:
    """Return a link to the rules of a game; None if it has no rules text."""
    link = {"class": "to-rules", "href": f"/rules/{slug}"}
    return el("a", link, t("rules.how_to_play")) if slug in guides() else None
