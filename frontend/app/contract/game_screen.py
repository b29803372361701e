"""The interface between the match page and the screen of a game; one folder for each game.

``games/GAME/`` holds, under the same names in every game, ``screen.py`` with a class `Screen`,
``board.py``, ``review.py`` with a class `ReviewSection` (if the game adds cards to the review),
``look.css`` and ``symbols.svg``, and modules of its own, such as an `OptionEditor` in the module
that an option names. The build finds the folders by itself; style and symbols are in the page while
the game is (see `frontend.app.games.loader`). A game without a folder gets ``generic``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from domain.contract.game import AnyRules
from frontend.app.core.i18n import format_score, join_list, join_sentences, t, tn
from frontend.app.core.types import Choice, Command, Data, Event, Node, View

if TYPE_CHECKING:
    from frontend.app.contract.model import Match  # needs the browser


class ViewModel:
    """The view model of a screen: a moment of the match, and what this device may do in it.

    ``groups``: all choices by type of command, of which ``choices`` has those that are listed
    (games with `Screen.RULES` have no groups: ``choices`` has everything); ``seat``: the own seat
    that is to act, else None; ``live``: whether this is the present; ``hidden_pieces``: how many
    pieces of the latest event are not yet shown (see `Screen.frame_count`); ``marks``: events of
    the move to mark; ``frame``: the frame of an animation, ``(version, part)``, or None.
    """

    def __init__(
        self,
        view: View,
        state: Any,
        choices: Sequence[Choice],
        seat: int | None,
        live: bool,
        version: int,
        hidden_pieces: int = 0,
        groups: Sequence[Data] = (),
    ) -> None:
        self.view = view
        self.state = state
        self.choices = choices
        self.groups = groups
        self.seat = seat
        self.live = live
        self.version = version
        self.hidden_pieces = hidden_pieces
        self.marks: list[Event] = []
        self.frame: tuple[int, int] | None = None

    @property
    def has_choices(self) -> bool:
        """Whether there are known choices."""
        return bool(self.choices or self.groups)

    def unlisted_groups(self) -> list[Data]:
        """Return the groups whose choices are not among ``choices``."""
        return [group for group in self.groups if not group["listed"]]

    def ranges(self, kind: str) -> list[Data]:
        """Return the ranges of a command type (`RangeAnswer`), usually one."""
        return [each for group in self.groups if group["type"] == kind for each in group["ranges"]]


class ScreenHost(Protocol):
    """The match page, as screens use it."""

    match: "Match"
    listeners: list[int]
    path: str
    server_choices: Sequence[Choice]
    server_groups: Sequence[Data]

    @property
    def root(self) -> Node:
        """The root node of the page."""

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play commands, all or none, asking first if undoing them would need consent.

        ``final``: the screen knows this of commands that are not among the choices yet.
        """

    def commit(self, *commands: Command) -> None:
        """Play commands that the user has just confirmed, without asking again."""

    def take_back(self, to_version: int | None = None) -> None:
        """Undo the own latest step, or back to a version."""

    def show_refusal(self, attempt: Command | Callable[[], object]) -> None:
        """Show why the rules forbid a command or the check ``attempt()``; nothing if they do not.

        Only for games with `Screen.RULES`.
        """

    def idle_reason(self, view_model: ViewModel) -> str:
        """Return why this device can do nothing at a moment; "" if it can, or the match is over."""

    def names(self) -> tuple[str, ...]:
        """Return the names of the seats."""

    def short_name(self, seat: int) -> str:
        """Return a seat's name, short enough for narrow places."""

    def sync(self) -> None:
        """Request the events since the own version."""

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API call of the match."""


class Screen:
    """The part of the match page that belongs to a game, with defaults for what it leaves out.

    ``node`` fills the board area, ``panel`` heads the dock, ``aside`` is below the panel and the
    controls that every game has.
    """

    RULES: AnyRules | None = None
    """The game's rules, if the browser may fold its events because nothing is hidden.

    Without them, views and choices come from the service.
    """

    TURN_KIND = "turn"
    """What the game calls the turns that its rules count.

    A key of `frontend.app.match.turn_labels.WORDS`.
    """

    MAX_LISTED_CHOICES = 60
    """The service lists groups of up to this many choices (at most 500); others are opened."""

    node: Node
    panel: Node
    aside: Node | None = None

    def __init__(self, host: ScreenHost) -> None:
        self.host = host

    @staticmethod
    def turns_in_round(seats: int) -> int:
        """Return how many of the turns that the rules count make a round."""
        return 1

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the reason for a place in the standings, in a sentence."""
        points = tn("{n} point", "{n} points", n=place["score"])
        rest = format_score(match["game"], place["detail"])
        return t("{list}.", list=join_list([points, rest] if rest else [points]))

    @staticmethod
    def follows_turn(view: View) -> bool:
        """Whether a shared phone follows the turn without a hand-over page at a moment.

        True in a game with secrets while the choices themselves are public.
        """
        return False

    def prepare(self, view_model: ViewModel) -> Iterator[None]:
        """Do the slow work of the first drawing in pieces; each ``yield`` ends a piece."""
        yield from ()

    def draw(self, view_model: ViewModel) -> None:
        """Show a moment."""

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the seat to act has to do, in a few words."""
        return t("choose a move")

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return a notice for everybody at this moment, in a sentence; None without one."""
        return None

    def label(self, choice: Choice, view_model: ViewModel) -> str:
        """Return a choice in words."""
        return str(choice["label"])

    def command(self, choice: Choice) -> Command:
        """Return the command of a choice, as `ScreenHost.play` takes it."""
        return choice if self.RULES else choice["command"]

    def is_secret_command(self, command: Command) -> bool:
        """Whether a command is the seat's secret, not to be shown outside the cover."""
        return self.host.match.has_secrets

    def highlight(self, choice: Choice | None) -> None:
        """Highlight on the board what a line in the list of moves is about; None: nothing."""

    def describe_position(self, view_model: ViewModel) -> list[tuple[str, list[str]]]:
        """Return the position in words, ``(heading, lines)``.

        See `frontend.app.match.screen_reader_view`.
        """
        return []

    # -- others' moves; see `frontend.app.match.playback` ------------------------------------------

    def move_of(self, event: Event) -> tuple[int | None, int] | None:
        """Return ``(seat, number)`` of the move an event belongs to.

        The seat is None for a move of all seats at once. None for an event that shows nothing on
        the board.
        """
        return None

    def frame_count(self, event: Event) -> int:
        """Return how many frames show the event, one piece more in each (games with `RULES`)."""
        return 1

    def frame_durations(self, event: Event) -> list[int]:
        """Return the milliseconds of each frame that shows the event."""
        return []

    def describe_move(self, events: list[Event]) -> str:
        """Return the move of these events in a sentence."""
        return join_sentences([event["text"] for event in events])


class ReviewSection:
    """What a game adds to the review of a match beyond charts, gains and moments.

    ``names`` of the seats; ``page_at(version)`` is the address of a moment.
    """

    def __init__(self, names: list[str], page_at: Callable[[int], str]) -> None:
        self.names = names
        self.page_at = page_at

    def cards(self, own: dict[str, Any]) -> list[Node | None]:
        """Return cards for what the game found (see `domain.match.review.Findings`)."""
        raise NotImplementedError


class OptionEditor:
    """The form field of a compound option, such as a map, when a match is opened.

    ``option`` is its JSON Schema; ``on_change(value)`` takes each new value, None for the default.
    ``node`` is shown in the form. Values are untrusted: they may come from a link or a file.
    """

    node: Node

    def __init__(self, option: Data, value: Any, on_change: Callable[[Any], object]) -> None:
        self.option = option
        self.value = value
        self.on_change = on_change

    def set_value(self, value: Any) -> None:
        """Take a value from a file."""
        self.value = value
        self.on_change(value)

    def on_options_change(self, options: Data) -> None:
        """Handle the other chosen options: called at the start and whenever one of them changes."""

    def problem(self) -> str | None:
        """Return why no match can be opened with the current value; None if one can."""
        return None
