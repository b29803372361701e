"""Synchronisation of one match with the service: the match, its events and legal commands."""

from collections.abc import Iterator
from typing import Any

from _native import hidden, listen, soon, unlisten

from frontend.app.api import client, local_gateway
from frontend.app.components.seat_handover import due
from frontend.app.contract.context import QueueHost
from frontend.app.core import match_ids
from frontend.app.core.dom import after, in_slices
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Data, Does, DomEvent, Event

WAKING = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
SOON = 2_000  # milliseconds until work that can wait until the page is built
SLOWLY = 30_000  # milliseconds between two checks for missed events
PAUSE = 3000  # milliseconds until a request that failed is repeated


class Feed:
    """The synchronisation of one match page.

    ``heard``: the newest version announced, whether its events have been fetched or not.
    """

    def __init__(self, page: QueueHost) -> None:
        self.page = page
        self.match = page.match
        self.heard = 0
        self.syncing = False
        self.again = False
        self.ears = [listen(target, name, self._woke) for target, name in WAKING]
        address = page.address("/live")
        version = self.match.data["version"]
        self.stop, self.look_again = client.follow(
            address, version, self._heard, page.presence.hear, self._moved
        )
        if match_ids.is_local_path(address):
            after(SOON, self._portray)
        else:
            after(SLOWLY, self._slowly)

    def _slowly(self) -> None:
        """Check for missed events every `SLOWLY` ms: a silent stream may be dead."""
        if self.page.closed:
            return
        after(SLOWLY, self._slowly)
        if not (hidden() or self.syncing or self.page.sending.busy):
            address = self.page.address("/events", after=self.match.version)
            client.get(address, self._missed, lambda _problem: None)

    def _moved(self) -> None:
        """Reopen the page after the seat has moved to another device; the new page says so."""
        if not self.page.closed:
            self.page.went(None)

    def _portray(self) -> None:
        """Store a picture of a local match now and then, in case the page is killed."""
        if not self.page.closed:
            after(SLOWLY, self._portray)
            local_gateway.picture(self.page.id)

    def _missed(self, answer: Data) -> None:
        if not self.page.closed and answer["version"] > self.match.version:
            self.look_again()
            self.sync()

    def close(self) -> None:
        """Stop listening to the match."""
        for ear in self.ears:
            unlisten(ear)
        self.stop()

    def _woke(self, _event: DomEvent) -> None:
        """Store the match when the page is hidden; reconnect and sync when it is shown again.

        After sleep or a lost network no connection is trusted.
        """
        if hidden():
            self.page.last_known.keep()
            local_gateway.picture(self.page.id)
            return
        self.look_again()
        self.sync()

    def _heard(self, version: int) -> None:
        self.heard = version
        if version > self.match.version and not self.page.sending.busy:
            self.sync()
        elif version == self.match.version and self.match.data["status"] == "finished":
            self.sync()  # a change outside the log: a rematch

    def sync(self) -> None:
        """Request the match and the events since the own version; one request at a time.

        A call during a request repeats it afterwards.
        """
        if self.syncing:
            self.again = True
            return
        self.syncing = True
        client.get(self.page.address("", **self.parts()), self._synced, self._sync_failed)

    def parts(self) -> dict[str, str]:
        """Return the query for the changing part of the view, once the constant part is known."""
        return {"view": "changing"} if self.match.data["view"] else {}

    def note(self, data: Data) -> None:
        """Store the service's answer about the match, merging the changing part of the view."""
        known = self.match.data["view"]
        if known and data["view"]:
            data["view"] = {**known, **data["view"]}
        self.match.data = data
        self.page.last_known.as_of(None)

    def _sync_failed(self, problem: Problem) -> None:
        self.syncing = False
        sending = self.page.sending
        sending.settling = sending.settling and problem.status in RETRYABLE_STATUSES
        if problem.status in RETRYABLE_STATUSES and not self.page.closed:
            after(PAUSE, self.sync)

    def _synced(self, data: Data) -> None:
        if self.page.closed:
            return
        if not self.page.sending.busy:
            self.note(data)
        self.fetch()

    def fetch(self) -> None:
        """Request the events after the own version."""
        self.syncing = True
        address = self.page.address("/events", after=self.match.version)
        client.get(address, self._fetched, self._sync_failed)

    def _fetched(self, answer: Data) -> None:
        if self.page.closed:
            return
        sending = self.page.sending
        if self.match.version == 0:
            self.begin(answer["events"])
            return
        if not sending.busy:
            sending.settling = sending.settling and self.again
            self.take(answer["events"])
        self._caught_up()

    def begin(self, events: list[Event]) -> None:
        """Fold all events of the match and show it, in slices because there may be many."""
        self.syncing = True
        in_slices(self._beginning(events), lambda: not self.page.closed)

    def _beginning(self, events: list[Event]) -> Iterator[None]:
        yield from self.match.taking(events)
        self.page.sending.restore()
        yield
        self._take_hand(lambda: self.ask_choices(lambda: soon(self.page.show)))
        yield
        self._caught_up()

    def _take_hand(self, then: Does) -> None:
        """Load the view of the acting seat before anything is shown, on a shared device.

        Only where its choices are no secret, so that the device follows the turn without a
        hand-over page (``open_handed``). Loading the view later would shift the page.
        """
        match = self.match
        seat = due(match) if match.secret else None
        if seat is None or not self.page.game.open_handed(match.data["view"]):
            then()
            return

        def told(data: Data) -> None:
            if not (self.page.closed or self.page.sending.busy):
                self.note(data)
            then()

        match.in_hand = seat
        client.get(self.page.address("", **self.parts()), told, lambda _problem: then())

    def _caught_up(self) -> None:
        self.syncing = False
        if not self.page.sending.busy:
            # A move between the two answers makes the first one outdated.
            self.again = self.again or self.match.version > self.match.data["version"]
        if self.again:
            self.again = False
            self.sync()

    def take(self, events: list[Event]) -> None:
        """Add new events, announce them and show the match."""
        before = self.match.version
        self.match.take(events)
        if self.page.is_up:
            self.page.hear_talk(self.match.events[before:])
        told = [e["text"] for e in self.match.events[before:] if e["text"]]
        self.ask_choices(lambda: self.page.show(told[-3:]))

    def ask_choices(self, then: Does) -> None:
        """Request the legal commands if the rules are not here; then call ``then()``."""
        page, match = self.page, self.match
        page.server_choices = ()
        page.server_groups = ()
        seat = match.my_seat()
        if match.rules or seat is None or match.data["status"] != "playing":
            then()
            return

        def done(answer: Data) -> None:
            if answer["version"] == match.data["version"]:
                page.server_choices = answer["choices"]
                page.server_groups = answer["groups"]
            elif not page.sending.busy:
                self.sync()  # a move came between: these choices do not belong to the view
            then()

        query: dict[str, Any] = {"seat": seat, "grouped": 1, "limit": page.game.LISTED}
        client.get(page.address("/choices", **query), done, lambda _problem: then())
