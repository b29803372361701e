"""Which button of an action panel is the primary one: the rule of all games, in one place.

- A panel has one primary button at most: what is most likely wanted next.
- What throws something away is never primary: `Actions` leaves such a button plain.
- A primary button keeps its meaning under the finger. When what it did cannot be done any more,
  nothing takes its place until somebody chooses anew or another panel opens; and a touch on a
  button that plays does nothing where one that did something else was touched within the second
  (`shim/native/gesture.js`).

``data-does`` says which type of command a button sends; what only opens something has none.
"""

from collections.abc import Callable, Collection
from typing import Any

from _native import patch

from frontend.app.dom import button
from frontend.app.typed import Node


class Actions:
    """The buttons of one game that send commands. ``discards``: the types of its commands that
    throw something away."""

    def __init__(self, discards: Collection[str] = ()) -> None:
        self.discards = frozenset(discards)

    def button(
        self,
        words: str,
        action: Callable[..., object],
        does: str,
        best: bool = False,
        kind: str = "",
        **more: Any,
    ) -> Node:
        """A button that sends a command of a type; the primary one if it is the best of its
        panel."""
        node = button(words, action, kind, **more, **{"data-does": does or None})
        self.rank(node, does, best)
        return node

    def rank(self, node: Node, does: str, best: bool) -> None:
        """Makes a button the primary one of its panel, or a plain one."""
        node.classList.toggle("primary", best and does not in self.discards)
        patch(node, {"data-does": does or None})
