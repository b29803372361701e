"""Groups of legal commands that are too long to list: one line each, loaded when expanded."""

from collections.abc import Callable
from typing import Any

from frontend.app.api import client
from frontend.app.core.dom import button, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Choice, Data, DomEvent, Node

PAGE_SIZE = 100
"""Number of entries per request."""


class MoveGroup:
    """An expandable line with the legal commands of one type for a seat at a version.

    ``address(rest, **query)``: see `ScreenHost.address`; ``move(choice)`` builds the node of an
    entry. Entries are added to ``node``, even if it was removed from the document in the meantime.
    """

    def __init__(
        self,
        group: Data,
        seat: int,
        version: int,
        address: Callable[..., str],
        move: Callable[[Choice], Node],
    ) -> None:
        self.group = group
        self.at = (version, seat)
        self.seat = seat
        self.address = address
        self.move = move
        self.entries = el("div", {"class": "moves"})
        self.more_button: Any = None
        text = t("turn.move_group", label=group["label"], n=group["count"])
        self.line: Any = button(text, self._on_tap, name="group-" + group["type"])
        self.line.setAttribute("aria-expanded", "false")
        self.node = el("div", {"class": "moves"}, self.line, self.entries)

    @property
    def is_open(self) -> bool:
        """Whether the entries are loaded or loading."""
        return bool(self.line.getAttribute("aria-expanded") == "true")

    def _on_tap(self, _event: DomEvent) -> None:
        if self.is_open:
            self.line.setAttribute("aria-expanded", "false")
            self.more_button = None
            fill(self.entries)
        else:
            self.open()

    def open(self) -> None:
        """Load and show the entries."""
        self.line.setAttribute("aria-expanded", "true")
        self._ask(0)

    def _ask(self, after: int) -> None:
        query = {"group": self.group["type"], "after": after, "limit": PAGE_SIZE}
        address = self.address("/choices", seat=self.seat, **query)
        client.get(address, self._on_answer, self._on_error)

    def _on_answer(self, answer: Data) -> None:
        made = [self.move(choice) for choice in answer["choices"]]
        for node in made:
            self.entries.append(node)
        if self.more_button is not None:
            made[0].focus()  # because the focused button is removed
            self.more_button.remove()
            self.more_button = None
        after = answer["next"]
        if after is not None:
            text = t("turn.more_moves", count=self.group["count"])
            self.more_button = button(text, lambda _e: self._ask(after))
            self.entries.append(self.more_button)

    def _on_error(self, _problem: Problem) -> None:
        self.line.setAttribute("aria-expanded", "false")
