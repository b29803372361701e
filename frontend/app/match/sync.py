"""Synchronisation of a match page with the service: match data, events and legal commands."""

from collections.abc import Iterator

from _native import add_listener, call_soon, is_page_hidden

from frontend.app.api import client, local_gateway
from frontend.app.api.outbox import WAKE_EVENTS
from frontend.app.components.seat_handover import next_seat
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen
from frontend.app.core import match_ids
from frontend.app.core.dom import after, run_in_slices
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Action, Callback, Data, DomEvent, Event
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.offline_copy import OfflineCopy

# Milliseconds until the first thumbnail of a local match, so as not to delay building the page.
FIRST_THUMBNAIL_DELAY_MS = 2_000
# Milliseconds between two checks for missed events, or thumbnails of a local match.
CHECK_INTERVAL_MS = 30_000
RETRY_DELAY_MS = 3000  # milliseconds until a failed request is retried


class MatchSync:
    """The synchronisation of one match page.

    ``announced_version``: the latest version announced by the live stream, even if its events are
    not yet loaded. ``on_watchers(data)`` is called when the viewers of the match change.
    """

    def __init__(
        self,
        context: MatchContext,
        screen_class: type[Screen],
        move_queue: MoveQueue,
        offline_copy: OfflineCopy,
        on_watchers: Callback,
    ) -> None:
        self.context = context
        self.screen_class = screen_class
        self.move_queue = move_queue
        self.offline_copy = offline_copy
        self.match = context.match
        self.announced_version = 0
        self.syncing = False
        self.sync_again = False
        for target, name in WAKE_EVENTS:
            context.listeners.append(add_listener(target, name, self._on_wake))
        address = context.address("/live")
        version = self.match.data["version"]
        self.stop_stream, self.reconnect_stream = client.follow_match(
            address, version, self._on_version, on_watchers, self._on_seat_moved
        )
        context.on_close(lambda: self.stop_stream())
        if match_ids.is_local_path(address):
            after(FIRST_THUMBNAIL_DELAY_MS, self._save_thumbnail)
        else:
            after(CHECK_INTERVAL_MS, self._check_missed)

    def _check_missed(self) -> None:
        """Check for missed events every `CHECK_INTERVAL_MS`: a silent stream may be dead.

        Skips the check while the page is hidden or a request is in progress.
        """
        if self.context.is_closed:
            return
        after(CHECK_INTERVAL_MS, self._check_missed)
        if not (is_page_hidden() or self.syncing or self.move_queue.is_sending):
            client.get(self.context.address("/events", after=self.match.version), self._on_check)

    def _on_seat_moved(self) -> None:
        """Reload the page when its seat was moved to another device; the new page says so."""
        if not self.context.is_closed:
            self.context.navigate(None)

    def _save_thumbnail(self) -> None:
        """Store a thumbnail of a local match regularly, in case the page is killed."""
        if not self.context.is_closed:
            after(CHECK_INTERVAL_MS, self._save_thumbnail)
            local_gateway.store_thumbnail(self.context.id)

    def _on_check(self, answer: Data) -> None:
        if not self.context.is_closed and answer["version"] > self.match.version:
            self.reconnect_stream()
            self.sync()

    def _on_wake(self, _event: DomEvent) -> None:
        """Store the match when the page is hidden; reconnect and sync when it is shown again.

        Reconnects even if the stream looks open: it may be dead after sleep or a network change.
        """
        if is_page_hidden():
            self.offline_copy.store()
            local_gateway.store_thumbnail(self.context.id)
            return
        self.reconnect_stream()
        self.sync()

    def _on_version(self, version: int) -> None:
        self.announced_version = version
        if version > self.match.version and not self.move_queue.is_sending:
            self.sync()
        elif version == self.match.version and self.match.data["status"] == "finished":
            self.sync()  # a change without an event, such as a rematch offer

    def sync(self) -> None:
        """Request the match and the events after the page's version.

        A call while a sync is in progress schedules another one after it.
        """
        if self.syncing:
            self.sync_again = True
            return
        self.syncing = True
        self._get_match(self._on_match, self._on_sync_error)

    def _get_match(self, done: Callback, failed: Callback) -> None:
        """Request the match, with only the changing part of its view if a view is loaded."""
        query = {"view": "changing"} if self.match.data["view"] else {}
        client.get(self.context.address("", **query), done, failed)

    def store_answer(self, data: Data) -> None:
        """Store the match data of a response, merging its view into the known one."""
        known = self.match.data["view"]
        if known and data["view"]:
            data["view"] = {**known, **data["view"]}
        self.match.data = data
        self.offline_copy.mark_stale(None)

    def _on_sync_error(self, problem: Problem) -> None:
        self.syncing = False
        if problem.status not in RETRYABLE_STATUSES:
            self.move_queue.on_synced()
        elif not self.context.is_closed:
            after(RETRY_DELAY_MS, self.sync)

    def _on_match(self, data: Data) -> None:
        if self.context.is_closed:
            return
        if not self.move_queue.is_sending:
            self.store_answer(data)
        self.fetch()

    def fetch(self) -> None:
        """Request the events after the page's version."""
        self.syncing = True
        address = self.context.address("/events", after=self.match.version)
        client.get(address, self._on_events, self._on_sync_error)

    def _on_events(self, answer: Data) -> None:
        if self.context.is_closed:
            return
        if self.match.version == 0:
            self.begin(answer["events"])
            return
        if not self.move_queue.is_sending:
            # Older events than an answered request leave its result to the next sync.
            if answer["version"] >= self.match.data["version"]:
                self.move_queue.on_synced()
            self.add_events(answer["events"])
        self._finish_sync()

    def begin(self, events: list[Event]) -> None:
        """Apply all events of the match, then show it; in slices, because there may be many."""
        self.syncing = True
        run_in_slices(self._begin_steps(events), lambda: not self.context.is_closed)

    def _begin_steps(self, events: list[Event]) -> Iterator[None]:
        yield from self.match.add_events_stepwise(events)
        self.move_queue.restore()
        yield
        changed = self.context.match_changed
        self._load_acting_view(
            lambda: self.ask_choices(lambda: call_soon(lambda: changed.emit(())))
        )
        yield
        self._finish_sync()

    def _load_acting_view(self, then: Action) -> None:
        """On a shared device, load the view of the seat to act next, then call ``then()``.

        Only in games with secrets, and only if the device follows the turn without a hand-over
        page (`Screen.follows_turn`). Loading the view later would cause a layout shift.
        """
        match = self.match
        seat = next_seat(match) if match.has_secrets else None
        if seat is None or not self.screen_class.follows_turn(match.data["view"]):
            then()
            return

        def on_answer(data: Data) -> None:
            if not (self.context.is_closed or self.move_queue.is_sending):
                self.store_answer(data)
            then()

        match.active_seat = seat
        self._get_match(on_answer, lambda _problem: then())

    def _finish_sync(self) -> None:
        self.syncing = False
        if not self.move_queue.is_sending:
            # If a move was made between the two responses, the first one is outdated.
            self.sync_again = self.sync_again or self.match.version > self.match.data["version"]
        if self.sync_again:
            self.sync_again = False
            self.sync()

    def add_events(self, events: list[Event]) -> None:
        """Append new events, request the legal commands, then show the match.

        New chat messages are shown at once. Screen readers announce the texts of the latest three
        events.
        """
        before = self.match.version
        self.match.add_events(events)
        texts = [e["text"] for e in self.match.events[before:] if e["text"]]
        self.ask_choices(lambda: self.context.match_changed.emit(texts[-3:]))

    def ask_choices(self, then: Action) -> None:
        """Request the legal commands if the rules are not loaded, then call ``then()``.

        Nothing is requested if no seat of this device is to act.
        """
        match = self.match
        match.server_choices = ()
        match.server_groups = ()
        seat = match.seat_to_act()
        if match.rules or seat is None or match.data["status"] != "playing":
            then()
            return

        def done(answer: Data) -> None:
            if answer["version"] == match.data["version"]:
                match.server_choices = answer["choices"]
                match.server_groups = answer["groups"]
            elif not self.move_queue.is_sending:
                self.sync()  # a move was made meanwhile: the choices do not match the view
            then()

        limit = self.screen_class.MAX_LISTED_CHOICES
        address = self.context.address("/choices", seat=seat, grouped=1, limit=limit)
        client.get(address, done, lambda _problem: then())
