"""The last known state of a match, stored to be shown when the service cannot be reached.

Stored are the service's answer and the events, with the texts that everybody around the device may
read. Moves that are not confirmed are stored by the outbox.
"""

from typing import Any

from _native import keep_table, kept_table, moment_in_words

from frontend.app.api import client, connection, game_catalogue
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import after
from frontend.app.core.match_ids import is_local_match
from frontend.app.core.types import Data, Event

REST = 300  # milliseconds from a change until the match is stored


class LastKnown:
    """The stored state of one match.

    ``shown``: when the match was as the page shows it, in words; None while the page shows the
    present.
    """

    def __init__(self, page: MatchContext) -> None:
        self.page = page
        self.events = 0
        self.waiting = False
        self.shown: str | None = None

    def as_of(self, moment: str | None) -> None:
        """Mark the page as showing an earlier state, named in words; None: the present."""
        if moment != self.shown:
            self.shown = moment
            connection.last_known(moment)

    def note(self) -> None:
        """Store the match in `REST` milliseconds, with all changes until then."""
        if not self.waiting:
            self.waiting = True
            after(REST, self.keep)

    def keep(self) -> None:
        """Store what is new.

        Nothing is stored of a local match, of one that has not begun, or while the page shows a
        stored state.
        """
        page = self.page
        self.waiting = False
        played_here = is_local_match(page.id)
        if page.closed or self.shown or played_here or page.match.data["status"] == "open":
            return
        match = page.match
        head = {
            "id": page.id,
            "player": client.outbox.player,
            "title": game_catalogue.of(match.data["game"]),
            "data": match.data,
        }
        keep_table(head, match.events[self.events :], self.events)
        self.events = match.version

    def keep_anew(self) -> None:
        """Store all events again: their texts have changed."""
        self.events = 0
        self.note()

    def find(self, found: Any, nothing: Any) -> None:
        """Call ``found(data, events)`` with what is stored for this player, else ``nothing()``."""

        def told(head: Data | None, events: list[Event]) -> None:
            if head is None or head["player"] != client.outbox.player:
                nothing()
                return
            game_catalogue.note(head["title"])
            self.events = len(events)
            self.as_of(moment_in_words(head["kept"]))
            found(head["data"], events)

        kept_table(self.page.id, told)

    def close(self) -> None:
        """Clear the mark for an earlier state."""
        self.as_of(None)
