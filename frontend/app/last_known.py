"""A match as this device last knew it: kept here, shown when the service cannot be reached.

What is kept is what the page was told: the service's answer, and the events with the words that
everybody round the device may read. Moves on their way are the outbox's.
"""

from typing import Any

from _native import keep_table, kept_table, moment_in_words

from frontend.app import net, titles
from frontend.app.dom import after
from frontend.app.match_page import MatchPage
from frontend.app.phone.door import is_played_here
from frontend.app.typed import Data, Event

REST = 300  # milliseconds without news before a match is written down


class LastKnown:
    """``shown``: when the match was as the page shows it, in words, while that is not known to be
    the present; else None."""

    def __init__(self, page: MatchPage) -> None:
        self.page = page
        self.events = 0
        self.waiting = False
        self.shown: str | None = None

    def as_of(self, moment: str | None) -> None:
        """The page shows the match as it was then; None: as it is."""
        if moment != self.shown:
            self.shown = moment
            net.last_known(moment)

    def note(self) -> None:
        """Something has changed: it is written down once nothing happens for a moment."""
        if not self.waiting:
            self.waiting = True
            after(REST, self.keep)

    def keep(self) -> None:
        """Writes down what is new. A table that has not begun has nothing to look at."""
        page = self.page
        self.waiting = False
        played_here = is_played_here(page.id)
        if page.closed or self.shown or played_here or page.match.data["status"] == "open":
            return
        match = page.match
        head = {
            "id": page.id,
            "player": net.outbox.player,
            "title": titles.of(match.data["game"]),
            "data": match.data,
        }
        keep_table(head, match.events[self.events :], self.events)
        self.events = match.version

    def keep_anew(self) -> None:
        """The words of what is kept have changed."""
        self.events = 0
        self.note()

    def find(self, found: Any, nothing: Any) -> None:
        """Calls ``found(data, events)`` with what this player kept, else ``nothing()``."""

        def told(head: Data | None, events: list[Event]) -> None:
            if head is None or head["player"] != net.outbox.player:
                nothing()
                return
            titles.note(head["title"])
            self.events = len(events)
            self.as_of(moment_in_words(head["kept"]))
            found(head["data"], events)

        kept_table(self.page.id, told)

    def close(self) -> None:
        """The page is left."""
        self.as_of(None)
