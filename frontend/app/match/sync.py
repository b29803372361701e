"""Synchronisation of one match with the service: the match, its events and legal commands."""

from collections.abc import Iterator
from typing import Any

from _native import add_listener, call_soon, is_page_hidden, remove_listener

from frontend.app.api import client, local_gateway
from frontend.app.components.seat_handover import next_seat
from frontend.app.contract.context import QueueHost
from frontend.app.core import match_ids
from frontend.app.core.dom import after, run_in_slices
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Action, Data, DomEvent, Event

WAKE_EVENTS = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
FIRST_THUMBNAIL_DELAY_MS = 2_000  # milliseconds until work that can wait until the page is built
CHECK_INTERVAL_MS = 30_000  # milliseconds between two checks for missed events
RETRY_DELAY_MS = 3000  # milliseconds until a request that failed is repeated


class MatchSync:
    """The synchronisation of one match page.

    ``announced_version``: the newest version announced, even if its events are not fetched yet.
    """

    def __init__(self, page: QueueHost) -> None:
        self.page = page
        self.match = page.match
        self.announced_version = 0
        self.syncing = False
        self.sync_again = False
        self.listeners = [add_listener(target, name, self._on_wake) for target, name in WAKE_EVENTS]
        address = page.address("/live")
        version = self.match.data["version"]
        self.stop_stream, self.reconnect_stream = client.follow_match(
            address, version, self._on_version, page.presence.on_watchers, self._on_seat_moved
        )
        if match_ids.is_local_path(address):
            after(FIRST_THUMBNAIL_DELAY_MS, self._save_thumbnail)
        else:
            after(CHECK_INTERVAL_MS, self._check_missed)

    def _check_missed(self) -> None:
        """Check for missed events every `CHECK_INTERVAL_MS` ms: a silent stream may be dead."""
        if self.page.closed:
            return
        after(CHECK_INTERVAL_MS, self._check_missed)
        if not (is_page_hidden() or self.syncing or self.page.move_queue.busy):
            address = self.page.address("/events", after=self.match.version)
            client.get(address, self._on_check, lambda _problem: None)

    def _on_seat_moved(self) -> None:
        """Reopen the page after the seat has moved to another device; the new page shows that."""
        if not self.page.closed:
            self.page.navigate(None)

    def _save_thumbnail(self) -> None:
        """Store a picture of a local match from time to time, in case the page is killed."""
        if not self.page.closed:
            after(CHECK_INTERVAL_MS, self._save_thumbnail)
            local_gateway.store_thumbnail(self.page.id)

    def _on_check(self, answer: Data) -> None:
        if not self.page.closed and answer["version"] > self.match.version:
            self.reconnect_stream()
            self.sync()

    def close(self) -> None:
        """Stop listening to the match."""
        for ear in self.listeners:
            remove_listener(ear)
        self.stop_stream()

    def _on_wake(self, _event: DomEvent) -> None:
        """Store the match when the page is hidden; reconnect and sync when it is shown again.

        After sleep or a lost network no connection is trusted.
        """
        if is_page_hidden():
            self.page.offline_copy.store()
            local_gateway.store_thumbnail(self.page.id)
            return
        self.reconnect_stream()
        self.sync()

    def _on_version(self, version: int) -> None:
        self.announced_version = version
        if version > self.match.version and not self.page.move_queue.busy:
            self.sync()
        elif version == self.match.version and self.match.data["status"] == "finished":
            self.sync()  # a change outside the log: a rematch

    def sync(self) -> None:
        """Request the match and the events since the own version; one request at a time.

        A call during a request repeats it afterwards.
        """
        if self.syncing:
            self.sync_again = True
            return
        self.syncing = True
        client.get(self.page.address("", **self.view_query()), self._on_match, self._on_sync_error)

    def view_query(self) -> dict[str, str]:
        """Return the query for the changing part of the view, once the constant part is known."""
        return {"view": "changing"} if self.match.data["view"] else {}

    def store_answer(self, data: Data) -> None:
        """Store the service's answer about the match, merging the changing part of the view."""
        known = self.match.data["view"]
        if known and data["view"]:
            data["view"] = {**known, **data["view"]}
        self.match.data = data
        self.page.offline_copy.mark_stale(None)

    def _on_sync_error(self, problem: Problem) -> None:
        self.syncing = False
        sending = self.page.move_queue
        sending.awaiting_sync = sending.awaiting_sync and problem.status in RETRYABLE_STATUSES
        if problem.status in RETRYABLE_STATUSES and not self.page.closed:
            after(RETRY_DELAY_MS, self.sync)

    def _on_match(self, data: Data) -> None:
        if self.page.closed:
            return
        if not self.page.move_queue.busy:
            self.store_answer(data)
        self.fetch()

    def fetch(self) -> None:
        """Request the events after the own version."""
        self.syncing = True
        address = self.page.address("/events", after=self.match.version)
        client.get(address, self._on_events, self._on_sync_error)

    def _on_events(self, answer: Data) -> None:
        if self.page.closed:
            return
        sending = self.page.move_queue
        if self.match.version == 0:
            self.begin(answer["events"])
            return
        if not sending.busy:
            sending.awaiting_sync = sending.awaiting_sync and self.sync_again
            self.add_events(answer["events"])
        self._finish_sync()

    def begin(self, events: list[Event]) -> None:
        """Fold all events of the match and show it, in slices because there may be many."""
        self.syncing = True
        run_in_slices(self._begin_steps(events), lambda: not self.page.closed)

    def _begin_steps(self, events: list[Event]) -> Iterator[None]:
        yield from self.match.add_events_stepwise(events)
        self.page.move_queue.restore()
        yield
        self._load_acting_view(lambda: self.ask_choices(lambda: call_soon(self.page.show)))
        yield
        self._finish_sync()

    def _load_acting_view(self, then: Action) -> None:
        """Load the view of the acting seat before anything is shown, on a shared device.

        Only where its choices are no secret, so that the device follows the turn without a
        hand-over page (`Screen.follows_turn`). Loading the view later would shift the page.
        """
        match = self.match
        seat = next_seat(match) if match.has_secrets else None
        if seat is None or not self.page.screen_class.follows_turn(match.data["view"]):
            then()
            return

        def on_answer(data: Data) -> None:
            if not (self.page.closed or self.page.move_queue.busy):
                self.store_answer(data)
            then()

        match.active_seat = seat
        client.get(self.page.address("", **self.view_query()), on_answer, lambda _problem: then())

    def _finish_sync(self) -> None:
        self.syncing = False
        if not self.page.move_queue.busy:
            # A move between the two answers makes the first one outdated.
            self.sync_again = self.sync_again or self.match.version > self.match.data["version"]
        if self.sync_again:
            self.sync_again = False
            self.sync()

    def add_events(self, events: list[Event]) -> None:
        """Add new events, announce them and show the match."""
        before = self.match.version
        self.match.add_events(events)
        if self.page.is_mounted:
            self.page.show_new_messages(self.match.events[before:])
        texts = [e["text"] for e in self.match.events[before:] if e["text"]]
        self.ask_choices(lambda: self.page.show(texts[-3:]))

    def ask_choices(self, then: Action) -> None:
        """Request the legal commands if the rules are not loaded; then call ``then()``."""
        page, match = self.page, self.match
        page.server_choices = ()
        page.server_groups = ()
        seat = match.seat_to_act()
        if match.rules or seat is None or match.data["status"] != "playing":
            then()
            return

        def done(answer: Data) -> None:
            if answer["version"] == match.data["version"]:
                page.server_choices = answer["choices"]
                page.server_groups = answer["groups"]
            elif not page.move_queue.busy:
                self.sync()  # a move intervened: these choices do not belong to the view
            then()

        query: dict[str, Any] = {
            "seat": seat,
            "grouped": 1,
            "limit": page.screen_class.MAX_LISTED_CHOICES,
        }
        client.get(page.address("/choices", **query), done, lambda _problem: then())
