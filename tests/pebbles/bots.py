"""Bots of Pebbles, and the observation of a seat."""

from msgspec import Struct

from domain.contract.bots import Thinking
from domain.contract.game import Draw, Group
from domain.games.pebbles.events import CloseHand
from domain.games.pebbles.state import State


class Observation(Struct, frozen=True):
    """The seat's own hand, and which other hands are closed."""

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
    """Choose any hand (easy) or mostly a large one (good)."""
    if thinking.level == "easy":
        return CloseHand(thinking.draw(4))
    return CloseHand((3, 3, 2, 3)[thinking.draw(4)])
