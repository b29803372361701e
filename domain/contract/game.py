"""Interface of a game: the functions that every game's ``rules`` module offers.

A game is a *decider*: `decide` turns a command into events, `evolve` folds an event into the
state, and nothing else changes the state. States, commands and events are frozen
``msgspec.Struct`` values; sequences in them are tuples. No game reads a clock, does I/O or
generates randomness; random numbers come from ``draw``.

This module ships to the browser, so it imports only modules that ship too.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.event_recorder import EventRecorder
from domain.text.i18n import TranslatableError

S = TypeVar("S")
E = TypeVar("E")
C = TypeVar("C")
O = TypeVar("O", bound=Struct)  # noqa: E741 - state, event, command, options

Seat: TypeAlias = int
"""Number of a seat, from 0."""
Viewer: TypeAlias = int | None
"""The person a view is made for: a seat number, None for a spectator, or `ALL_SEEING`."""

Draw = Callable[[int], int]
"""``draw(n)`` returns an integer from 0 to n-1, all equally likely."""

Trait = Literal["secret", "simultaneous", "timed", "reviewable"]
"""Optional property of a game; it enables the features and tests that depend on it."""

Weight = Literal["light", "medium", "heavy"]
"""Complexity of a game."""

Level = Literal["easy", "good"]
"""Strength of a bot."""
LEVELS: tuple[Level, ...] = ("easy", "good")
"""The levels, weakest first; a bot without a level plays at the strongest."""

ALL_SEEING = -1
"""Viewer from whom nothing is hidden; used when a match is over, unless it keeps its secrets."""


class IllegalMove(TranslatableError):
    """Error for a command that the rules do not allow in the current state.

    ``code`` is stable and short ("wrong_size"); ``message_id`` is a message for a person, ``args``
    the values of its placeholders (see `domain.text.i18n`). Neither may reveal anything
    hidden from the acting seat.
    """

    def __init__(self, code: str, message_id: str, /, **args: Any) -> None:
        super().__init__(message_id, **args)
        self.code = code


class Label(Struct, frozen=True):
    """The label of a command: a message id and its arguments."""

    key: str
    args: dict[str, Any]


class AmountRange(Struct, frozen=True):
    """A range of commands that differ only in one field of amounts.

    The range consists of all commands equal to ``command`` except that ``field`` is ``{thing: n}``
    without zeros, with at most ``available[thing]`` of each and from ``minimum`` to ``maximum`` in
    total (``{}`` is included if ``minimum`` is 0). In ``command`` itself the field is empty. Things
    are in the game's order.
    """

    command: Any
    field: str
    available: dict[str, int]
    minimum: int
    maximum: int


class Group(Struct, frozen=True):
    """The legal commands of one ``type`` (see `domain.contract.choice_groups`).

    ``count``: the number of commands, with ranges expanded; ``options``: commands and `AmountRange`
    ranges. A game may name the group by a message "group-TYPE".
    """

    type: str
    count: int
    options: tuple[Any, ...]


class Standing(Struct, frozen=True):
    """Final rank and score of a seat; rank 1 is best, and seats may share a rank.

    ``detail``: how the score is made up, in game-specific fields.
    """

    seat: Seat
    rank: int
    score: int
    detail: dict[str, Any]


class GameInfo(Struct, frozen=True):
    """Facts about a game that a lobby needs, available without loading the game's rules.

    - ``slug``: id of the game and name of its folder; ``title``: its name.
    - ``seats``: the possible numbers of seats.
    - ``options``: the struct type of its options (see `domain.contract.options`).
    - ``rules_version``: the newest version of the rules. A match records the version it began with
      and is played by it to the end. The version also increases when `domain.match.MatchOpened`
      gets a field that changes the course of a match: earlier releases ignore an unknown field, but
      refuse matches with newer rules.
    - ``about``: a short description; ``weight``: its complexity.
    - ``sort_order``: position of the game in a lobby, lowest first.
    - ``layout``: fields of the view that are the same for every viewer and constant during a match
      (a board, its names); they are sent once.
    - ``minutes``: approximate duration of a match played in one session, 0 if unknown.
    - ``traits``: optional properties, each of which requires further functions of the game:

      - "secret": seats have hidden information; ``redact``, ``reveals``, ``keeps_secrets``, and
        for its bots ``observe`` and ``determinise`` (see `domain.contract.bots`);
      - "simultaneous": several seats may choose at the same time; ``take_back``;
      - "timed": a phase may have a time limit; ``time_limit``;
      - "reviewable": a module ``review`` with a function ``review(steps)`` (see
        `domain.match.review`).
    """

    slug: str
    title: str
    designer: str
    seats: tuple[int, ...]
    options: type[Struct]
    rules_version: int = 1
    about: str = ""
    traits: tuple[Trait, ...] = ()
    sort_order: int = 0
    layout: tuple[str, ...] = ()
    minutes: int = 0
    weight: Weight = "medium"


def at_version(title: GameInfo, version: int) -> GameInfo:
    """Return the game's info with an older rules version."""
    return replace(title, rules_version=version)


