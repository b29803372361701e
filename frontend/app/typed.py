"""Names for types of the app. Annotations are stripped by the build, so none of this ships."""

from collections.abc import Callable
from typing import Any

Node = Any
"""A node of the page: JavaScript's, see ``stubs/_native.pyi``."""
DomEvent = Any
"""What a listener is told, likewise."""
Data = dict[str, Any]
"""An object as the service answers it."""
Event = dict[str, Any]
"""What happened, as the service tells it: version, type, seat, time, data, text, turn."""
View = dict[str, Any]
"""What a game shows of a moment; see its ``view``."""
Command = Any
"""With `Screen.RULES` a struct of the game's, else the service's dict."""
Choice = Any
"""With `Screen.RULES` a command, else the service's dict with command and words."""
Does = Callable[[], object]
"""Something to be done later."""
Told = Callable[[Any], object]
"""Something to be done with an answer."""
Went = Callable[[str | None], object]
"""Goes to a page by its address; None: to the one the address bar says already."""
Box = tuple[int, int, int, int]
"""A part of a picture: x, y, width, height."""
