"""The page of a match: loads the match, shows the waiting room or mounts the board, and closes."""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import call_soon

from frontend.app.api import client, game_catalogue, local_gateway
from frontend.app.components import page_frame
from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import Screen
from frontend.app.contract.model import Match
from frontend.app.core.device_feedback import DeviceFeedback
from frontend.app.core.dom import after, announce, by_id, run_in_slices, show, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Data, Event, Navigate
from frontend.app.games.loader import load_game, screen_of
from frontend.app.match.match_view import MatchView
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.offline_copy import OfflineCopy
from frontend.app.match.presence import Presence
from frontend.app.match.sync import MatchSync
from frontend.app.match.waiting_room import show_waiting_room


class MatchPage:
    """The page of one match, until it is closed."""

    context_class: type[MatchContext] = MatchContext
    feedback_class: type[DeviceFeedback] = DeviceFeedback

    # Set when the match is loaded.
    built_seats: list[Any]
    """The seats that this device held when the page was built."""
    screen_class: type[Screen]
    move_queue: MoveQueue
    match_sync: MatchSync

    def __init__(self, match_id: str, query: dict[str, str], navigate: Navigate) -> None:
        self.context = self.context_class(match_id, query, navigate)
        self.recovery_code = query.get("back", "")
        self.requested_version = int(query["v"]) if query.get("v", "").isdigit() else None
        self.device_feedback = self.feedback_class(match_id)
        self.offline_copy = OfflineCopy(self.context)
        self.presence = Presence(self.context)
        self.context.on_close(self.device_feedback.close)
        self.context.match_changed.subscribe(self._on_match_changed)
        self.context.queue_changed.subscribe(self._update_feedback)
        self._load()

    # -- loading -------------------------------------------------------------------------------

    def _load(self) -> None:
        placeholder = by_id("app").firstElementChild
        if placeholder is None or placeholder.getAttribute("data-match") != self.context.id:
            show(
                page_frame.loading_page()
            )  # otherwise the page already shows the board as rendered by the service
        game_catalogue.load(lambda _games: None)  # requested in parallel with the match
        self._ask()

    def _ask(self) -> None:
        if not self.context.is_closed:
            client.get(self.context.address(""), self._on_match, self._on_missing)

    def _on_match(self, data: Data) -> None:
        if not self.context.is_closed:
            game_catalogue.load(
                lambda _games: load_game(data["game"], lambda: self._on_game_loaded(data))
            )

    def _on_missing(self, problem: Problem) -> None:
        if self.context.is_closed:
            return
        if problem.status in RETRYABLE_STATUSES:
            self.offline_copy.load(self._on_stored_match, lambda: after(RETRY_DELAY_MS, self._ask))
            return
        title, text = t("error.nobody_here"), problem.detail
        if problem.data.get("seat_moved"):
            title = t("seat.moved_title")
        elif problem.status == 404:
            text = t("error.no_such_table")
        show(page_frame.message_page(title, text))

    def _on_stored_match(self, data: Data, events: list[Event]) -> None:
        """Show the copy of the match stored on this device, as the service is unreachable."""
        if not self.context.is_closed:
            load_game(data["game"], lambda: self._on_game_loaded(data, events))

    def _on_game_loaded(self, data: Data, events: Sequence[Event] = ()) -> None:
        if not self.context.is_closed:
            self.screen_class = screen_of(data["game"])
            call_soon(lambda: self._start(data, events))

    def _start(self, data: Data, events: Sequence[Event]) -> None:
        context = self.context
        if context.is_closed:
            return
        count = len(data["seats"]) if self.screen_class.TURNS_ARE_PER_SEAT else 1
        secret = "secret" in game_catalogue.get(data["game"])["traits"]
        context.match = Match(data, self.screen_class.RULES, count, secret)
        context.phase = Phase.STARTING
        self.built_seats = context.match.own_seats()
        self.move_queue = MoveQueue(context)
        self.match_sync = MatchSync(
            context,
            self.screen_class,
            self.move_queue,
            self.offline_copy,
            self.presence.on_watchers,
        )
        self.move_queue.match_sync = self.match_sync
        client.outbox.when_ready(lambda: self._begin(events))

    def _begin(self, events: Sequence[Event]) -> None:
        """Show the match with the stored events and then sync, or request the events."""
        if self.context.is_closed:
            return
        if events:
            self.match_sync.begin(list(events))
            self.match_sync.sync()
        else:
            self.match_sync.fetch()

    # -- changes of the match ------------------------------------------------------------------

    def _on_match_changed(self, texts: Sequence[str]) -> None:
        """Show the waiting room or mount the board, unless the board is shown already.

        Reloads the page if the seats of this device have changed.
        """
        context = self.context
        if context.phase == Phase.MOUNTING:
            return
        if context.match.own_seats() != self.built_seats:
            if texts:
                announce(join_sentences(list(texts)))
            self._announce_moved_seat()
            context.navigate(None)  # reload the page: it was built for other seats
            return
        self._update_feedback(texts)
        if context.match.data["status"] == "open":
            context.phase = Phase.WAITING_ROOM
            show_waiting_room(context, self.presence)
        elif context.phase != Phase.MOUNTED:
            context.phase = Phase.MOUNTING
            context.match_changed.is_held = context.queue_changed.is_held = True
            call_soon(self._mount)

    def _update_feedback(self, texts: Sequence[str] = ()) -> None:
        self.device_feedback.update(self.context.match.seat_to_act() is not None, bool(texts))

    def _announce_moved_seat(self) -> None:
        """Show a toast if a seat of this device was moved to another device.

        The service does not report this to a device that may still watch the match.
        """
        match = self.context.match
        lost_seats = [seat for seat in self.built_seats if seat not in match.own_seats()]
        recovered = [e["seat"] for e in match.events if e["type"] == "SeatRecovered"]
        if recovered and recovered[-1] in lost_seats:
            toast(t("seat.moved"))

    # -- mounting ------------------------------------------------------------------------------

    def _mount(self) -> None:
        if not self.context.is_closed:
            view = MatchView(self.context, self.screen_class, self.move_queue, self.match_sync)
            run_in_slices(self._mount_steps(view), lambda: not self.context.is_closed)

    def _mount_steps(self, view: MatchView) -> Iterator[None]:
        """Build the page hidden behind the placeholder and reveal it when complete.

        This avoids layout shift. Yields between steps, because building takes a while.
        """
        yield
        yield from view.build_steps(self.presence, self.offline_copy)
        self.extend(view)
        yield
        view.layout.attach_hidden()
        yield
        now = view.moment_view.view_model()
        yield
        yield from view.screen.prepare(now)
        if self.requested_version is not None:
            view.replay.show_version(self.requested_version)
        yield from self.context.match_changed.emit_steps(())
        view.layout.reveal()
        self.context.phase = Phase.MOUNTED
        if self.recovery_code:
            view.match_menu.show_recovery_form(True, self.recovery_code)
        # The match may have changed while the page was being built.
        self.context.match_changed.release()
        self.context.queue_changed.release()

    def extend(self, view: MatchView) -> None:
        """Add the parts of a special page to the view, before it is shown."""

    def close(self) -> None:
        """Close the page and remove its listeners."""
        if self.context.phase == Phase.MOUNTED:
            local_gateway.store_thumbnail(self.context.id)
        self.context.close()
