"""What a game is: the few functions every game's ``rules`` module offers.

A game is a *decider*: `decide` turns a command into events, `evolve` folds an event into the
state, and nothing else changes anything. States, commands and events are frozen
``msgspec.Struct`` values; sequences in them are tuples. Nothing here or in a game reads a clock,
does I/O or makes randomness of its own: chance comes in through ``draw``.

This module ships to the browser, so it imports nothing but msgspec.
"""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

Draw = Callable[[int], int]
"""``draw(n)`` gives a whole number from 0 to n-1, all equally likely."""

ALL_SEEING = -1
"""The viewer of a finished match: nothing is hidden from them."""


class IllegalMove(Exception):
    """A command the rules do not allow now.

    ``code`` is stable and short ("wrong_size"); ``detail`` is a sentence for a person. Neither
    may hold anything that the acting seat is not entitled to know.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Choice(Struct, frozen=True):
    """One legal command with its label: a key of the game's ``TEXT`` and its arguments."""

    command: Any
    key: str
    args: dict[str, Any]


class Standing(Struct, frozen=True):
    """A seat's place at the end. Rank 1 is best; seats may share a rank."""

    seat: int
    rank: int
    score: int
    detail: dict[str, Any]


class Title(Struct, frozen=True):
    """What a lobby needs to know of a game without loading its rules.

    ``options`` is a JSON Schema object whose every property has a default;
    ``module`` is where the rules are; ``rules_version`` is written into each match; ``review``
    is a module with a function ``review(steps)`` (see `domain.review`), if the game has one.
    """

    slug: str
    title: str
    designer: str
    seats: tuple[int, ...]
    options: dict[str, Any]
    module: str
    rules_version: int = 1
    about: str = ""
    review: str = ""


class Rules(Protocol):
    """The module a `Title` names. Plain functions over values.

    A viewer is a seat number, None for a spectator, or `ALL_SEEING`.
    """

    COMMANDS: tuple[type, ...]
    EVENTS: tuple[type, ...]
    TEXT: dict[str, str]

    def setup(self, options: dict[str, Any], seats: int, draw: Draw) -> list[Any]:
        """The events that lay the game out. ``options`` has every property filled in."""

    def evolve(self, state: Any, event: Any) -> Any:
        """The state after the event; ``state`` is None before the first. Never raises."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        """The seats the game waits for, in seat order: exactly those with choices."""

    def turn(self, state: Any) -> int:
        """A running number that grows when a new turn (or round) begins; 0 in the setup."""

    def choices(self, state: Any, seat: int) -> list[Choice]:
        """Every legal command of the seat, in a fixed order; empty when it is not to act."""

    def decide(self, state: Any, seat: int, command: Any, draw: Draw) -> list[Any]:
        """The events the command causes; accepts exactly the commands in `choices`.

        Raises `IllegalMove` for anything else.
        """

    def take_back(self, state: Any, seat: int) -> list[Any]:
        """The events that take back the seat's own choice that is still secret; may be empty.

        Only simultaneous games have any: others may act in between without harm.
        """

    def reveals(self, event: Any) -> bool:
        """Whether somebody learnt a hidden fact by this event (undo then needs consent)."""

    def view(self, state: Any, viewer: int | None) -> dict[str, Any]:
        """What the viewer may see, ready for JSON."""

    def redact(self, event: Any, viewer: int | None) -> Any:
        """The event as the viewer may see it: same type, hidden fields blanked."""

    def time_limit(self, state: Any) -> tuple[int, list[tuple[int, Any]]] | None:
        """``(seconds, [(seat, command)])``: how long the present phase may last and the
        commands that end it when the time is up; None for no limit."""

    def outcome(self, state: Any) -> tuple[Standing, ...] | None:
        """The standings, best first, when the game has ended."""

    def tell(self, event: Any) -> tuple[str, dict[str, Any]]:
        """The event in words: a key of ``TEXT`` and arguments (of a redacted event too)."""

    def suggest(self, state: Any, seat: int, choices: list[Choice], draw: Draw) -> Choice:
        """What a simple bot would do; must be one of the choices."""


def pick_any(choices: list[Choice], draw: Draw) -> Choice:
    """A choice at random: the simplest bot."""
    return choices[draw(len(choices))]


PERSON_ARGS = ("who", "whom", "owner", "visitor", "victim", "partner")
"""Arguments of texts that are seat numbers, shown as names."""


def say(text: dict[str, str], key: str, args: dict[str, Any], names: tuple[str, ...]) -> str:
    """The sentence of a key, seat numbers turned into names."""
    shown = {}
    for name, value in args.items():
        shown[name] = names[value] if name in PERSON_ARGS and value is not None else value
    return text[key].format(**shown)
