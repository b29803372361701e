"""What a game is: the few functions every game's ``rules`` module offers.

A game is a *decider*: `decide` turns a command into events, `evolve` folds an event into the
state, and nothing else changes anything. States, commands and events are frozen
``msgspec.Struct`` values; sequences in them are tuples. Nothing here or in a game reads a clock,
does I/O or makes randomness of its own: chance comes in through ``draw``.

This module ships to the browser, so it imports nothing that does not.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.course import Course
from domain.words import Explained, Sentence, Text

S = TypeVar("S")
E = TypeVar("E")
C = TypeVar("C")
O = TypeVar("O", bound=Struct)  # noqa: E741 - state, event, command, options

Seat: TypeAlias = int
"""A place at the table, from 0."""
Viewer: TypeAlias = int | None
"""Who looks: a seat, None for a spectator, or `ALL_SEEING`."""

Draw = Callable[[int], int]
"""``draw(n)`` gives a whole number from 0 to n-1, all equally likely."""

Trait = Literal["secret", "simultaneous", "timed", "reviewable"]
"""What a game may be besides what every game is; everything that hangs on it then follows."""

Weight = Literal["light", "medium", "heavy"]
"""How much there is to think about."""

Level = Literal["easy", "good"]
"""How well a bot plays."""
LEVELS: tuple[Level, ...] = ("easy", "good")
"""The levels, the weakest first; a bot of whom nobody said anything plays at the last."""

ALL_SEEING = -1
"""The viewer of a finished match: nothing is hidden from them."""


class IllegalMove(Explained):
    """A command the rules do not allow now.

    ``code`` is stable and short ("wrong_size"); ``detail`` is a sentence for a person, with the
    arguments for its holes (see `domain.words`). Neither may hold anything that the acting seat
    is not entitled to know.
    """

    def __init__(self, code: str, detail: Sentence, /, **args: Any) -> None:
        super().__init__(detail, args)
        self.code = code


class Label(Struct, frozen=True):
    """A command in words: a key of the game's ``TEXT`` and its arguments."""

    key: str
    args: dict[str, Any]


class Amounts(Struct, frozen=True):
    """Many commands that differ in one field only: how much of each of several things.

    They are all the commands like ``command`` whose ``field`` is ``{thing: n}`` without zeros, at
    most ``of[thing]`` of each and from ``least`` to ``most`` in all (``{}`` where ``least`` is 0).
    In ``command`` itself the field is empty. Things are in the game's order.
    """

    command: Any
    field: str
    of: dict[str, int]
    least: int
    most: int


class Group(Struct, frozen=True):
    """The choices of one ``type`` of command: commands and ranges of them (see `domain.groups`).

    A game may say in its ``TEXT`` under "group-TYPE" what a group is called.
    """

    type: str
    count: int
    ways: tuple[Any, ...]


class Standing(Struct, frozen=True):
    """A seat's place at the end. Rank 1 is best; seats may share a rank."""

    seat: Seat
    rank: int
    score: int
    detail: dict[str, Any]


class Title(Struct, frozen=True):
    """What a lobby needs to know of a game without loading its rules.

    ``slug`` is also the name of the game's folder. ``options`` is the struct of its options (see
    `domain.options`); ``rules_version`` is written into each match, which is played by that
    version to its end. It is raised, too, when `domain.match.MatchOpened` gets a field that
    changes how a match goes: earlier releases overlook the field, but set newer rules aside.
    ``shelf`` orders the games in a lobby, the lowest first. ``layout``
    names the fields of the view that are the same for every viewer and never change in a match
    (a board, its names): they are sent once. ``minutes``: about how long a match takes at one
    table, 0 where nobody knows. ``traits`` say what the game is besides what every
    game is:

    - "secret": seats know what others do not; its own ``redact``, ``reveals``, ``keeps_secrets``,
      and for its bots ``observe`` and ``determinise`` (see `domain.bots`);
    - "simultaneous": several seats may choose at the same time; its own ``take_back``;
    - "timed": what is to be done may have to be done by a certain time; its own ``time_limit``;
    - "reviewable": its module ``review`` has a function ``review(steps)`` (see `domain.review`).
    """

    slug: str
    title: str
    designer: str
    seats: tuple[int, ...]
    options: type[Struct]
    rules_version: int = 1
    about: str = ""
    traits: tuple[Trait, ...] = ()
    shelf: int = 0
    layout: tuple[str, ...] = ()
    minutes: int = 0
    weight: Weight = "medium"


