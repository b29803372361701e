"""Builders for races and bids in the tests of Caravane."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from domain.contract.bots import Thinking, suggest_command
from domain.games.caravane import events, rules
from domain.games.caravane.commands import Bid
from domain.games.caravane.state import State
from domain.games.caravane.title import TITLE
from domain.match.commands import Open
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.toolkit.randomness import compute_commitment, draws_from_seed

OPTIONS = [
    {"split": split, "food": food, "keep_secrets": keep}
    for split, food, keep in product([False, True], repeat=3)
]


def no_draw(n: int) -> int:
    raise AssertionError("no chance in this game")


def fold(state: Any, events: list[Any]) -> Any:
    for event in events:
        state = rules.evolve(state, event)
    return state


def race(seats: int, split: bool = False, food: bool = False, keep: bool = False) -> State:
    """A race right after the setup."""
    options = {"split": split, "food": food, "keep_secrets": keep}
    return fold(None, rules.setup(rules.Options(**options), seats, no_draw).events)


def act(state: State, seat: int, command: Any) -> tuple[State, list[Any]]:
    """Play the seat's command; return the new state and its events."""
    events = rules.decide(state, seat, command, no_draw).events
    return fold(state, events), events


def bid_all(state: State, *bids: int | tuple[int, bool] | None) -> tuple[State, list[Any]]:
    """Let all seats bid in seat order; ``(gourds, True)`` adds the bag, None does not race."""
    events: list[Any] = []
    for seat, bid in enumerate(bids):
        if bid is not None:
            command = Bid(*bid) if isinstance(bid, tuple) else Bid(bid)
            state, events = act(state, seat, command)
    return state, events


def put(state: State, seat: int, **changes: Any) -> State:
    """Return the state with one racer changed."""
    racers = list(state.racers)
    racers[seat] = replace(racers[seat], **changes)
    return replace(state, racers=tuple(racers))


def stage(state: State, number: int) -> State:
    """Return the state with all camels at the start of another stage."""
    return fold(state, [events.StageBegun(number), events.RoundBegun(state.number)])


def those(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def opened(seats: int, options: dict[str, Any], people: int | None = None) -> Timeline:
    """Return a started match; ``people`` players share the seats in turn (default: one each)."""
    seed = bytes(32)
    who = [f"player{i % (people or seats)}" for i in range(seats)]
    chairs = tuple(Seat("human", f"Seat {i}", who[i]) for i in range(seats))
    timeline = Timeline(rules)
    at_table = (chairs, "private", who[0], compute_commitment(seed), seed.hex())
    play(timeline, None, Open(TITLE.slug, TITLE.rules_version, options, *at_table))
    return timeline


def play(timeline: Timeline, seat: int | None, *commands: Any) -> None:
    timeline.play(seat, commands, 1_700_000_000_000, draws_from_seed)


def random_moves(state: State, rng: random.Random) -> Iterator[tuple[State, int, Any]]:
    """Yield each state of a random race by bots and random play, with the seat and its next
    command."""
    while seats := rules.to_act(state):
        seat = rng.choice(seats)
        choices = rules.choices(state, seat)
        if rng.random() < 0.7:
            choice = suggest_command("caravane", state, seat, Thinking(rng.randrange, "easy"))
        else:
            choice = rng.choice(choices)
        yield state, seat, choice
        state, _ = act(state, seat, choice)
    yield state, -1, None
