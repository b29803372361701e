"""The confirmation sheet for moves that cannot be undone freely (see `domain.match.is_final`).

A button that already confirms an earlier choice skips the sheet: it calls `ScreenHost.commit`.
"""

from typing import Any

from _native import fill, local_storage

from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, row
from frontend.app.core.i18n import t
from frontend.app.core.types import Action
from frontend.app.match.move_queue import MoveQueue


class ConfirmMove:
    """The confirmation sheet of one match page.

    It closes when the match or the moment shown changes.
    """

    def __init__(self, context: MatchContext, move_queue: MoveQueue) -> None:
        self.context = context
        self.move_queue = move_queue
        self.asked_at: Any = None
        self.sheet = Sheet(t("turn.confirm_title"), el("div", {}))
        self.sheet.node.classList.add("sure")
        context.moment_changed.subscribe(self._close_if_stale)

    def ask(self, label: str, play: Action) -> None:
        """Ask for confirmation, then call ``play()``; ``label`` is the confirm button's text.

        Calls ``play()`` at once if the user has turned confirmations off.
        """
        if local_storage("confirm-moves") == "off":
            play()
            return
        self.asked_at = self._moment()

        def done() -> None:
            self.sheet.close()
            play()

        go = button(label, lambda _e: done(), "primary grow confirm")
        leave = button(t("turn.confirm_no"), lambda _e: self.sheet.close(), "grow")
        fill(self.sheet.body, el("p", {}, t("turn.confirm_text")), row(go, leave))
        self.sheet.open()
        go.focus()

    def _close_if_stale(self, _view_model: ViewModel) -> None:
        """Close the sheet if the match or the moment shown has changed since it was opened."""
        if self.asked_at != self._moment():
            self.sheet.close()

    def _moment(self) -> Any:
        match = self.context.match
        return match.version, match.seat_to_act(), len(self.move_queue.queue), self.context.at
