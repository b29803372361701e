"""A question in a form that is answered by yes or no."""

from collections.abc import Callable

from frontend.app.dom import el
from frontend.app.typed import Node


def switch(title: str, small: str, on: bool, changed: Callable[..., object]) -> Node:
    """A question that is answered by yes or no."""
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
