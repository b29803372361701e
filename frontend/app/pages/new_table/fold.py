"""A part of the form that is folded away until it is opened."""

from typing import Any

from frontend.app.core.dom import el, stack
from frontend.app.core.types import DomEvent, Node


class Fold:
    """Keeps whether a part of the form is open (``is_open``) when the form is redrawn."""

    is_open = False

    def node(self, summary: Any, *content: Any, **more: Any) -> Node:
        """Build the fold with its summary and content; ``more``: further attributes."""

        def on_toggle(event: DomEvent) -> None:
            self.is_open = bool(event.currentTarget.open)

        given = {"open": self.is_open, "ontoggle": on_toggle, **more}
        return el("details", given, el("summary", {}, summary), stack(*content))
