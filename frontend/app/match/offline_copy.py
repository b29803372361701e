"""The offline copy of a match, shown when the service is unreachable.

It consists of the match data and the events, with the texts that anybody near the device may read.
Unconfirmed moves are stored by the outbox.
"""

from typing import Any

from _native import format_moment, match_cache_get, match_cache_put

from frontend.app.api import client, connection, game_catalogue
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import after
from frontend.app.core.match_ids import is_local_match

STORE_DELAY_MS = 300  # milliseconds from a change until the match is stored


class OfflineCopy:
    """The offline copy of one match.

    ``stale_since``: when the shown copy was stored, in words; None if the page shows the current
    state.
    """

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.stored_events = 0
        self.is_scheduled = False
        self.stale_since: str | None = None
        context.match_changed.subscribe(lambda _texts: self.schedule_store())
        context.on_close(lambda: self.mark_stale(None))

    def mark_stale(self, moment: str | None) -> None:
        """Record that the page shows the state of ``moment`` (in words); None: the current one."""
        if moment != self.stale_since:
            self.stale_since = moment
            connection.set_last_known(moment)

    def schedule_store(self) -> None:
        """Store the match after `STORE_DELAY_MS`; calls until then share one write."""
        if not self.is_scheduled:
            self.is_scheduled = True
            after(STORE_DELAY_MS, self.store)

    def store(self) -> None:
        """Store the match data and the new events.

        Does nothing if the page is closed or shows an offline copy, if the match is local, or if it
        has not started.
        """
        context = self.context
        self.is_scheduled = False
        if context.is_closed or self.stale_since or is_local_match(context.id):
            return
        match = context.match
        if match.data["status"] == "open":
            return
        head = {
            "id": context.id,
            "player": client.outbox.player,
            "title": game_catalogue.get(match.data["game"]),
            "data": match.data,
        }
        match_cache_put(head, match.events[self.stored_events :], self.stored_events)
        self.stored_events = match.version

    def store_all(self) -> None:
        """Store all events again, after their texts have changed."""
        self.stored_events = 0
        self.schedule_store()

    def load(self, on_found: Any, on_missing: Any) -> None:
        """Load this player's offline copy of the match.

        Calls ``on_found(data, events)``, or ``on_missing()`` if there is none for this player.
        """

        def on_result(safe: bool, found: Any) -> None:
            head, events = found if safe else (None, ())
            if head is None or head["player"] != client.outbox.player:
                on_missing()
                return
            game_catalogue.seed(head["title"])
            self.stored_events = len(events)
            self.mark_stale(format_moment(head["kept"]))
            on_found(head["data"], events)

        match_cache_get(self.context.id, on_result)
