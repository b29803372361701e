"""The interface between the match page and the screens of the games.

Each game has a folder ``games/GAME/``. Every game uses the same file names there: ``screen.py``
with a class `Screen`, ``board.py``, ``review.py`` with a class `ReviewSection` (if the game adds
cards to the review), ``look.css`` and ``symbols.svg``, and further modules, such as an
`OptionEditor` in the module that an option names. The build discovers the folders. The style sheet
and symbols are in the page while the game is shown (see `frontend.app.games.loader`). A game
without a folder uses ``generic``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from domain.contract.game import AnyRules
from frontend.app.core.i18n import LANGUAGE, format_score, join_list, join_sentences, t
from frontend.app.core.types import Choice, Command, Data, Event, Node, View

if TYPE_CHECKING:
    from frontend.app.contract.model import Match  # can be imported only in the browser


class ViewModel(Struct, frozen=True):
    """The view model of a screen: a moment of the match and the legal commands of this device.

    ``groups``: all choices grouped by command type; ``choices`` contains those of the listed groups
    (games with `Screen.RULES` have no groups: ``choices`` contains everything); ``seat``: the seat
    of this device that is to act, or None; ``live``: whether this is the current moment;
    ``hidden_pieces``: how many pieces of the latest event are not yet shown (see
    `Screen.frame_count`); ``marks``: the events of the move to highlight; ``frame``: the current
    animation frame, ``(version, part)``, or None.
    """

    view: View
    state: Any
    choices: Sequence[Choice]
    seat: int | None
    live: bool
    version: int
    hidden_pieces: int = 0
    groups: Sequence[Data] = ()
    marks: Sequence[Event] = ()
    frame: tuple[int, int] | None = None

    @property
    def has_choices(self) -> bool:
        """Whether any legal commands are known."""
        return bool(self.choices or self.groups)

    def unlisted_groups(self) -> list[Data]:
        """Return the groups whose choices are not among ``choices``."""
        return [group for group in self.groups if not group["listed"]]

    def ranges(self, kind: str) -> list[Data]:
        """Return the amount ranges of a command type (`RangeAnswer`), usually one."""
        return [each for group in self.groups if group["type"] == kind for each in group["ranges"]]


class ScreenHost(Protocol):
    """The match page as seen by screens."""

    match: "Match"
    listeners: list[int]
    path: str

    @property
    def root(self) -> Node:
        """The root node of the page."""

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play all commands or none; ask for confirmation first if undoing would need consent.

        ``final``: the screen knows that undoing needs consent, for commands that are not yet among
        the choices.
        """

    def commit(self, *commands: Command) -> None:
        """Play commands that the user has just confirmed, without asking again."""

    def take_back(self, to_version: int | None = None) -> None:
        """Undo this device's latest step, or everything after a version."""

    def show_refusal(self, attempt: Command | Callable[[], object]) -> None:
        """Show why the rules forbid a command or why ``attempt()`` raises; do nothing if legal.

        Only for games with `Screen.RULES`.
        """

    def idle_reason(self, view_model: ViewModel) -> str:
        """Return why this device cannot act at a moment; "" if it can or no game is running."""

    def sync(self) -> None:
        """Request the events after the local version from the service."""

    def address(self, rest: str, **query: Any) -> str:
        """Return the URL of an API call for the match."""


