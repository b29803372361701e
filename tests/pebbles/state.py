"""The position of Pebbles, and the fold."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.games.pebbles.events import HandClosed, HandOpened, PebblesCounted, TableSwept


class State(Struct, frozen=True):
    """``hands``: the pebbles each seat holds, None while its hand is open."""

    rounds: int
    keep_shut: bool
    hands: tuple[int | None, ...]
    scores: tuple[int, ...]
    counted: int = 0


def evolve(state: State | None, event: Any) -> State:
    """Return the state after the event."""
    if isinstance(event, TableSwept):
        nothing = (None,) * event.seats
        return State(event.rounds, event.keep_shut, nothing, (0,) * event.seats)
    assert state is not None
    match event:
        case HandClosed(seat=seat, pebbles=pebbles):
            return replace(state, hands=_with(state.hands, seat, pebbles))
        case HandOpened(seat=seat):
            return replace(state, hands=_with(state.hands, seat, None))
        case PebblesCounted(scores=scores):
            return replace(
                state,
                hands=(None,) * len(scores),
                scores=tuple([a + b for a, b in zip(state.scores, scores, strict=True)]),
                counted=state.counted + 1,
            )
    return state


def _with(hands: tuple[int | None, ...], seat: int, held: int | None) -> tuple[int | None, ...]:
    return (*hands[:seat], held, *hands[seat + 1 :])
