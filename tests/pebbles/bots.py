"""Bots of Pebbles, and what a seat knows."""

from msgspec import Struct

from domain.contract.bots import Thinking
from domain.contract.game import Draw, Group
from domain.games.pebbles.events import CloseHand
from domain.games.pebbles.state import State


class Observation(Struct, frozen=True):
    """The own hand, and which others are shut."""

    rounds: int
    keep_shut: bool
    mine: int | None
    shut: tuple[bool, ...]
    scores: tuple[int, ...]
    counted: int


def observe(state: State, seat: int) -> Observation:
    shut = tuple([held is not None for held in state.hands])
    mine = state.hands[seat]
    return Observation(state.rounds, state.keep_shut, mine, shut, state.scores, state.counted)


def determinise(seen: Observation, seat: int, draw: Draw) -> State:
    hands = [draw(4) if shut else None for shut in seen.shut]
    hands[seat] = seen.mine
    return State(seen.rounds, seen.keep_shut, tuple(hands), seen.scores, seen.counted)


def suggest(
    seen: Observation, seat: int, groups: tuple[Group, ...], thinking: Thinking
) -> CloseHand:
    """An easy bot holds anything, a good one mostly many."""
    if thinking.level == "easy":
        return CloseHand(thinking.draw(4))
    return CloseHand((3, 3, 2, 3)[thinking.draw(4)])