def as_of(title: Title, version: int) -> Title:
    """The title as it was with an older version of the rules."""
    return replace(title, rules_version=version)


class Rules(Protocol[S, E, C, O]):
    """A game's module ``rules``: plain functions over values, its own state, events, commands
    and options. Each module says at its end that it is one, so that a checker of types looks.

    A viewer is a seat number, None for a spectator, or `ALL_SEEING`. ``version`` is the rules
    version of the match: a rule that is mended is mended for new matches, and `setup` and
    `decide` do for an older one what they did when it was opened. What an event does to the
    state never changes.
    """

    @property
    def COMMANDS(self) -> tuple[type, ...]:
        """The types of its commands."""

    @property
    def EVENTS(self) -> tuple[type, ...]:
        """The types of its events, every one ever written."""

    @property
    def TEXT(self) -> Text:
        """Its sentences."""

    @property
    def Options(self) -> type[O]:
        """The struct of its options."""

    def setup(self, options: O, seats: int, draw: Draw, version: int) -> Course[S, E]:
        """The events that lay the game out, and the state they lead to.

        An option that the version did not have yet is at its default.
        """

    def evolve(self, state: S | None, event: E) -> S:
        """The state after the event; ``state`` is None before the first. Never raises."""

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats the game waits for, in seat order: exactly those with choices."""

    def turn(self, state: S) -> int:
        """A running number that grows when a new turn (or round) begins; 0 in the setup."""

    def choices(self, state: S, seat: Seat) -> list[C]:
        """Every legal command of the seat, in a fixed order; empty when it is not to act."""

    def groups(self, state: S, seat: Seat, /) -> tuple[Group, ...]:
        """The choices by type of command, long ranges unlisted: exactly the same commands.

        Without ranges: `domain.groups.listed`.
        """

    def label(self, state: S, seat: Seat, command: C) -> Label:
        """One of the choices in words. Made only when asked for: most choices are never read."""

    def decide(self, state: S, seat: Seat, command: C, draw: Draw, version: int) -> Course[S, E]:
        """The events the command causes, and the state they lead to.

        Accepts exactly the commands in `choices`; raises `IllegalMove` for anything else.
        """

    def take_back(self, state: S, seat: Seat) -> list[E]:
        """The events that take back the seat's own choice that is still secret; may be empty.

        Others may act in between without harm. Without "simultaneous": `domain.without`.
        """

    def reveals(self, event: E) -> bool:
        """Whether somebody learnt a hidden fact by this event (undo then needs consent).

        Without "secret": `domain.without`.
        """

    def keeps_secrets(self, options: O) -> bool:
        """Whether what was hidden stays so when the game is over.

        Without "secret": `domain.without`.
        """

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see, ready for JSON."""

    def redact(self, event: E, viewer: Viewer) -> E:
        """The event as the viewer may see it: same type, hidden fields blanked.

        Without "secret": `domain.without`.
        """

    def time_limit(self, state: S) -> tuple[int, list[tuple[Seat, C]]] | None:
        """``(seconds, [(seat, command)])``: how long the present phase may last and the
        commands that end it when the time is up; None for no limit.

        Without "timed": `domain.without`.
        """

    def outcome(self, state: S) -> tuple[Standing, ...] | None:
        """The standings, best first, when the game has ended."""

    def tell(self, event: E) -> tuple[str, dict[str, Any]]:
        """The event in words: a key of ``TEXT`` and arguments (of a redacted event too)."""


AnyRules: TypeAlias = Rules[Any, Any, Any, Any]
"""The rules of whichever game."""


def pick_any(choices: list[C], draw: Draw) -> C:
    """A choice at random."""
    return choices[draw(len(choices))]
