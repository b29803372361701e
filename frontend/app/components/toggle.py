"""The on/off switch of forms."""

from collections.abc import Callable

from frontend.app.core.dom import el
from frontend.app.core.types import Node


def switch(title: str, small: str, on: bool, changed: Callable[..., object]) -> Node:
    """Return a labelled switch; ``changed(on)`` is called with the new value."""
    return el(
        "label",
        {"class": "switch"},
        el(
            "input",
            {
                "type": "checkbox",
                "role": "switch",
                "checked": on,
                "onchange": lambda event: changed(bool(event.target.checked)),
            },
        ),
        el("span", {}, title, el("small", {}, small) if small else None),
    )
