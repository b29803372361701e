"""Bots as players: what a game's module ``bots`` offers. Bots think on the server; nothing ships.

A bot is given what its seat knows, as a value of a type that has no room for anything else, and
what the seat may do. It never sees a state. One that wants to look ahead makes itself a state that
could be the true one (`Bots.determinise`) and plays on there, with chance of its own.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from domain.game import Draw, Group, Level, Seat
from domain.register import part_of, rules_of

S = TypeVar("S")
K = TypeVar("K")
C = TypeVar("C", covariant=True)


def _as_long_as_it_takes() -> bool:
    return True


class Thinking(Struct, frozen=True):
    """What a bot has to make up its mind with.

    ``draw``: its chance; ``level``: how well it is to play; ``more``: whether there is time left,
    asked between two thoughts (a bot that needs none never asks). Nothing here tells the hour, so
    that the same knowledge, chance and time lead to the same move.
    """

    draw: Draw
    level: Level = "good"
    more: Callable[[], bool] = _as_long_as_it_takes


class Bots(Protocol[S, K, C]):
    """A game's module ``bots``; ``K`` is the type of what a seat knows.

    A game without the trait "secret" takes ``observe`` and ``determinise`` from `domain.without`.
    """

    def observe(self, state: S, seat: Seat) -> K:
        """What the seat knows: equal for any two states that it cannot tell apart."""

    def determinise(self, seen: K, seat: Seat, draw: Draw) -> S:
        """A state that could be the true one: the seat would see the same in it."""

    def suggest(self, seen: K, seat: Seat, groups: tuple[Group, ...], thinking: Thinking, /) -> C:
        """What the bot does: a command out of the groups, of which there is at least one."""


AnyBots: TypeAlias = Bots[Any, Any, Any]
"""The bots of whichever game."""


def bots_of(slug: str) -> AnyBots:
    """The bots of a game; KeyError for an unknown slug."""
    bots: AnyBots = part_of(slug, "bots")
    return bots


def suggested(slug: str, state: Any, seat: Seat, thinking: Thinking) -> Any:
    """What the bot of a seat does in a state, of which it is told what its seat knows."""
    bots = bots_of(slug)
    groups = rules_of(slug).groups(state, seat)
    return bots.suggest(bots.observe(state, seat), seat, groups, thinking)
