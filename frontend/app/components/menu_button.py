"""The large button of menus, with a title and an explanation."""

from typing import Any

from frontend.app.core.dom import el
from frontend.app.core.types import Node


def way(title: str, words: str, chosen: Any) -> Node:
    """Return a large button with a title and an explanation."""
    return el("button", {"type": "button", "class": "way", "onclick": chosen}, told(title, words))


def told(title: str, words: str) -> Node:
    """Return the title and the explanation of such a button."""
    return el("span", {}, el("strong", {}, title), el("small", {}, words))
