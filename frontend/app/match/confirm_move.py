"""The confirmation sheet for moves that cannot be undone freely (see `domain.match.is_final`).

A button that already confirms an earlier choice skips the sheet: it calls `ScreenHost.commit`.
"""

from collections.abc import Sequence
from typing import Any

from _native import fill

from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import QueueHost
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Command


class ConfirmMove:
    """The confirmation sheet of one match page.

    It closes when the match or the moment shown changes (see `close_if_stale`).
    """

    def __init__(self, page: QueueHost) -> None:
        self.page = page
        self.asked_at: Any = None
        self.sheet = Sheet(t("Are you sure?"), el("div", {}))
        self.sheet.node.classList.add("sure")

    def ask(self, commands: Sequence[Command], label: str) -> None:
        """Ask for confirmation before playing commands; ``label`` is the confirm button's text."""
        self.asked_at = self._moment()

        def done() -> None:
            self.sheet.close()
            self.page.move_queue.commit(*commands)

        go = button(label, lambda _e: done(), "primary grow confirm")
        leave = button(t("Not yet"), lambda _e: self.sheet.close(), "grow")
        fill(
            self.sheet.body,
            el("p", {}, t("This cannot simply be taken back.")),
            el("div", {"class": "row"}, go, leave),
        )
        self.sheet.open()
        go.focus()

    def close_if_stale(self) -> None:
        """Close the sheet if the match or the moment shown has changed since it was opened."""
        if self.asked_at != self._moment():
            self.sheet.close()

    def _moment(self) -> Any:
        page = self.page
        return (
            page.match.version,
            page.match.seat_to_act(),
            len(page.move_queue.queue),
            page.context.at,
        )
