"""The sequence of play of Pebbles."""

from typing import TYPE_CHECKING, Any

from domain.contract.choice_groups import groups_from_choices
from domain.contract.event_recorder import EventRecorder
from domain.contract.game import ALL_SEEING, Draw, IllegalMove, Label, Rules, Standing
from domain.contract.trait_defaults import time_limit
from domain.games.pebbles.events import (
    CloseHand,
    HandClosed,
    HandOpened,
    PebblesCounted,
    TableSwept,
)
from domain.games.pebbles.options import Options
from domain.games.pebbles.state import State, evolve

Command = CloseHand
Event = TableSwept | HandClosed | HandOpened | PebblesCounted
COMMANDS = (CloseHand,)
EVENTS = (TableSwept, HandClosed, HandOpened, PebblesCounted)


def setup(
    options: Options, seats: int, draw: Draw, version: int = 1
) -> EventRecorder[State, Event]:
    return EventRecorder.begin(TableSwept(seats, options.rounds, options.keep_shut), evolve)


def to_act(state: State) -> tuple[int, ...]:
    if state.counted == state.rounds:
        return ()
    return tuple([seat for seat, held in enumerate(state.hands) if held is None])


def turn(state: State) -> int:
    return state.counted + 1


def choices(state: State, seat: int) -> list[Command]:
    if seat not in to_act(state):
        return []
    return [CloseHand(n) for n in range(4)]


groups = groups_from_choices(choices)


def label(state: State, seat: int, command: Command) -> Label:
    return Label("hold", {"n": command.pebbles})


def decide(
    state: State, seat: int, command: Command, draw: Draw, version: int = 1
) -> EventRecorder[State, Event]:
    if not 0 <= command.pebbles <= 3:
        raise IllegalMove("no_such_hand", "refusal.no_such_hand")
    course: EventRecorder[State, Event] = EventRecorder(state, evolve)
    course.emit(HandClosed(seat, command.pebbles))
    if None not in course.state.hands:
        course.emit(PebblesCounted(_scores(course.state.hands)))
    return course


def _scores(hands: tuple[int | None, ...]) -> tuple[int, ...]:
    alone = [held or 0 for held in hands if hands.count(held) == 1]
    most = max(alone, default=0)
    return tuple([most if held == most and alone else 0 for held in hands])


def take_back(state: State, seat: int) -> list[Any]:
    return [HandOpened(seat)] if state.hands[seat] is not None else []


def reveals(event: Any) -> bool:
    return isinstance(event, PebblesCounted)


def keeps_secrets(options: Options) -> bool:
    return options.keep_shut


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return {
        "round": min(state.counted + 1, state.rounds),
        "scores": state.scores,
        "shut": tuple([held is not None for held in state.hands]),
        "mine": state.hands[viewer] if viewer is not None and viewer >= 0 else None,
    }


def redact(event: Any, viewer: int | None) -> Any:
    if isinstance(event, HandClosed) and viewer not in (event.seat, ALL_SEEING):
        return HandClosed(event.seat, None)
    return event


def outcome(state: State) -> tuple[Standing, ...] | None:
    if to_act(state) or None not in state.hands:
        return None
    order = sorted(range(len(state.scores)), key=lambda seat: -state.scores[seat])
    rank = {seat: 1 + sum(s > state.scores[seat] for s in state.scores) for seat in order}
    return tuple([Standing(seat, rank[seat], state.scores[seat], {}) for seat in order])


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case HandClosed(seat=seat, pebbles=None):
            return "closed", {"who": seat}
        case HandClosed(seat=seat, pebbles=n):
            return "closed-open", {"who": seat, "n": n}
        case HandOpened(seat=seat):
            return "opened", {"who": seat}
        case PebblesCounted(scores=scores):
            return "counted", {"scores": ", ".join([str(score) for score in scores])}
    return "swept", {}


if TYPE_CHECKING:
    from domain.games.pebbles import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
