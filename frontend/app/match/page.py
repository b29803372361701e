"""The page of a match: the waiting room, the board and the result."""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import add_listener, call_soon

from frontend.app.api import client, game_catalogue, local_gateway
from frontend.app.components import install_hint, page_frame
from frontend.app.components.share import share_link
from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.contract.model import Match
from frontend.app.core.device_feedback import DeviceFeedback
from frontend.app.core.dom import after, announce, by_id, fill, patch, run_in_slices, show, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Command, Data, Event, Navigate, Node
from frontend.app.games.loader import load_game, screen_of
from frontend.app.match import waiting_room
from frontend.app.match.confirm_move import ConfirmMove
from frontend.app.match.fork import ForkSheet, lineage
from frontend.app.match.layout import Layout
from frontend.app.match.log import Log
from frontend.app.match.moment_cache import MomentCache
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.offline_copy import OfflineCopy
from frontend.app.match.playback import Playback
from frontend.app.match.presence import Presence
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.screen_host import MatchScreenHost
from frontend.app.match.sync import MatchSync
from frontend.app.match.turn_labels import TURN_LABELS
from frontend.app.match.undo import UndoPanel


class MatchPage:
    """The page of one match, until it is closed."""

    # Set when the match is loaded.
    built_seats: list[Any]
    """The seats that this device held when the page was built."""
    screen_class: type[Screen]
    move_queue: MoveQueue
    match_sync: MatchSync
    turn_labels: dict[str, str]
    # Set when the screen is built.
    host: MatchScreenHost
    screen: Screen
    replay: ReplayControls
    log: Log
    playback: Playback
    fork_sheet: ForkSheet
    undo_panel: UndoPanel
    confirm_move: ConfirmMove
    layout: Layout
    shown: ViewModel

    def __init__(self, match_id: str, query: dict[str, str], navigate: Navigate) -> None:
        self.context = self.create_context(match_id, query, navigate)
        self.recovery_code = query.get("back", "")
        self.requested_version = int(query["v"]) if query.get("v", "").isdigit() else None
        self.is_result_shown = False
        self.device_feedback = DeviceFeedback(match_id)
        self.moment_cache = MomentCache(self.context)
        self.offline_copy = OfflineCopy(self.context)
        self.context.on_close(self.device_feedback.close)
        self.presence = Presence(self.context)
        self.context.match_changed.subscribe(self.show)
        self.context.queue_changed.subscribe(self.show)
        self.forks: tuple[Any, ...] = ()
        self._load()

    def create_context(
        self, match_id: str, query: dict[str, str], navigate: Navigate
    ) -> MatchContext:
        """Return a new context for the parts of the page."""
        return MatchContext(match_id, query, navigate)

    # -- what widgets still read from the page -------------------------------------------------

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.context.id

    @property
    def path(self) -> str:
        """The API path of the match."""
        return self.context.path

    @property
    def invite_code(self) -> str | None:
        """The invite code with which the page was opened."""
        return self.context.invite_code

    @property
    def share_code(self) -> str | None:
        """The share code with which the page was opened."""
        return self.context.share_code

    @property
    def match(self) -> Match:
        """The match."""
        return self.context.match

    @property
    def navigate(self) -> Navigate:
        """Opens another page."""
        return self.context.navigate

    @property
    def listeners(self) -> list[int]:
        """The event listeners, which are removed when the page is closed."""
        return self.context.listeners

    @property
    def closed(self) -> bool:
        """Whether the page is closed."""
        return self.context.is_closed

    @property
    def is_mounted(self) -> bool:
        """Whether the page is complete."""
        return self.context.phase == Phase.MOUNTED

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API endpoint of the match."""
        return self.context.address(rest, **query)

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page at a version; None: of the current position."""
        return self.context.address_at(version)

    def review_address(self) -> str:
        """Return the address of the match's review."""
        return self.context.review_address()

    # -- opening and closing -------------------------------------------------------------------

    def _load(self) -> None:
        placeholder = by_id("app").firstElementChild
        if placeholder is None or placeholder.getAttribute("data-match") != self.id:
            show(
                page_frame.loading_page()
            )  # otherwise the page already shows the board as rendered by the service
        game_catalogue.load(lambda _games: None)  # requested in parallel with the match
        self._ask()

    def _ask(self) -> None:
        if not self.closed:
            client.get(self.address(""), self._on_match, self._on_missing)

    def _on_match(self, data: Data) -> None:
        if not self.closed:
            game_catalogue.load(
                lambda _games: load_game(data["game"], lambda: self._on_game_loaded(data))
            )

    def _on_missing(self, problem: Problem) -> None:
        if self.closed:
            return
        if problem.status in RETRYABLE_STATUSES:
            self.offline_copy.load(self._on_stored_match, lambda: after(RETRY_DELAY_MS, self._ask))
            return
        title, text = t("Nobody here"), problem.detail
        if problem.data.get("seat_moved"):
            title = t("Seat moved")
        elif problem.status == 404:
            text = t("There is no such table, or it is not open to you.")
        show(page_frame.message_page(title, text))

    def _on_stored_match(self, data: Data, events: list[Event]) -> None:
        """Show the copy of the match stored on this device, as the service is unreachable."""
        if not self.closed:
            load_game(data["game"], lambda: self._on_game_loaded(data, events))

    def _on_game_loaded(self, data: Data, events: Sequence[Event] = ()) -> None:
        if not self.closed:
            self.screen_class = screen_of(data["game"])
            call_soon(lambda: self._start(data, events))

    def _start(self, data: Data, events: Sequence[Event]) -> None:
        if self.closed:
            return
        count = self.screen_class.turns_in_round(len(data["seats"]))
        secret = "secret" in game_catalogue.get(data["game"])["traits"]
        self.context.match = Match(data, self.screen_class.RULES, count, secret)
        self.context.phase = Phase.STARTING
        self.turn_labels = TURN_LABELS[self.screen_class.TURN_KIND]
        self.built_seats = self.match.own_seats()
        self.move_queue = MoveQueue(self.context)
        self.match_sync = MatchSync(
            self.context,
            self.screen_class,
            self.move_queue,
            self.offline_copy,
            self.presence.on_watchers,
        )
        self.move_queue.match_sync = self.match_sync
        client.outbox.when_ready(lambda: self._begin(events))

    def _begin(self, events: Sequence[Event]) -> None:
        """Show the match with the stored events and then sync, or request the events."""
        if self.closed:
            return
        if events:
            self.match_sync.begin(list(events))
            self.match_sync.sync()
        else:
            self.match_sync.fetch()

    def close(self) -> None:
        """Close the page and remove its listeners."""
        if self.is_mounted:
            local_gateway.store_thumbnail(self.id)
        self.context.close()

    # -- showing -------------------------------------------------------------------------------

    def show(self, texts: Sequence[Any] = ()) -> None:
        """Update the page after a change: the waiting room, or the board and its panels.

        ``texts``: the texts of new events, which are announced to screen readers. Reloads the page
        if the seats of this device have changed.
        """
        if self.closed:
            return
        if self.match.own_seats() != self.built_seats:
            self._announce(texts)
            self._announce_moved_seat()
            self.navigate(None)  # reload the page: it was built for other seats
            return
        self.device_feedback.update(self.match.seat_to_act() is not None, bool(texts))
        if self.match.data["status"] == "open":
            self.context.phase = Phase.WAITING_ROOM
            waiting_room.show_waiting_room(self.context, self.presence)
        elif self.is_mounted:
            for _ in self._render_steps(texts):
                pass
        else:
            self.context.phase = Phase.MOUNTING
            self.context.match_changed.hold()
            self.context.queue_changed.hold()
            call_soon(self._mount)

    def _announce_moved_seat(self) -> None:
        """Show a toast if a seat of this device was moved to another device.

        The service does not report this to a device that may still watch the match.
        """
        lost_seats = [seat for seat in self.built_seats if seat not in self.match.own_seats()]
        recovered = [e["seat"] for e in self.match.events if e["type"] == "SeatRecovered"]
        if recovered and recovered[-1] in lost_seats:
            toast(t("Your seat at this table has moved to another device."))

    def _mount(self) -> None:
        if not self.closed:
            self._set_up()
            run_in_slices(self._mount_steps(), lambda: not self.closed)

    def _mount_steps(self) -> Iterator[None]:
        """Build the page hidden behind the placeholder and reveal it when complete.

        This avoids layout shift. Yields between steps, because building takes a while.
        """
        yield
        self.undo_panel = UndoPanel(self)
        yield
        yield from self._build_layout()
        yield
        self.layout.attach_hidden()
        self.listeners.append(add_listener("document", "keydown", self.replay.on_key))
        yield
        now = self.view_model()
        yield
        yield from self.screen.prepare(now)
        if self.requested_version is not None:
            self.replay.show_version(self.requested_version)
        yield from self._render_steps(())
        self.layout.reveal()
        self.context.phase = Phase.MOUNTED
        if self.recovery_code:
            self.layout.match_menu.show_recovery_form(True, self.recovery_code)
            self.layout.match_menu.node.scrollIntoView()
        # The match may have changed while the page was being built.
        self.context.match_changed.release()
        self.context.queue_changed.release()

    def _render_steps(self, texts: Sequence[Any]) -> Iterator[None]:
        status = self.match.data["status"]
        self.replay.update()
        if self.context.at is None:
            text = self.playback.update()
            self._announce([text] if text else texts)
            yield
            yield from self._draw_steps()
        else:
            self._announce(texts)
            self.undo_panel.update_banners()
            self.draw_actions()
        yield
        self._show_lineage()
        self.layout.place_log()
        if self.match.is_log_redacted and status == "finished":
            self.match.is_log_redacted = False
            client.get(self.address("/events", after=0), self._on_public_events)
        if status == "finished" and not self.is_result_shown and self.context.at is None:
            self.is_result_shown = True
            install_hint.mark_hint_due()
            self.layout.show_result()

    def _on_public_events(self, answer: Data) -> None:
        if not self.closed and len(answer["events"]) == self.match.version:
            self.match.replace_events(answer["events"])
            self.offline_copy.store_all()
            self.log.rebuild()
            self.draw()

    def _show_lineage(self) -> None:
        """Show the origin of the match and the matches forked from it."""
        self.forks = self.match.data.get("forks", self.forks)
        data = {**self.match.data, "forks": self.forks}
        fill(self.layout.lineage, lineage(data, self.match.move_name))

    def _set_up(self) -> None:
        self.host = MatchScreenHost(
            self.context,
            self.screen_class,
            self.move_queue,
            lambda to_version: self.undo_panel.undo_own(to_version),
            self.sync,
        )
        self.screen = self.host.screen
        self.confirm_move = self.host.confirm_move
        self.replay = ReplayControls(self)
        self.log = Log(self.match, self.show_moment, self.replay.step)
        self.playback = Playback(self, self.screen)
        self.move_queue.moves_confirmed.subscribe(self.playback.record_own_moves)
        self.listeners.extend(self.playback.listeners)
        self.context.on_close(self.playback.stop)
        self.context.on_close(self.replay.stop)
        self.fork_sheet = ForkSheet(self.path, self.navigate)

    def _build_layout(self) -> Iterator[None]:
        self.layout = Layout(self)
        yield
        self.layout.build()

    @property
    def root(self) -> Node:
        """The root node of the page."""
        return self.host.root

    def is_sheet_open(self) -> bool:
        """Return whether a sheet is open over the page."""
        return self.layout.is_sheet_open()

    def view_model(self) -> ViewModel:
        """Return the view model of the moment selected in the replay controls."""
        match = self.match
        at = self.context.at
        if match.rules:
            live = at is None
            state = match.state if at is None else match.state_at(at)
            seat = match.seat_to_act() if live else None
            choices = match.rules.choices(state, seat) if seat is not None else ()
            view = match.rules.view(state, seat)
            hide = 0 if live else self.replay.hidden_pieces
            return ViewModel(view, state, choices, seat, live, at or match.version, hide)
        if at is None:
            view = match.data["view"]
            choices, groups = self.context.server_choices, self.context.server_groups
            return ViewModel(
                view, view, choices, match.seat_to_act(), True, match.version, 0, groups
            )
        return ViewModel(self.moment_cache.view_at(at) or {}, at, (), None, False, at)

    def _animated_view(self, view_model: ViewModel) -> ViewModel:
        """Return the view model that the screen draws.

        While an animation is playing, that is the view model of its current frame. Otherwise it is
        ``view_model`` itself with its last move marked.
        """
        frame = self.playback.frame if view_model.live else None
        if frame is None:
            if not (view_model.live and self.move_queue.queue):
                view_model.marks = self.playback.highlights(view_model.version, view_model.live)
            return view_model
        version, part, parts = frame
        if rules := self.match.rules:
            state = self.match.state_at(version)
            view = rules.view(state, None)
            view_model = ViewModel(view, state, (), None, False, version, parts - 1 - part)
        view_model.marks = self.playback.highlights(version, False)
        view_model.frame = (version, part)
        return view_model

    def draw(self) -> None:
        """Draw the moment selected in the replay controls, requesting it first if necessary."""
        for _ in self._draw_steps():
            pass

    def _draw_steps(self) -> Iterator[None]:
        match = self.match
        at = self.context.at
        if match.rules is None and at is not None and self.moment_cache.view_at(at) is None:
            self.moment_cache.request(at, self._on_moment)
            return
        now = self.shown = self.view_model()
        self.layout.update_turn_line(now)
        yield from self.context.moment_changed.emit_steps(now)
        self.layout.update_panels(now)
        yield
        self.layout.update_actions(now)
        self.layout.hints.draw(now)
        yield
        self.screen.draw(self._animated_view(now))
        yield
        mine = "game my-turn" if now.seat is not None else "game" if now.live else "game looking"
        patch(self.root, {"class": mine, "data-sending": str(len(self.move_queue.queue) or "")})
        self.layout.mark_log()
        if self.layout.move_sheet.is_open:
            self.layout.fill_moves(now)

    def _on_moment(self, at: int) -> None:
        if self.context.at == at:
            self.draw()

    def prefetch_moments(self, version: int) -> None:
        """Request the moments next to a version if the rules are not loaded."""
        if self.match.rules is None:
            self.moment_cache.prefetch(version)

    def show_moment(self, version: int) -> None:
        """Close all sheets, stop the replay and show a version."""
        self.layout.close_sheets()
        self.replay.stop()
        self.replay.show_version(version)

    def draw_actions(self) -> None:
        """Update the buttons for the moment shown."""
        self.layout.update_actions(self.view_model())

    def names(self) -> tuple[str, ...]:
        """Return the names of all seats, as used in sentences."""
        return self.match.names

    def short_name(self, seat: int) -> str:
        """Return "You" if this device holds only this seat, otherwise the seat's name."""
        return self.host.short_name(seat)

    def _announce(self, texts: Any) -> None:
        sentences = list(texts)
        if self.match.seat_to_act() is not None and self.context.at is None and texts:
            sentences.append(t("It is your turn."))
        if sentences:
            announce(join_sentences(sentences))

    def fork(self, version: int) -> None:
        link = share_link(self.match.data, version, self.share_code)
        start = self.match.fork_version(version)
        where = t("at {move}", move=self.match.move_name(start))
        last_text = self.match.last_text(start)
        self.fork_sheet.open(
            self.match.data, start, where, last_text, link, is_earlier=start < version
        )

    # -- actions -------------------------------------------------------------------------------

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play moves, asking for confirmation first if undoing them would need consent."""
        self.host.play(*commands, final=final)

    def take_back(self, to_version: Any = None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Asks first if that would also undo secret choices of other seats on this device. Unconfirmed
        moves are dropped without an undo request.
        """
        self.undo_panel.undo_own(to_version)

    def sync(self) -> None:
        """Request the current match and its new events from the service."""
        self.match_sync.sync()
