"""Form fields that several pages have."""

from collections.abc import Iterable
from typing import Any

from frontend.app.core.dom import el
from frontend.app.core.types import Node

MAX_NAME_CHARS = 40
"""Maximum length of a player's name in characters."""


def name_field(name: str, **more: Any) -> Node:
    """Build a field for the name of a player; ``more``: further attributes."""
    given = {"type": "text", "maxlength": MAX_NAME_CHARS, "autocomplete": "nickname", **more}
    return el("input", {**given, "value": name})


def select_field(chosen: Any, titles: Iterable[tuple[Any, str]], **more: Any) -> Node:
    """Build a field to choose a value; ``titles``: the values with the texts shown for them."""
    options = [
        el("option", {"value": value, "selected": value == chosen}, text) for value, text in titles
    ]
    return el("select", more, options)
