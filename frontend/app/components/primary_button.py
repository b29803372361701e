"""The command buttons of action panels, and the rule that decides which is primary.

- A panel has at most one primary button: the most likely next action.
- A button whose command discards something is never primary.
- A primary button does not change its action under the finger. When its action is no longer
  possible, no other button replaces it until the user makes a new choice or another panel opens;
  and a tap on a command button is ignored within a second after a tap on a button with another
  action (`shim/native/click_guard.js`).

``data-does`` holds the type of command a button sends; buttons that only open something have none.
"""

from collections.abc import Callable
from typing import Any

from frontend.app.core.dom import button
from frontend.app.core.types import Node


def action_button(
    label: str,
    action: Callable[..., object],
    command_type: str,
    is_best: bool = False,
    kind: str = "",
    **more: Any,
) -> Node:
    """Return a button that sends a command of type ``command_type``.

    ``is_best``: whether it is primary.
    """
    look = kind + " primary" if is_best else kind
    return button(label, action, look, **more, **{"data-does": command_type or None})
