"""What happened since the player last looked, on any device, and the player's private note."""

from typing import Any

from _native import hidden, is_attended, listen, matches

from frontend.app import client, match_ids
from frontend.app.context import ReplayHost
from frontend.app.dom import after, button, cancel, el, fill
from frontend.app.typed import Data, DomEvent, Event
from frontend.app.words import t, tn

REST = 4000  # milliseconds on display until the shown version is reported as seen
TYPED = 1500  # milliseconds after the last keystroke until the note is saved
AGAIN = 200  # milliseconds between two checks whether the page is complete
NOTE = 2000  # maximum length of a note in characters


class Away:
    """The banner with missed moves and the private note of a match page.

    ``banner`` lists the missed moves and can replay them; ``note`` holds the field of the note.
    Both need a seat in a match of the service (``own``).
    """

    def __init__(self, page: ReplayHost) -> None:
        self.page = page
        self.noted = 0
        self.timer: Any = None
        self.typing: Any = None
        self.kept = ""
        self.banner = el("div", {})
        self.own = bool(page.match.held()) and not match_ids.is_local_match(page.id)
        field = {"rows": 4, "maxlength": NOTE, "oninput": self._typed, "onchange": self._typed}
        label = t("Only you see this, on all your devices.")
        self.field = el("textarea", {**field, "aria-label": label})
        said = el("p", {"class": "muted"}, label)
        summary = el("summary", {}, t("Note to myself"))
        self.note = el("details", {"class": "own-note"}, summary, said, self.field)
        # Shown before its text is loaded: appearing later, it would shift the page under a finger.
        self.note.hidden = not self.own
        self.field.disabled = True
        if self.own:
            page.ears.append(listen("document", "visibilitychange", self._turned))
            client.get(page.path + "/own", self._known)

    # -- since one looked ----------------------------------------------------------------------

    def _known(self, own: Data) -> None:
        page = self.page
        if page.closed:
            return
        if not page.is_up:
            after(AGAIN, lambda: self._known(own))
            return
        self.kept = self.field.value = own["note"]
        self.field.disabled = False
        if own["note"]:
            self.note.open = True
        if own["seen"] is not None:
            self.noted = own["seen"]
            self._tell(page.playback.deeds(own["seen"]))
        self.looked()

    def _tell(self, deeds: list[list[Event]]) -> None:
        page = self.page
        held = page.match.held()
        others = [events for events in deeds if events[0]["seat"] not in held]
        if not others or page.history.at is not None:
            return
        said = [el("li", {}, page.screen.said(events)) for events in deeds]
        count = tn("{n} move since you looked.", "{n} moves since you looked.", n=len(deeds))

        def play(_event: DomEvent) -> None:
            page.playback.play_through(deeds)

        def close(_event: DomEvent) -> None:
            fill(self.banner)

        still = matches("(prefers-reduced-motion: reduce)")
        ways = [None if still else button(t("Play them"), play), button(t("Good"), close)]
        told = el("details", {}, el("summary", {}, count), el("ol", {}, said))
        fill(
            self.banner,
            el("div", {"class": "notice since"}, told, el("div", {"class": "row"}, ways)),
        )
        if not page.sheet_open():
            page.playback.play_through(deeds)

    def looked(self) -> None:
        """Report the current version as seen after `REST` ms, if the page is being used."""
        if hidden():
            return
        if self.own and self.timer is None and self.page.match.version > self.noted:
            self.timer = after(REST, self._see)

    def _see(self) -> None:
        self.timer = None
        if hidden():
            return
        if is_attended():
            self._note(self.page.match.version)
        else:
            self.timer = after(REST, self._see)  # the tab is open, but nobody uses it

    def _note(self, version: int) -> None:
        if version <= self.noted:
            return
        self.noted = version
        client.call("PUT", self.page.path + "/seen", {"version": version})

    def _turned(self, _event: DomEvent) -> None:
        if hidden():
            # A player may look, move and put the phone away in less than `REST`: report at once.
            self.close()
        else:
            self.looked()

    def close(self) -> None:
        """Report the current version as seen and save the note: the page is left or hidden."""
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None
            if is_attended():
                self._note(self.page.match.version)
        self._keep()

    # -- the note ------------------------------------------------------------------------------

    def _typed(self, _event: DomEvent) -> None:
        if self.typing is not None:
            cancel(self.typing)
        self.typing = after(TYPED, self._keep)

    def _keep(self) -> None:
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
                self.typing = after(2 * TYPED, self._keep)

        client.call("PUT", self.page.path + "/note", {"text": text}, kept, failed)
