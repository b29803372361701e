"""Protocols of the match page and its parts, as widgets use them.

Widgets import these instead of the page, which imports all widgets. Each Protocol has no more
members than its users need.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from _native import remove_listener

from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.contract.model import Match
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, Callback, Choice, Command, Data, Event, Navigate, Node


class Presence(Protocol):
    """The seats whose players are watching; see `frontend.app.match.presence`."""

    def dot(self, seat: int) -> Node:
        """Return a node that shows whether the player of a seat is watching."""

    def on_watchers(self, watchers: Data | None) -> None:
        """Update who is watching; ``watchers`` is None if that is unknown."""


class Phase:
    """The phases of a match page."""

    LOADING = 0
    """The match is requested."""
    STARTING = 1
    """The match is known; its events are being loaded."""
    WAITING_ROOM = 2
    """The match has open seats."""
    MOUNTING = 3
    """The board and its panels are being built."""
    MOUNTED = 4
    CLOSED = 5


class MatchContext:
    """What the parts of one match page share: the match, its addresses and the page's signals.

    ``match`` is set when the phase becomes `Phase.STARTING`. ``at`` is the version shown, None for
    the current moment. ``server_choices`` and ``server_groups`` are the legal commands of this
    device if the rules are not loaded. ``listeners``: event listeners, removed on closing.

    Signals, emitted after the change:

    - ``match_changed(texts)``: the data or events of the match; ``texts``: those of new events
    - ``queue_changed()``: the unconfirmed moves
    - ``moment_changed(view_model)``: the moment shown, or what it looks like
    """

    match: Match

    def __init__(self, match_id: str, query: dict[str, str], navigate: Navigate) -> None:
        self.id = match_id
        self.path = "/api/matches/" + match_id
        self.invite_code = query.get("invite")
        self.share_code = query.get("share")
        self.navigate = navigate
        self.phase = Phase.LOADING
        self.at: int | None = None
        self.server_choices: Sequence[Choice] = ()
        self.server_groups: Sequence[Data] = ()
        self.listeners: list[int] = []
        self.match_changed = Signal()
        self.queue_changed = Signal()
        self.moment_changed = Signal()
        self._close_actions: list[Action] = []

    @property
    def is_closed(self) -> bool:
        """Whether the page is closed."""
        return self.phase == Phase.CLOSED

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API endpoint of the match.

        ``rest`` is appended to the path of the match. The access code and the active seat are added
        to the query.
        """
        if code := self.invite_code or self.share_code:
            query["invite"] = code
        is_known = self.phase not in (Phase.LOADING, Phase.CLOSED)
        if is_known and self.match.active_seat is not None and rest != "/live":
            query = {"seat": self.match.active_seat, **query}
        query_string = "&".join([f"{name}={value}" for name, value in query.items()])
        return self.path + rest + ("?" + query_string if query_string else "")

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page at a version; None: of the current position."""
        query = [] if version is None else [f"v={version}"]
        if self.share_code:
            query.append("share=" + self.share_code)
        return f"/m/{self.id}" + ("?" + "&".join(query) if query else "")

    def review_address(self) -> str:
        """Return the address of the match's review."""
        return f"/m/{self.id}/review" + (f"?share={self.share_code}" if self.share_code else "")

    def on_close(self, action: Action) -> None:
        """Call ``action()`` when the page is closed."""
        self._close_actions.append(action)

    def close(self) -> None:
        """Close the signals, remove the listeners and call the functions given to `on_close`."""
        self.phase = Phase.CLOSED
        for signal in (self.match_changed, self.queue_changed, self.moment_changed):
            signal.close()
        for listener in self.listeners:
            remove_listener(listener)
        for action in self._close_actions:
            action()


class PageHost(Protocol):
    """The page as seen by widgets that need the match, but not its presentation."""

    @property
    def context(self) -> MatchContext:
        """What the parts of the page share."""

    @property
    def id(self) -> str:
        """The id of the match."""

    @property
    def path(self) -> str:
        """The API path of the match."""

    @property
    def invite_code(self) -> str | None:
        """The invite code with which the page was opened."""

    @property
    def share_code(self) -> str | None:
        """The share code with which the page was opened."""

    @property
    def match(self) -> Match:
        """The match."""

    @property
    def navigate(self) -> Navigate:
        """Opens another page."""

    @property
    def listeners(self) -> list[int]:
        """The event listeners, which are removed when the page is closed."""

    @property
    def closed(self) -> bool:
        """Whether the page is closed."""

    @property
    def is_mounted(self) -> bool:
        """Whether the page is complete."""

    @property
    def presence(self) -> Presence:
        """The indicators of who is watching the match."""

    def address(self, rest: str, **query: Any) -> str:
        """Return the URL of an API call for the match."""

    def address_at(self, version: int | None = None) -> str:
        """Return the URL of this page at a version; without one, of the current moment."""

    def names(self) -> tuple[str, ...]:
        """Return the display names of the seats."""

    def sync(self) -> None:
        """Request the events after the local version from the service."""


