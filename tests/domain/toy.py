"""A game of nothing much, to test the kernel without any real game: take 1-3 from a pile, or
roll a die and take that; a peek shows something hidden; one may whisper a secret number."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Choice, IllegalMove, Standing, pick_any


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


COMMANDS = (Take, Roll, Peek)
EVENTS = (PileLaid, Taken, Rolled, Peeked, TurnPassed)
TEXT = {"take": "Take {n}", "roll": "Roll", "peek": "Peek", "did": "{who} did"}


def setup(options: dict[str, Any], seats: int, draw: Any) -> list[Any]:
    return [PileLaid(options.get("size", 10) + draw(5), seats)]


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


def choices(state: State, seat: int) -> list[Choice]:
    if seat not in to_act(state):
        return []
    takes = [Choice(Take(n), "take", {"n": n}) for n in range(1, min(3, state.pile) + 1)]
    return [*takes, Choice(Roll(), "roll", {}), Choice(Peek(), "peek", {})]


def decide(state: State, seat: int, command: Any, draw: Any) -> list[Any]:
    match command:
        case Take(n=n) if 1 <= n <= min(3, state.pile):
            return [Taken(seat, n), TurnPassed(seat)]
        case Roll():
            return [Rolled(seat, draw(6) + 1), TurnPassed(seat)]
        case Peek():
            return [Peeked(seat)]
    raise IllegalMove("wrong_size", "Take one to three.")


def take_back(state: State, seat: int) -> list[Any]:
    return []


def reveals(event: Any) -> bool:
    return isinstance(event, Peeked)


def time_limit(state: State) -> None:
    return None


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return {"pile": state.pile}


def redact(event: Any, viewer: int | None) -> Any:
    return event


def outcome(state: State) -> tuple[Standing, ...] | None:
    if state.pile:
        return None
    return tuple(Standing(s, 1 + (s != state.seat), 0, {}) for s in range(state.seats))


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    return "did", {"who": getattr(event, "seat", 0)}


def suggest(state: State, seat: int, options: list[Choice], draw: Any) -> Choice:
    return pick_any(options, draw)