class Rules(Protocol[S, E, C, O]):
    """Protocol of a game's module ``rules``: pure functions over the game's value types.

    Each such module asserts at its end that it implements the protocol, for the type checker.
    ``version`` is the rules version of the match: a corrected rule applies to new matches only,
    while `setup` and `decide` keep their behaviour for older versions. The effect of an event in
    `evolve` never changes. A viewer is a seat number, None for a spectator, or `ALL_SEEING`.
    """

    @property
    def COMMANDS(self) -> tuple[type, ...]:
        """The game's command types."""

    @property
    def EVENTS(self) -> tuple[type, ...]:
        """The game's event types, including every type that was ever stored."""

    @property
    def Options(self) -> type[O]:
        """The struct type of the game's options."""

    def setup(self, options: O, seats: int, draw: Draw, version: int) -> EventRecorder[S, E]:
        """Set the game up; return the events and the state after them.

        Options introduced after ``version`` have their default values.
        """

    def evolve(self, state: S | None, event: E) -> S:
        """Return the state after an event; ``state`` is None before the first. Never raises."""

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that are to act, in seat order: exactly those with legal commands."""

    def turn(self, state: S) -> int:
        """Return a number that grows with each new turn (or round); 0 in the setup."""

    def choices(self, state: S, seat: Seat) -> list[C]:
        """Return all legal commands of the seat in a fixed order; empty if it is not to act."""

    def groups(self, state: S, seat: Seat, /) -> tuple[Group, ...]:
        """Return the same commands as `choices`, grouped by type, as commands and ranges.

        A game without ranges uses `domain.contract.choice_groups.groups_from_choices`.
        """

    def label(self, state: S, seat: Seat, command: C) -> Label:
        """Return the label of a legal command; built on request, as most are never shown."""

    def decide(
        self, state: S, seat: Seat, command: C, draw: Draw, version: int
    ) -> EventRecorder[S, E]:
        """Return the events that the command leads to and the state after them.

        Accepts exactly the commands in `choices`. Raises `IllegalMove` for anything else.
        """

    def take_back(self, state: S, seat: Seat) -> list[E]:
        """Return the events that take back the seat's secret choice; empty if there is none.

        They are valid regardless of what others have done since. A game without the trait
        "simultaneous" uses `domain.contract.trait_defaults`.
        """

    def reveals(self, event: E) -> bool:
        """Return whether the event reveals a hidden fact to anyone; undo then needs consent.

        A game without the trait "secret" uses `domain.contract.trait_defaults`.
        """

    def keeps_secrets(self, options: O) -> bool:
        """Return whether hidden information stays hidden when the game is over.

        A game without the trait "secret" uses `domain.contract.trait_defaults`.
        """

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Return what the viewer may see of the state, as JSON values."""

    def redact(self, event: E, viewer: Viewer) -> E:
        """Return the event as the viewer may see it: the same type with hidden fields blanked.

        A game without the trait "secret" uses `domain.contract.trait_defaults`.
        """

    def time_limit(self, state: S) -> tuple[int, list[tuple[Seat, C]]] | None:
        """Return the time limit of the current phase as ``(seconds, [(seat, command)])``.

        The commands are played to end the phase when its time is up. None if there is no limit. A
        game without the trait "timed" uses `domain.contract.trait_defaults`.
        """

    def outcome(self, state: S) -> tuple[Standing, ...] | None:
        """Return the standings, best first; None before the game has ended."""

    def tell(self, event: E) -> tuple[str, dict[str, Any]]:
        """Return the message for an event, redacted or not: a message id and its arguments."""


AnyRules: TypeAlias = Rules[Any, Any, Any, Any]
"""The rules of any game."""


def leaf_classes(base: type) -> tuple[type, ...]:
    """Return the classes derived from ``base`` from which no other class is derived."""
    derived: list[type] = base.__subclasses__()
    return tuple([leaf for kind in derived for leaf in leaf_classes(kind) or (kind,)])


def pick_any(choices: list[C], draw: Draw) -> C:
    """Return a random element of the choices."""
    return choices[draw(len(choices))]


def event_message(key: str, **fields: str) -> Callable[[Any], tuple[str, dict[str, Any]]]:
    """Return a function for `Rules.tell` that takes the message's arguments from the event.

    ``fields``: the event's field for each argument.
    """

    def build_message(event: Any) -> tuple[str, dict[str, Any]]:
        return key, {name: getattr(event, field) for name, field in fields.items()}

    return build_message
