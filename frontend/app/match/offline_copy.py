"""The last known state of a match, stored to be shown when the service cannot be reached.

The service's answer and the events are stored, with the texts that everybody around the device may
read. The outbox stores moves that are not confirmed.
"""

from typing import Any

from _native import format_moment, match_cache_get, match_cache_put

from frontend.app.api import client, connection, game_catalogue
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import after
from frontend.app.core.match_ids import is_local_match
from frontend.app.core.types import Data, Event

STORE_DELAY_MS = 300  # milliseconds from a change until the match is stored


class OfflineCopy:
    """The stored state of one match.

    ``stale_since``: when the match was as the page shows it, in words; None while the page shows
    the present.
    """

    def __init__(self, page: MatchContext) -> None:
        self.page = page
        self.stored_events = 0
        self.is_scheduled = False
        self.stale_since: str | None = None

    def mark_stale(self, moment: str | None) -> None:
        """Mark the page as showing an earlier state, named in words; None: the present."""
        if moment != self.stale_since:
            self.stale_since = moment
            connection.set_last_known(moment)

    def schedule_store(self) -> None:
        """Store the match in `STORE_DELAY_MS` milliseconds, with all changes until then."""
        if not self.is_scheduled:
            self.is_scheduled = True
            after(STORE_DELAY_MS, self.store)

    def store(self) -> None:
        """Store new events and data.

        Nothing is stored for a local match, for one that has not started, or while the page shows a
        stored state.
        """
        page = self.page
        self.is_scheduled = False
        played_here = is_local_match(page.id)
        if page.closed or self.stale_since or played_here or page.match.data["status"] == "open":
            return
        match = page.match
        head = {
            "id": page.id,
            "player": client.outbox.player,
            "title": game_catalogue.get(match.data["game"]),
            "data": match.data,
        }
        match_cache_put(head, match.events[self.stored_events :], self.stored_events)
        self.stored_events = match.version

    def store_all(self) -> None:
        """Store all events again: their texts have changed."""
        self.stored_events = 0
        self.schedule_store()

    def load(self, on_found: Any, on_missing: Any) -> None:
        """Call ``on_found(data, events)`` with what is stored for this player, else
        ``on_missing()``."""

        def on_result(head: Data | None, events: list[Event]) -> None:
            if head is None or head["player"] != client.outbox.player:
                on_missing()
                return
            game_catalogue.seed(head["title"])
            self.stored_events = len(events)
            self.mark_stale(format_moment(head["kept"]))
            on_found(head["data"], events)

        match_cache_get(self.page.id, on_result)

    def close(self) -> None:
        """Clear the mark for an earlier state."""
        self.mark_stale(None)
