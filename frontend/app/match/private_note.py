"""The player's private note about a match."""

from typing import Any

from _native import hidden, listen

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core import match_ids
from frontend.app.core.dom import after, cancel, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, DomEvent

TYPED = 1500  # milliseconds after the last keystroke until the note is saved
NOTE = 2000  # maximum length of a note in characters


class PrivateNote:
    """The field of the note (``node``); only with a seat in a match of the service."""

    def __init__(self, page: MatchContext) -> None:
        self.page = page
        self.typing: Any = None
        self.kept = ""
        field = {"rows": 4, "maxlength": NOTE, "oninput": self._typed, "onchange": self._typed}
        label = t("Only you see this, on all your devices.")
        self.field = el("textarea", {**field, "aria-label": label})
        said = el("p", {"class": "muted"}, label)
        summary = el("summary", {}, t("Note to myself"))
        self.node = el("details", {"class": "own-note"}, summary, said, self.field)
        own = bool(page.match.held()) and not match_ids.is_local_match(page.id)
        # Shown before its text is loaded: appearing later, it would shift the page under a finger.
        self.node.hidden = not own
        self.field.disabled = True
        if own:
            page.ears.append(listen("document", "visibilitychange", self._turned))

    def show(self, own: Data) -> None:
        """Show the note that the service stores, and let it be edited."""
        self.kept = self.field.value = own["note"]
        self.field.disabled = False
        if own["note"]:
            self.node.open = True

    def _turned(self, _event: DomEvent) -> None:
        if hidden():
            self.save()

    def _typed(self, _event: DomEvent) -> None:
        if self.typing is not None:
            cancel(self.typing)
        self.typing = after(TYPED, self.save)

    def save(self) -> None:
        """Save the note if it was changed; called when the page is left or hidden too."""
        if self.typing is not None:
            cancel(self.typing)
            self.typing = None
        text = str(self.field.value)
        if self.field.disabled or text == self.kept:
            return

        def kept(_own: Data) -> None:
            self.kept = text

        def failed(_problem: Any) -> None:
            if not self.page.closed:
                self.typing = after(2 * TYPED, self.save)

        client.call("PUT", self.page.path + "/note", {"text": text}, kept, failed)
