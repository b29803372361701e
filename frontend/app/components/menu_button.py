"""Large menu buttons with a title and an explanation."""

from typing import Any

from frontend.app.core.dom import el
from frontend.app.core.types import Node


def menu_button(title: str, description: str, on_click: Any) -> Node:
    """Return a large button with a title and an explanation."""
    return el(
        "button",
        {"type": "button", "class": "way", "onclick": on_click},
        button_text(title, description),
    )


def button_text(title: str, description: str) -> Node:
    """Return the content of a menu button: its title and explanation."""
    return el("span", {}, el("strong", {}, title), el("small", {}, description))
