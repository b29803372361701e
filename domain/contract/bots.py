"""Interface of a game's module ``bots``.

A bot gets its seat's information state, in a type that can hold nothing else, and the seat's legal
commands; it never gets the game's state. To search ahead it builds a determinised state
(`Bots.determinise`) and simulates play from there with its own draws.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from domain.contract.game import Draw, Group, Level, Seat
from domain.contract.registry import game_module, rules_of

S = TypeVar("S")
K = TypeVar("K")
C = TypeVar("C", covariant=True)


def _no_time_limit() -> bool:
    return True


class Thinking(Struct, frozen=True):
    """The resources of a bot for one move.

    ``draw``: its source of random numbers; ``level``: its playing strength; ``has_time_left``:
    returns whether there is time for another iteration. A bot sees no clock, so the same
    information state, draws and number of iterations give the same move.
    """

    draw: Draw
    level: Level = "good"
    has_time_left: Callable[[], bool] = _no_time_limit


class Bots(Protocol[S, K, C]):
    """Protocol of a game's module ``bots``; ``K`` is the type of its information states.

    A game without the trait "secret" takes ``observe`` and ``determinise`` from
    `domain.contract.trait_defaults`.
    """

    def observe(self, state: S, seat: Seat) -> K:
        """Return the seat's information state; equal for states the seat cannot tell apart."""

    def determinise(self, seen: K, seat: Seat, draw: Draw) -> S:
        """Return a state consistent with an information state, hidden facts drawn at random."""

    def suggest(self, seen: K, seat: Seat, groups: tuple[Group, ...], thinking: Thinking, /) -> C:
        """Return the bot's move: one of the commands in ``groups``, which are never empty."""


AnyBots: TypeAlias = Bots[Any, Any, Any]
"""The bots of any game."""


def bots_of(slug: str) -> AnyBots:
    """Return the bots of a game. Raises KeyError for an unknown slug."""
    bots: AnyBots = game_module(slug, "bots")
    return bots


def suggest_command(slug: str, state: Any, seat: Seat, thinking: Thinking) -> Any:
    """Return the bot's move for a seat; the bot gets only the seat's information state."""
    bots = bots_of(slug)
    groups = rules_of(slug).groups(state, seat)
    return bots.suggest(bots.observe(state, seat), seat, groups, thinking)
