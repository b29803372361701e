"""Large menu buttons with a title and an explanation."""

from typing import Any

from frontend.app.core.dom import el, plain_button
from frontend.app.core.i18n import t
from frontend.app.core.types import Node


def menu_button(title: str, description: str, on_click: Any) -> Node:
    """Return a large button with a title and an explanation."""
    return plain_button("way", on_click, button_text(title, description))


def menu_link(title: str, description: str, address: str, download: bool = False) -> Node:
    """Return a link that looks like a menu button; ``download``: it leads to a file to save."""
    given = {"class": "way", "href": address, "download": True if download else None}
    return el("a", given, button_text(title, description))


def settings_link() -> Node:
    """Return the link to the settings of this device."""
    return menu_link(t("settings.title"), t("settings.link_hint"), "/settings")


def button_text(title: str, description: str) -> Node:
    """Return the content of a menu button: its title and explanation."""
    return el("span", {}, el("strong", {}, title), el("small", {}, description))
