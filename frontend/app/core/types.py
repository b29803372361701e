"""Names for types of the app. Annotations are stripped by the build, so none of this ships."""

from collections.abc import Callable
from typing import Any

Node = Any
"""A DOM node, see ``stubs/_native.pyi``."""
DomEvent = Any
"""A DOM event, see ``stubs/_native.pyi``."""
Data = dict[str, Any]
"""A JSON object of the service."""
Event = dict[str, Any]
"""An event as the service sends it: version, type, seat, time, data, text, turn."""
View = dict[str, Any]
"""A game's view of a moment; see its ``view``."""
Command = Any
"""A struct of the game with `Screen.RULES`, else the service's dict."""
Choice = Any
"""A command with `Screen.RULES`, else the service's dict with command and label."""
Action = Callable[[], object]
"""A callback without arguments."""
Callback = Callable[[Any], object]
"""A callback with one argument, such as an answer."""
Navigate = Callable[[str | None], object]
"""Navigates to an address of the app; None: to the one in the address bar."""
Box = tuple[int, int, int, int]
"""A box in a picture: x, y, width, height."""
