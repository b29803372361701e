"""The rule that decides which button of an action panel is primary, for all games.

- A panel has at most one primary button: the most likely next action.
- A button whose command discards something is never primary: `ActionButtons` leaves it plain.
- A primary button does not change its action under the finger. When its action is no longer
  possible, no other button replaces it until the user makes a new choice or another panel opens;
  and a tap on a command button is ignored within a second after a tap on a button with another
  action (`shim/native/click_guard.js`).

``data-does`` holds the type of command a button sends; buttons that only open something have none.
"""

from collections.abc import Callable, Collection
from typing import Any

from frontend.app.core.dom import button, patch
from frontend.app.core.types import Node


class ActionButtons:
    """The command buttons of one game; ``discards``: command types that discard something."""

    def __init__(self, discards: Collection[str] = ()) -> None:
        self.discards = frozenset(discards)

    def button(
        self,
        label: str,
        action: Callable[..., object],
        command_type: str,
        is_best: bool = False,
        kind: str = "",
        **more: Any,
    ) -> Node:
        """Return a button that sends a command of type ``command_type``.

        It is primary if it is the ``is_best`` action of its panel and discards nothing.
        """
        node = button(label, action, kind, **more, **{"data-does": command_type or None})
        self.rank(node, command_type, is_best)
        return node

    def rank(self, node: Node, command_type: str, is_best: bool) -> None:
        """Make a button primary or plain, and set the command type that it sends."""
        node.classList.toggle("primary", is_best and command_type not in self.discards)
        patch(node, {"data-does": command_type or None})
