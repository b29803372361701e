"""A group of radio buttons that look like buttons."""

from collections.abc import Callable
from typing import Any

from frontend.app.core.dom import el
from frontend.app.core.types import Node


def radio_group(legend: str, values: Any, chosen: Any, on_change: Callable[..., object]) -> Node:
    """Return a group of radio buttons.

    ``values``: tuples ``(value, title, hint)``. ``on_change(value)`` receives a string.
    """
    group = "g" + legend.replace(" ", "")
    parts = []
    for value, title, small in values:
        given = {"type": "radio", "name": group, "value": value, "checked": value == chosen}
        field = el("input", {**given, "onchange": lambda event: on_change(event.target.value)})
        text = el("span", {}, title, el("small", {}, small) if small else None)
        parts.append(el("label", {}, field, text))
    return el("fieldset", {"class": "choice"}, el("legend", {}, legend), parts)