class Screen:
    """The game-specific part of the match page, with defaults that a game may override.

    ``node`` fills the board area. In the dock, ``own_row`` stays in view: what this device's seat
    has, with the number that the game is about; below it ``panel`` and then ``aside`` scroll.
    """

    RULES: AnyRules | None = None
    """The game's rules if the browser can fold its events, because nothing is hidden.

    If None, views and choices come from the service.
    """

    TURN_KIND = "turn"
    """What the game calls its numbered turns: "turn" or "round".

    A key of `frontend.app.match.turn_labels.TURN_LABELS`.
    """

    MAX_LISTED_CHOICES = 60
    """Longest group whose choices are listed (at most 500); longer ones are loaded when opened."""

    TURNS_ARE_PER_SEAT = False
    """Whether each numbered turn is one seat's, so that a round is one turn of each seat."""

    FRAME_DURATIONS_MS: Mapping[str, int] = {}
    """The events of moves, with the duration of each frame; 0 for an event without a frame."""

    RANKS_LOSERS = True
    """Whether players who have not won have places of their own, which the result shows."""

    node: Node
    panel: Node
    own_row: Node | None = None
    aside: Node | None = None

    def __init__(self, host: ScreenHost) -> None:
        self.host = host

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the reason for a place in the standings, as a sentence."""
        points = t("format.points", n=place["score"])
        rest = format_score(match["game"], place["detail"])
        return t("format.list_sentence", list=join_list([points, rest] if rest else [points]))

    @staticmethod
    def explain_end(view: View) -> str:
        """Return why a finished match has ended, as a sentence, from its last view.

        Returns "" by default, for games that end in one way only.
        """
        return ""

    @staticmethod
    def follows_turn(view: View) -> bool:
        """Return whether a shared device passes to the next seat without a hand-over page.

        Override it to return True at moments of a game with secrets at which the choices are
        public.
        """
        return False

    def prepare(self, view_model: ViewModel) -> Iterator[None]:
        """Do the slow work of the first draw in steps, yielding after each."""
        yield from ()

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment."""

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        return t("turn.choose_move")

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return a sentence to show to all viewers at this moment, or None."""
        return None

    def label(self, choice: Choice, view_model: ViewModel) -> str:
        """Return the label of a choice."""
        if self.RULES is None:
            return str(choice["label"])
        assert view_model.seat is not None, "only who is to act has choices"
        label = self.RULES.label(view_model.state, view_model.seat, choice)
        match = self.host.match
        return LANGUAGE.format_message(match.data["game"], label.key, label.args, match.names)

    def command(self, choice: Choice) -> Command:
        """Return the command of a choice in the form that `ScreenHost.play` expects."""
        return choice if self.RULES else choice["command"]

    def is_secret_command(self, command: Command) -> bool:
        """Return whether a command is secret, so that it is shown only under the seat's cover."""
        return self.host.match.has_secrets

    def plays_itself(self, choice: Choice, view_model: ViewModel) -> bool:
        """Return whether the page may play the only legal choice (see `forced_moves`).

        By default only in games with `RULES`, where it is known that the move neither draws nor
        reveals anything and ends nothing, and only while no other seat is to act.
        """
        match = self.host.match
        if self.RULES is None or view_model.seat is None or len(match.acting_seats()) > 1:
            return False
        return not match.is_final(view_model.seat, [self.command(choice)], alone=False)

    def highlight(self, choice: Choice | None) -> None:
        """Highlight on the board what a choice in the list of moves refers to; None clears it."""

    def describe_position(self, view_model: ViewModel) -> list[tuple[str, list[str]]]:
        """Return a text description of the position as ``(heading, lines)`` pairs.

        See `frontend.app.match.screen_reader_view`.
        """
        return []

    def log_text(self, event: Event) -> str:
        """Return the text of an event in the log, by default the one of the service."""
        return str(event["text"])

    # -- others' moves; see `frontend.app.match.playback` ------------------------------------------

    def move_of(self, event: Event) -> tuple[int | None, int] | None:
        """Return ``(seat, number)`` of the move to which an event belongs.

        The seat is None for a move of all seats at once. Returns None if the event is not in
        `FRAME_DURATIONS_MS`.
        """
        return (event["seat"], event["turn"]) if event["type"] in self.FRAME_DURATIONS_MS else None

    def frame_count(self, event: Event) -> int:
        """Return the number of animation frames of an event; each shows one more piece.

        Used only for games with `RULES`.
        """
        return 1

    def frame_durations(self, event: Event) -> list[int]:
        """Return the duration of each frame of the event, in milliseconds."""
        duration = self.FRAME_DURATIONS_MS.get(event["type"])
        return [duration] * self.frame_count(event) if duration else []

    def describe_move(self, events: list[Event]) -> str:
        """Describe the move that consists of these events in a sentence, for screen readers."""
        return join_sentences([event["text"] for event in events])

    def summarise_move(self, events: list[Event]) -> str:
        """Describe a move for somebody who sees the board, without what is marked on it."""
        return self.describe_move(events)


class ReviewSection:
    """The game-specific cards of a review, besides charts, gains and key moments.

    ``names``: the names of the seats; ``page_at(version)``: returns the URL of a moment.
    """

    def __init__(self, names: list[str], page_at: Callable[[int], str]) -> None:
        self.names = names
        self.page_at = page_at

    def cards(self, own: dict[str, Any]) -> list[Node | None]:
        """Return cards for the game's own findings (see `domain.match.review.Findings`)."""
        raise NotImplementedError


class OptionEditor:
    """The form field for a compound option, such as a map, in the form that opens a match.

    ``option`` is its JSON Schema; ``on_change(value)`` is called with each new value, None for the
    default. ``node`` is shown in the form. Values are untrusted: they may come from a link or a
    file.
    """

    node: Node

    def __init__(self, option: Data, value: Any, on_change: Callable[[Any], object]) -> None:
        self.option = option
        self.value = value
        self.on_change = on_change

    def set_value(self, value: Any) -> None:
        """Set a value read from a file."""
        self.value = value
        self.on_change(value)

    def on_options_change(self, options: Data) -> None:
        """Handle the values of the other options, initially and whenever one of them changes."""

    def problem(self) -> str | None:
        """Return why no match can be opened with the current value, or None if one can."""
        return None
