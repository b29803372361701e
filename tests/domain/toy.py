"""A minimal game for kernel tests.

Take 1-3 from a pile, or roll a die and take that many; a peek reveals something hidden, and a
whisper sends a secret number.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.choice_groups import groups_from_choices
from domain.contract.event_recorder import EventRecorder
from domain.contract.game import IllegalMove, Label, Standing
from domain.contract.trait_defaults import keeps_secrets, redact, take_back, time_limit


class Take(Struct, frozen=True, tag=True):
    n: int


class Roll(Struct, frozen=True, tag=True):
    pass


class Peek(Struct, frozen=True, tag=True):
    pass


class PileLaid(Struct, frozen=True, tag=True):
    size: int
    seats: int


class Taken(Struct, frozen=True, tag=True):
    seat: int
    n: int


class Rolled(Struct, frozen=True, tag=True):
    seat: int
    n: int


class Peeked(Struct, frozen=True, tag=True):
    seat: int


class TurnPassed(Struct, frozen=True, tag=True):
    seat: int


class State(Struct, frozen=True):
    pile: int
    seats: int
    seat: int = 0
    turn: int = 1
    peeks: int = 0


__all__ = ["keeps_secrets", "redact", "take_back", "time_limit"]

COMMANDS = (Take, Roll, Peek)
EVENTS = (PileLaid, Taken, Rolled, Peeked, TurnPassed)


class Options(Struct, frozen=True):
    size: int = 10


def setup(options: Options, seats: int, draw: Any, version: int = 1) -> EventRecorder[State, Any]:
    return EventRecorder.begin(PileLaid(options.size + draw(5), seats), evolve)


def evolve(state: State | None, event: Any) -> State:
    match event:
        case PileLaid(size=size, seats=seats):
            return State(size, seats)
        case Taken(n=n) | Rolled(n=n):
            return replace(state, pile=max(0, state.pile - n))
        case Peeked():
            return replace(state, peeks=state.peeks + 1)
        case _:
            return replace(state, seat=(state.seat + 1) % state.seats, turn=state.turn + 1)


def to_act(state: State) -> tuple[int, ...]:
    return (state.seat,) if state.pile else ()


def turn(state: State) -> int:
    return state.turn


def choices(state: State, seat: int) -> list[Any]:
    if seat not in to_act(state):
        return []
    return [*map(Take, range(1, min(3, state.pile) + 1)), Roll(), Peek()]


groups = groups_from_choices(choices)


def label(state: State, seat: int, command: Any) -> Label:
    args = {"n": command.n} if isinstance(command, Take) else {}
    return Label(type(command).__name__.lower(), args)


def decide(
    state: State, seat: int, command: Any, draw: Any, version: int = 1
) -> EventRecorder[State, Any]:
    course: EventRecorder[State, Any] = EventRecorder(state, evolve)
    for event in _made(state, seat, command, draw):
        course.emit(event)
    return course


def _made(state: State, seat: int, command: Any, draw: Any) -> list[Any]:
    match command:
        case Take(n=n) if 1 <= n <= min(3, state.pile):
            return [Taken(seat, n), TurnPassed(seat)]
        case Roll():
            return [Rolled(seat, draw(6) + 1), TurnPassed(seat)]
        case Peek():
            return [Peeked(seat)]
    raise IllegalMove("wrong_size", "error.wrong_size")


def reveals(event: Any) -> bool:
    return isinstance(event, Peeked)


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return {"pile": state.pile}


def outcome(state: State) -> tuple[Standing, ...] | None:
    if state.pile:
        return None
    return tuple(Standing(s, 1 + (s != state.seat), 0, {}) for s in range(state.seats))


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    return "did", {"who": getattr(event, "seat", 0)}
