"""What the page of a match and a game's screen are to each other; one folder for each game.

``games/GAME/`` holds, under the same names in every game, ``screen.py`` with a class `Screen`,
``board.py``, ``review.py`` with a class `Account` (if the review says more of this game than of
every other), ``look.css`` and ``symbols.svg``, and what else is the game's own: an `Editor` in the
module that an option names. The build finds
the folders by themselves; style and symbols are in the page while the game is (see
`frontend.app.houses`). A game without a folder gets ``generic``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from domain.game import AnyRules
from frontend.app.typed import Choice, Command, Data, Event, Node, View
from frontend.app.words import of_score, row, sentences, t, tn

if TYPE_CHECKING:
    from frontend.app.match import Match  # needs the browser


class Now:
    """What a screen shows: a moment of the match, and what this device may do in it.

    ``groups``: all choices by type of command, of which ``choices`` has those that are listed (in
    games with `Screen.RULES` there are none: ``choices`` has everything);
    ``seat``: the own seat that is to act, else None; ``live``: whether this is the present;
    ``hide``: how many pieces of the latest event are not yet shown (see `Screen.pieces`);
    ``marks``: events of the move to mark; ``frame``: the picture of a playing,
    ``(version, part)``, or None.
    """

    def __init__(
        self,
        view: View,
        state: Any,
        choices: Sequence[Choice],
        seat: int | None,
        live: bool,
        version: int,
        hide: int = 0,
        groups: Sequence[Data] = (),
    ) -> None:
        self.view = view
        self.state = state
        self.choices = choices
        self.groups = groups
        self.seat = seat
        self.live = live
        self.version = version
        self.hide = hide
        self.marks: list[Event] = []
        self.frame: tuple[int, int] | None = None

    @property
    def choosing(self) -> bool:
        """Whether there is something to choose, and it is known what."""
        return bool(self.choices or self.groups)

    def unlisted(self) -> list[Data]:
        """The groups whose choices are not among ``choices``."""
        return [group for group in self.groups if not group["listed"]]

    def ranges(self, kind: str) -> list[Data]:
        """What a command of this type may hold (`RangeAnswer`), most often one range."""
        return [each for group in self.groups if group["type"] == kind for each in group["ranges"]]


class Host(Protocol):
    """The page of a match, as screens know it."""

    match: "Match"
    ears: list[int]
    path: str
    server_choices: Sequence[Choice]
    server_groups: Sequence[Data]

    @property
    def frame(self) -> Node:
        """The node of the page."""

    def play(self, *commands: Command, final: bool = False) -> None:
        """Carries commands out, all or none; asks first where they could not be taken back for
        free. ``final``: the screen knows that of commands that are not among the choices yet."""

    def commit(self, *commands: Command) -> None:
        """Carries out what was chosen before and is confirmed now: nothing is asked any more."""

    def take_back(self, to_version: int | None = None) -> None:
        """Takes the own latest step back."""

    def why_not(self, tried: Command | Callable[[], object]) -> None:
        """Says why the rules forbid a command, or what ``tried()`` asks them; nothing when they
        do not. Of games with `Screen.RULES`."""

    def idle(self, now: Now) -> str:
        """Why this device can do nothing at all at a moment; "" when it can, or the match is
        over."""

    def names(self) -> tuple[str, ...]:
        """What the seats are called."""

    def short(self, seat: int) -> str:
        """A seat's name where room is scarce."""

    def sync(self) -> None:
        """Asks the service for what happened since."""

    def address(self, rest: str, **query: Any) -> str:
        """The address of one of the match's calls."""


