"""An on/off switch for forms."""

from collections.abc import Callable

from frontend.app.core.dom import el
from frontend.app.core.types import Node


def toggle_field(title: str, description: str, on: bool, on_change: Callable[..., object]) -> Node:
    """Return a labelled switch; ``on_change(on)`` is called with the new value."""
    given = {"type": "checkbox", "role": "switch", "checked": on}
    field = el("input", {**given, "onchange": lambda event: on_change(bool(event.target.checked))})
    text = el("span", {}, title, el("small", {}, description) if description else None)
    return el("label", {"class": "switch"}, field, text)
