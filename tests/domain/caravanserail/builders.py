"""Builders for games of Caravansérail in tests."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from domain.contract.bots import Thinking, suggest_command
from domain.games.caravanserail import rules
from domain.games.caravanserail.board import BOARDS, caravanserais, destination
from domain.games.caravanserail.commands import Load, Order, SendLooters
from domain.games.caravanserail.events import HomeChosen, KingdomsLaidOut, TreasureDealt, TurnBegun
from domain.games.caravanserail.state import BUSINESS, State, board
from domain.games.caravanserail.title import TITLE

OPTIONS = [
    {"business_minutes": 0, "diplomacy": diplomacy, "keep_secrets": keep}
    for diplomacy, keep in product([False, True], repeat=2)
]
TABLES = [(seats, options) for seats in TITLE.seats for options in OPTIONS]

A, B, C, D, E, F = range(6)
"""In `planning` and `business` seats 0 to 5 live in A to F and hold cards 1 to 6."""

Plan = tuple[tuple[str, str, str], str | None, tuple[dict[str, int], ...]]


def no_draw(n: int) -> int:
    raise AssertionError("no chance here")


def fold(state: Any, events: list[Any]) -> Any:
    for event in events:
        state = rules.evolve(state, event)
    return state


def act(state: State, seat: int, *commands: Any) -> tuple[State, list[Any]]:
    """Play the seat's commands in order; return the new state and all events."""
    made: list[Any] = []
    for command in commands:
        assert command in rules.choices(state, seat)
        events = rules.decide(state, seat, command, no_draw).events
        state = fold(state, events)
        made += events
    return state, made


def planning(seats: int = 6, turn: int = 1, minutes: int = 0) -> State:
    """Return a game at the beginning of a turn, all caravans at home."""
    face = BOARDS[seats]
    homes = caravanserais(face)
    events: list[Any] = [KingdomsLaidOut(seats, tuple(range(seats)), minutes, False, False)]
    for seat in range(seats):
        card = face.cards[seat]
        events.append(HomeChosen(seat, homes[seat]))
        events.append(TreasureDealt(seat, seat + 1, card.start, card.goal))
    return fold(None, [*events, TurnBegun(turn)])


def put(state: State, seat: int, **changes: Any) -> State:
    """Return the state with one seat changed."""
    sheikhs = list(state.sheikhs)
    sheikhs[seat] = replace(sheikhs[seat], **changes)
    return replace(state, sheikhs=tuple(sheikhs))


def at(state: State, seat: int, *positions: str, loads: Any = ({}, {}, {})) -> State:
    """Return the state with the seat's caravans moved; omitted ones stay at home."""
    home = state.sheikhs[seat].home
    there = (*positions, home, home, home)[:3]
    return put(state, seat, positions=there, loads=loads)


def trading(state: State) -> State:
    """Return the same moment in the business phase."""
    return replace(state, phase=BUSINESS)


def stay(state: State, seat: int) -> Plan:
    """Return the resting plan: every caravan stays or stops, no looters, no loads."""
    positions = state.sheikhs[seat].positions
    first, second, third = (destination(board(state), p, None) for p in positions)
    return (first, second, third), None, ({}, {}, {})


def commands(plan: Plan) -> list[Any]:
    orders, trail, loads = plan
    return [
        *[Order(i, to) for i, to in enumerate(orders)],
        SendLooters(trail),
        *[Load(i, wares) for i, wares in enumerate(loads)],
    ]


def plan_all(state: State, plans: dict[int, Any]) -> tuple[State, list[Any]]:
    """All seats plan, those not named rest; the state and events after the last one's step.

    A plan may leave out the loads, or the looters and the loads.
    """
    made: list[Any] = []
    for seat in range(len(state.sheikhs)):
        given = plans.get(seat, ())
        plan = (*given, *stay(state, seat)[len(given) :])
        state, made = act(state, seat, *commands(plan))  # type: ignore[arg-type]
    return state, made


def those(events: list[Any], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def started(seats: int, options: dict[str, Any], rng: random.Random) -> State:
    return fold(None, rules.setup(rules.Options(**options), seats, rng.randrange).events)


def random_moves(
    state: State, rng: random.Random, steps: int, bots: float = 0.6
) -> Iterator[tuple[State, int, Any]]:
    """Play a random game by bots and random play.

    Yields each state with the seat and its next command, and finally the last state with seat -1.
    """
    for _ in range(steps):
        seats = rules.to_act(state)
        if not seats:
            break
        seat = rng.choice(seats)
        choices = rules.choices(state, seat)
        if rng.random() < bots:
            choice = suggest_command("caravanserail", state, seat, Thinking(rng.randrange, "easy"))
        else:
            choice = rng.choice(choices)
        yield state, seat, choice
        state = fold(state, rules.decide(state, seat, choice, rng.randrange).events)
    yield state, -1, None