class Replay(Protocol):
    """The replay controls."""

    def first_version(self) -> int:
        """Return the earliest version that can be shown."""

    def show_version(self, version: int, hidden_pieces: int = 0) -> None:
        """Show a version, without the last ``hidden_pieces`` pieces of its event."""

    def show_present(self) -> None:
        """Return to the current version."""


class MovePlayback(Protocol):
    """The animation of moves."""

    def moves(self, since: int) -> list[list[Event]]:
        """Return the moves after a version, own ones included, each as a list of its events."""

    def play_through(self, moves: list[list[Event]]) -> None:
        """Animate moves one after another."""

    def record_own_moves(self, events: list[Event]) -> None:
        """Record the events of moves made on this device, so that they are not animated."""

    def stop(self) -> None:
        """Stop the animation."""


class SendQueue(Protocol):
    """The unconfirmed moves, and undo requests; see `frontend.app.match.move_queue`."""

    queue: list[Any]

    def take_back(self, to_version: Any = None) -> None:
        """Undo this device's latest step, or everything after a version."""

    def undo_to(self, seat: int, to_version: Any, then: Callback | None = None) -> None:
        """Undo to a version, or propose that to the other players; then call ``then(match)``."""

    def answer_proposal(self, seat: int, accept: bool) -> None:
        """Accept or decline an undo proposal."""


class EarlierMoments(Protocol):
    """The service's responses about earlier moments."""

    def undo_at(self, at: int) -> Data | None:
        """Return the service's data about undoing to a version, or None if it is not loaded."""

    def request(self, at: int, then: Callable[[int], object] | None) -> None:
        """Request the data of a version from the service, then call ``then(at)``."""


class MoveLog(Protocol):
    """The log of the match."""

    def mark_new(self, since: int) -> None:
        """Mark the lines of the events after a version as new."""


class ReplayHost(PageHost, Protocol):
    """The page as seen by widgets that show a moment of the match or navigate between moments."""

    turn_labels: dict[str, str]
    shown: ViewModel

    @property
    def screen(self) -> Screen:
        """The game's screen."""

    @property
    def replay(self) -> Replay:
        """The replay controls."""

    @property
    def playback(self) -> MovePlayback:
        """The animation of moves."""

    @property
    def move_queue(self) -> SendQueue:
        """The unconfirmed moves."""

    @property
    def moment_cache(self) -> EarlierMoments:
        """The service's responses about earlier moments."""

    @property
    def log(self) -> MoveLog:
        """The log of the match."""

    def draw(self) -> None:
        """Draw the moment selected in the replay controls."""

    def draw_actions(self) -> None:
        """Update the buttons for the moment shown."""

    def prefetch_moments(self, version: int) -> None:
        """Preload the moments next to a version, if they come from the service."""

    def is_sheet_open(self) -> bool:
        """Return whether any sheet is open."""

    def show_moment(self, version: int) -> None:
        """Close all sheets, stop the replay and show a version."""

    def take_back(self, to_version: Any = None) -> None:
        """Undo this device's latest step, or everything after a version."""


class LayoutHost(ReplayHost, Protocol):
    """The page as seen by its layout and the result."""

    @property
    def screen_class(self) -> type[Screen]:
        """The class of the game's screen."""

    def fork(self, version: int) -> None:
        """Offer to fork the match at a version."""

    def view_model(self) -> ViewModel:
        """Return the view model of the moment to show."""

    @property
    def root(self) -> Node:
        """The root node of the page."""

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play commands, asking for confirmation first if undoing them would need consent."""

    def review_address(self) -> str:
        """Return the URL of the match's review."""

    def short_name(self, seat: int) -> str:
        """Return a seat's short name for tables; "You" if this device holds only that seat."""
