"""Builders for positions of the courtyard game in tests."""

import random
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from domain.contract.bots import Thinking
from domain.contract.game import IllegalMove, Level
from domain.games.courtyard import bots, rules
from domain.games.courtyard.board import RESTS, TOWERS, parse_wares
from domain.games.courtyard.cards import MAJORS, MINORS
from domain.games.courtyard.commands import (
    Borrow,
    Buy,
    Discard,
    EndTurn,
    Exchange,
    ExpandPurse,
    FillKept,
    FillOrder,
    Repay,
    Roll,
    Sell,
    SellTwo,
    Settle,
    Share,
    SwapTwo,
    VisitGate,
)
from domain.games.courtyard.options import Options
from domain.games.courtyard.state import Rest, State
from tests.game_contract.strict_english import format_reason


def no_draw(n: int) -> int:
    raise AssertionError("nothing is drawn here")


def first(n: int) -> int:
    return 0


def drawing(*values: int) -> Any:
    """Return these draws in order, and no more."""
    left = list(values)
    return lambda n: left.pop(0)


def laid_out(seats: int = 2, seed: int = 1, keep: bool = False) -> State:
    """Nobody has settled."""
    return rules.setup(Options(keep), seats, random.Random(seed).randrange).state


def started(seats: int = 2, seed: int = 1, keep: bool = False) -> State:
    """The first turn, of seat 0, with the fountain at 0: green at the North and South Gates.

    All stand at the South Gate with a silver.
    """
    state = replace(laid_out(seats, seed, keep), starter=0, seat=0, fountain=0)
    for seat in range(seats):
        state = rules.decide(state, seat, Settle("G_S", "silver"), no_draw).state
    return state


def put(state: State, seat: int = 0, **changes: Any) -> State:
    """A player with other figures; ``goods`` as a dict."""
    if isinstance(changes.get("goods"), dict):
        changes["goods"] = parse_wares(changes["goods"])
    players = [*state.players]
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def stop(space: str, seats: int = 2, **changes: Any) -> State:
    """Return a game in which seat 0 has made its first move of a turn, to a space, with these
    changes."""
    state = put(started(seats), 0, at=space, **changes)
    return replace(state, moves=1)


def tower(state: State, space: str, card: int | None) -> State:
    """The state with another major on a tower, taken from the deck or changed with it."""
    at = TOWERS.index(space)
    towers = [*state.towers]
    old, towers[at] = towers[at], card
    deck = [*state.stock.majors]
    if old is not None:
        deck[old] += 1
    if card is not None:
        assert deck[card]
        deck[card] -= 1
    return replace(state, towers=tuple(towers), stock=replace(state.stock, majors=tuple(deck)))


def tile(state: State, area: str, name: str, trade: int = 1) -> State:
    """The state with a tile at a rest area; the one that lay there changes places with it."""
    rests = [*state.rests]
    names = [rest.tile for rest in rests]
    at = RESTS.index(area)
    if name in names:
        rests[names.index(name)] = rests[at]
    else:
        side = "AB".index(name[0])
        deck = [*state.stock.tiles[side]]
        deck[int(name[1:]) - 1] -= 1
        deck[int(names[at][1:]) - 1] += 1
        tiles = [*state.stock.tiles]
        tiles[side] = tuple(deck)
        state = replace(state, stock=replace(state.stock, tiles=tuple(tiles)))
    rests[at] = Rest(name, trade)
    return replace(state, rests=tuple(rests))


def major(value: int, frame: str) -> int:
    """The number of a major."""
    (found,) = [i for i, m in enumerate(MAJORS) if (m.value, m.frame) == (value, frame)]
    return found


def minor(*goods: str) -> int:
    """The number of a minor."""
    (found,) = [i for i, m in enumerate(MINORS) if sorted(m.names) == sorted(goods)]
    return found


def offered(state: State, kind: type, seat: int | None = None) -> list[Any]:
    """The choices of a kind."""
    seat = state.seat if seat is None else seat
    return [choice for choice in rules.choices(state, seat) if isinstance(choice, kind)]


def act(state: State, *commands: Any, draw: Any = no_draw) -> State:
    """Play commands of the seat to act, each of them a choice; return the state."""
    for command in commands:
        assert command in rules.choices(state, state.seat), command
        state = rules.decide(state, state.seat, command, draw).state
    return state


def events(state: State, command: Any, draw: Any = no_draw) -> list[Any]:
    """Return the events of a command."""
    return rules.decide(state, state.seat, command, draw).events


def refused(state: State, command: Any, seat: int | None = None) -> str:
    """Return the code with which a command is rejected; it must be no choice either."""
    seat = state.seat if seat is None else seat
    assert command not in rules.choices(state, seat)
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, seat, command, no_draw)
    assert format_reason("courtyard", error.value)
    return error.value.code


def thought(state: State, seat: int, rng: random.Random, level: Level = "good") -> Any:
    """Return the bot's command for the seat."""
    seen = bots.observe(state, seat)
    return bots.suggest(seen, seat, rules.groups(state, seat), Thinking(rng.randrange, level))


ORDERS = (FillOrder, FillKept, Share)
SELDOM = (
    *(Sell, SellTwo, ExpandPurse, VisitGate, Repay, Exchange, SwapTwo, Roll, EndTurn, Discard),
)
OFTEN = (Buy, Borrow)
Step: TypeAlias = tuple[State, int, Any, list[Any], State]


def by_chance(choices: list[Any], rng: random.Random) -> Any:
    """Any choice of any kind, but of an order one lives: what completes it is always taken, what
    gives goods and time away seldom. By chance alone a game takes 50,000 commands and more."""
    kinds: dict[type, list[Any]] = {}
    for choice in choices:
        kinds.setdefault(type(choice), []).append(choice)
    orders = [kind for kind in ORDERS if kind in kinds]
    names = orders[:1] or [*kinds]
    weights = [0.05 if kind in SELDOM else 3 if kind in OFTEN else 1 for kind in names]
    return rng.choice(kinds[rng.choices(names, weights)[0]])


def chance_game(seats: int, rng: random.Random, limit: int) -> Iterator[Step]:
    """Yield a whole game of players `by_chance`, in the form of `random_game`."""
    state = rules.setup(Options(), seats, rng.randrange).state
    for _ in range(limit):
        acting = rules.to_act(state)
        if not acting:
            return
        (seat,) = acting
        command = by_chance(rules.choices(state, seat), rng)
        course = rules.decide(state, seat, command, rng.randrange)
        yield state, seat, command, course.events, course.state
        state = course.state
    raise AssertionError(f"no end after {limit} commands")


class NoEndError(AssertionError):
    """A game has not ended within this many commands."""

    def __init__(self, limit: int, state: State) -> None:
        super().__init__(f"no end after {limit} commands")
        self.state = state


def random_game(
    seats: int, rng: random.Random, limit: int, bot: float = 0.8, keep: bool = False
) -> Iterator[Step]:
    """A whole game: state, seat, command, its events, state after it.

    A good bot is asked for so large a part of the moves, the others are any.
    """
    state = rules.setup(Options(keep), seats, rng.randrange).state
    for _ in range(limit):
        acting = rules.to_act(state)
        if not acting:
            return
        (seat,) = acting
        choices = rules.choices(state, seat)
        assert choices, "who is to act has a choice"
        asked = rng.random() < bot
        command = thought(state, seat, rng) if asked else rng.choice(choices)
        course = rules.decide(state, seat, command, rng.randrange)
        yield state, seat, command, course.events, course.state
        state = course.state
    raise NoEndError(limit, state)
