"""Protocols of the match page and its parts, as widgets use them.

Widgets import these instead of the page, which imports all widgets. Each Protocol has no more
members than its users need.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.contract.model import Match
from frontend.app.core.types import Action, Callback, Choice, Command, Data, Event, Navigate, Node


class Presence(Protocol):
    """Who is looking at the match; see `frontend.app.match.presence`."""

    def dot(self, seat: int) -> Node:
        """Return a node that shows whether the player of a seat is looking."""

    def on_watchers(self, looking: Data | None) -> None:
        """Set who is looking now; None: unknown."""


class MatchContext(Protocol):
    """The page as used by widgets that need the match, but nothing of how it is shown."""

    id: str
    path: str
    invite_code: str | None
    share_code: str | None
    match: Match
    navigate: Navigate
    listeners: list[Any]
    closed: bool
    is_mounted: bool

    @property
    def presence(self) -> Presence:
        """Who is looking at the match."""

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API call of the match."""

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page, at a version or now."""

    def names(self) -> tuple[str, ...]:
        """Return the names of the seats in texts."""

    def sync(self) -> None:
        """Request the events since the own version from the service."""


class Replay(Protocol):
    """The replay controls; ``at``: the version shown, None for the present."""

    at: Any

    def first_version(self) -> int:
        """Return the earliest version to show."""

    def show_version(self, version: int, hide: int = 0) -> None:
        """Show a version."""

    def show_present(self) -> None:
        """Show the present."""


class MovePlayback(Protocol):
    """The animation of moves."""

    def moves(self, since: int) -> list[list[Event]]:
        """Return the moves since a version, each as its events."""

    def play_through(self, deeds: list[list[Event]]) -> None:
        """Show moves one after another."""

    def record_own_moves(self, events: list[Event]) -> None:
        """Record events of moves made on this device."""

    def stop(self) -> None:
        """Stop the animation."""


class SendQueue(Protocol):
    """The moves that are not confirmed, and undo requests; see `frontend.app.match.move_queue`."""

    queue: list[Any]
    busy: bool
    awaiting_sync: bool

    def commit(self, *commands: Command) -> None:
        """Show moves at once and send them in one request."""

    def restore(self) -> None:
        """Show moves of an earlier page that are still in the outbox."""

    def take_back(self, to_version: Any = None) -> None:
        """Undo one own step, or back to a version."""

    def undo_to(self, seat: int, to_version: Any, then: Callback | None = None) -> None:
        """Undo to a version, or propose it to the others."""

    def answer_proposal(self, seat: int, accept: bool) -> None:
        """Accept or decline an undo proposal."""


class EarlierMoments(Protocol):
    """Answers of the service about earlier moments."""

    def undo_at(self, at: int) -> Data | None:
        """Return what going back to a version would be now, or None if that is not known."""

    def request(self, at: int, then: Callable[[int], object] | None) -> None:
        """Request the answer for a version, then call ``then(at)``."""


class MoveLog(Protocol):
    """The log of the match."""

    def mark_new(self, since: int) -> None:
        """Mark the lines after a version as new."""


class ReplayHost(MatchContext, Protocol):
    """The page as used by widgets that show a moment of the match, or move between moments."""

    turn_labels: dict[str, str]
    shown: ViewModel

    @property
    def screen(self) -> Screen:
        """The screen of the game."""

    @property
    def replay(self) -> Replay:
        """The replay controls."""

    @property
    def playback(self) -> MovePlayback:
        """The animation of moves."""

    @property
    def move_queue(self) -> SendQueue:
        """The moves that are not confirmed."""

    @property
    def moment_cache(self) -> EarlierMoments:
        """Answers of the service about earlier moments."""

    @property
    def log(self) -> MoveLog:
        """The log of the match."""

    def draw(self) -> None:
        """Draw the moment selected in the replay controls."""

    def draw_actions(self) -> None:
        """Update the buttons for the moment shown."""

    def prefetch_moments(self, version: int) -> None:
        """Load the moments next to a version if the service computes them."""

    def is_sheet_open(self) -> bool:
        """Return whether a sheet is open over the page."""

    def show(self, texts: Sequence[Any] = ()) -> None:
        """Show the present."""

    def show_moment(self, version: int) -> None:
        """Show a version; closes all sheets and stops the replay."""

    def take_back(self, to_version: Any = None) -> None:
        """Take back one own step, or go back to a version."""


class EventSync(Protocol):
    """The synchronisation with the service; ``announced_version``: the newest version announced."""

    announced_version: int

    def store_answer(self, data: Data) -> None:
        """Store the service's answer about the match."""

    def ask_choices(self, then: Action) -> None:
        """Request the legal commands if the rules are not loaded; then call ``then()``."""


class MoveConfirmation(Protocol):
    """The question before moves that cannot be undone freely."""

    def ask(self, commands: Sequence[Command], text: str) -> None:
        """Ask whether to play commands; ``text``: the label of the button that plays them."""


class StoredCopy(Protocol):
    """The state of the match that is stored on this device."""

    def mark_stale(self, moment: str | None) -> None:
        """Mark the page as showing an earlier state, named in words; None: the present."""

    def store(self) -> None:
        """Store new events and data."""


class QueueHost(ReplayHost, Protocol):
    """The page as used by the parts that exchange moves and events with the service."""

    server_choices: Sequence[Choice]
    server_groups: Sequence[Data]
    is_mounting: bool

    @property
    def screen_class(self) -> type[Screen]:
        """The class of the game's screen."""

    @property
    def match_sync(self) -> EventSync:
        """The synchronisation with the service."""

    @property
    def confirm_move(self) -> MoveConfirmation:
        """The question before moves that cannot be undone freely."""

    @property
    def offline_copy(self) -> StoredCopy:
        """The state of the match that is stored on this device."""

    def show_new_messages(self, events: list[Event]) -> None:
        """Show new messages of others."""


class LayoutHost(ReplayHost, Protocol):
    """The page as used by its layout and the result."""

    @property
    def screen_class(self) -> type[Screen]:
        """The class of the game's screen."""

    def fork(self, version: int) -> None:
        """Offer to fork the match at a version."""

    def view_model(self) -> ViewModel:
        """Return the moment to show."""

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play moves, asking first if undoing them would need consent."""

    def review_address(self) -> str:
        """Return the address of the match's review."""

    def short_name(self, seat: int) -> str:
        """Return a seat's name for a table: "You" if this device holds only that seat."""
