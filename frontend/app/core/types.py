"""Type aliases of the app. The build strips annotations, so this module is not shipped."""

from collections.abc import Callable
from typing import Any

Node = Any
"""A DOM node; see ``stubs/_native.pyi``."""
DomEvent = Any
"""A DOM event; see ``stubs/_native.pyi``."""
Data = dict[str, Any]
"""A JSON object of the API."""
Event = dict[str, Any]
"""An event in the format of the API, with its version, type, seat, time, data, text and turn."""
View = dict[str, Any]
"""A game's view of a moment, as returned by the ``view`` function of its rules."""
Command = Any
"""A command: a struct of the game if the screen has `Screen.RULES`, otherwise a JSON object."""
Choice = Any
"""A command if the screen has `Screen.RULES`, otherwise a JSON object with command and label."""
Action = Callable[[], object]
"""A callback without arguments."""
Callback = Callable[[Any], object]
"""A callback with one argument, such as response data."""
Navigate = Callable[[str | None], object]
"""Navigates to an address of the app; None reloads the current page."""
Box = tuple[int, int, int, int]
"""A rectangle in a picture: ``(x, y, width, height)``."""