class Screen:
    """Shows one moment at a time. What a game does not say of itself is answered here.

    ``node`` fills the board's place, ``panel`` heads the dock, ``aside`` stands below it and the
    ways that every game has.
    """

    RULES: AnyRules | None = None
    """The game's rules when the browser may fold its events: nothing is hidden in it. Without,
    views and choices come from the service."""

    TURN = "turn"
    """What the game calls the turns that its rules count; see `frontend.app.turns`."""

    LISTED = 60
    """The service lists groups of up to so many choices; longer ones are opened (at most 500)."""

    node: Node
    panel: Node
    aside: Node | None = None

    def __init__(self, host: Host) -> None:
        self.host = host

    @staticmethod
    def turns_in_round(seats: int) -> int:
        """How many of the turns that the rules count make a round."""
        return 1

    @staticmethod
    def merit(place: Data, match: Data) -> str:
        """What a place in the standings of a match rests on, in a sentence."""
        points = tn("{n} point", "{n} points", n=place["score"])
        rest = of_score(match["game"], place["detail"])
        return t("{list}.", list=row([points, rest] if rest else [points]))

    @staticmethod
    def open_handed(view: View) -> bool:
        """Whether a phone that goes round follows the turn by itself at a moment: what may be
        chosen then is nobody's secret (games with secrets)."""
        return False

    def prepare(self, now: Now) -> Iterator[None]:
        """Does in pieces what the first drawing would take long for."""
        yield from ()

    def draw(self, now: Now) -> None:
        """Shows a moment."""

    def prompt(self, now: Now) -> str:
        """What the seat to act has to do, in a few words."""
        return t("choose a move")

    def notice(self, now: Now) -> str | None:
        """What everybody should know at this moment, in a sentence."""
        return None

    def label(self, choice: Choice, now: Now) -> str:
        """A choice in words."""
        return str(choice["label"])

    def command(self, choice: Choice) -> Command:
        """What a choice stands for, as `Host.play` takes it."""
        return choice if self.RULES else choice["command"]

    def hushed(self, command: Command) -> bool:
        """Whether a command is a secret of the seat, not to be read out beside the cover."""
        return self.host.match.secret

    def light(self, choice: Choice | None) -> None:
        """Shows on the board of what a line in the list of moves speaks; None: of nothing."""

    def read(self, now: Now) -> list[tuple[str, list[str]]]:
        """The position in words, ``(heading, lines)``; see `frontend.app.reading`."""
        return []

    # -- what the others did; see `frontend.app.playback` --------------------------------------

    def deed(self, event: Event) -> tuple[int | None, int] | None:
        """``(seat, number)`` of the move an event belongs to, seat None for a move of all at
        once; None for an event that shows nothing on the board."""
        return None

    def pieces(self, event: Event) -> int:
        """How many pictures show the event, one piece more in each (games with `RULES`)."""
        return 1

    def paces(self, event: Event) -> list[int]:
        """Milliseconds for each picture that shows the event."""
        return []

    def said(self, events: list[Event]) -> str:
        """The move of these events in a sentence."""
        return sentences([event["text"] for event in events])


class Account:
    """What the review of a match says of one game beyond charts, gains and moments.

    ``names`` of the seats; ``page_at(version)`` is the address of a moment.
    """

    def __init__(self, names: list[str], page_at: Callable[[int], str]) -> None:
        self.names = names
        self.page_at = page_at

    def cards(self, own: dict[str, Any]) -> list[Node | None]:
        """Cards for what the game found (see `domain.review.Findings`)."""
        raise NotImplementedError


class Editor:
    """Makes an option that is a whole thing, such as a map, where a table is set.

    ``option`` is its JSON Schema; ``changed(value)`` takes each new value, None for the default.
    ``node`` is shown in the form. A value may come from anywhere: out of a link, out of a file.
    """

    node: Node

    def __init__(self, option: Data, value: Any, changed: Callable[[Any], object]) -> None:
        self.option = option
        self.value = value
        self.changed = changed

    def take(self, value: Any) -> None:
        """A value has come in a file."""
        self.value = value
        self.changed(value)

    def beside(self, options: Data) -> None:
        """What is chosen besides: at the beginning, and whenever something of it changes."""

    def problem(self) -> str | None:
        """Why no table can be opened with it as it is now, in a sentence."""
        return None
