"""The player's private note about a match."""

from typing import Any

from _native import add_listener, is_page_hidden

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core import match_ids
from frontend.app.core.dom import after, cancel, el, muted_text
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, DomEvent

SAVE_DELAY_MS = 1500  # milliseconds after the last keystroke until the note is saved
MAX_NOTE_CHARS = 2000  # maximum length of a note in characters


class PrivateNote:
    """The text field of the note (``node``); hidden for spectators and in local matches."""

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.save_timer: Any = None
        self.saved_text = ""
        field = {
            "rows": 4,
            "maxlength": MAX_NOTE_CHARS,
            "oninput": self._on_input,
            "onchange": self._on_input,
        }
        label = t("table.note_hint")
        self.field = el("textarea", {**field, "aria-label": label})
        heading = muted_text(label)
        summary = el("summary", {}, t("table.private_note"))
        self.node = el("details", {"class": "own-note"}, summary, heading, self.field)
        own = bool(context.match.own_seats()) and not match_ids.is_local_match(context.id)
        # Shown before its text is loaded: appearing later would cause a layout shift.
        self.node.hidden = not own
        self.field.disabled = True
        context.on_close(self.save)
        if own:
            context.listeners.append(
                add_listener("document", "visibilitychange", self._on_visibility_change)
            )

    def show(self, own: Data) -> None:
        """Show the stored note (``own["note"]``) and enable the field."""
        self.saved_text = self.field.value = own["note"]
        self.field.disabled = False
        if own["note"]:
            self.node.open = True

    def _on_visibility_change(self, _event: DomEvent) -> None:
        if is_page_hidden():
            self.save()

    def _on_input(self, _event: DomEvent) -> None:
        cancel(self.save_timer)
        self.save_timer = after(SAVE_DELAY_MS, self.save)

    def save(self) -> None:
        """Save the note if it was changed, retrying on errors until the page is closed.

        Called after a pause in typing and when the page is hidden or closed.
        """
        cancel(self.save_timer)
        text = str(self.field.value)
        if self.field.disabled or text == self.saved_text:
            return

        def on_stored(_own: Data) -> None:
            self.saved_text = text

        def on_error(_problem: Any) -> None:
            if not self.context.is_closed:
                self.save_timer = after(2 * SAVE_DELAY_MS, self.save)

        client.call("PUT", self.context.path + "/note", {"text": text}, on_stored, on_error)
