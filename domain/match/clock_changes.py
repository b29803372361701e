"""How each decision changes the seat clocks: the clocks' part of the fold.

`EVENT_SITUATIONS`, `TURN_SITUATIONS` and `RUN_SITUATIONS` list the situations of a seat, each with
its condition and its effect on the seat's clock; the first row whose condition holds applies.
Clocks change only at decisions, by their instants, so replaying a match gives the same clocks.
Times are milliseconds.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match import events
from domain.match.clock_undo import restore_clocks
from domain.match.clocks import (
    SeatClock,
    find_clock_owner,
    is_stopped_while_free,
    remember_turn,
    stop_clock,
)
from domain.match.commands import Undo
from domain.match.history import Decision
from domain.match.moment import Moment
from domain.match.time_control import Pace, initial_time, time_for_turn

if TYPE_CHECKING:
    from domain.match.timeline import Timeline


class Change(Struct, frozen=True):
    """A decision at the instant ``at`` that led from the moment ``before`` to ``after``.

    ``acting``: the seats that are to act after it; ``is_new_turn``: whether a turn of the game
    began, other than by an undo or a redo; ``is_take_back``: whether a player undid something;
    ``mover``: the player who owns the clock of the deciding seat, None for the system.
    ``counts_turns``: whether clock rules 2 or later apply.
    """

    pace: Pace
    at: int
    before: Moment
    after: Moment
    acting: tuple[int, ...]
    is_new_turn: bool
    is_take_back: bool
    mover: str | None
    counts_turns: bool


class EventSituation(Struct, frozen=True):
    """A row of `EVENT_SITUATIONS`: an event about a seat, and what becomes of the seat's clock."""

    name: str
    event: type
    applies: Callable[[Pace, Moment, SeatClock, Any], bool]
    effect: Callable[[Pace, Moment, SeatClock, Any, int], SeatClock]


class Situation(Struct, frozen=True):
    """A row of `TURN_SITUATIONS` or `RUN_SITUATIONS`; the arguments are a decision, seat, clock."""

    name: str
    applies: Callable[[Change, int, SeatClock], bool]
    effect: Callable[[Change, int, SeatClock], SeatClock]


def clocks_after(
    timeline: "Timeline", before: Moment | None, moment: Moment, step: Decision
) -> tuple[SeatClock, ...]:
    """Return the clocks after a decision that led from the moment ``before`` to ``moment``.

    ``before`` is None for the first decision. The match must have a time control.
    """
    pace, at = moment.opened.pace, step.at
    assert pace is not None
    if before is None:
        return tuple(SeatClock(initial_time(pace)) for _ in moment.seats)
    clocks, is_turned_back = before.clocks, False
    for event in step.events:
        if isinstance(event, events.MovesUndone | events.MovesRedone):
            clocks, is_turned_back = restore_clocks(timeline, before, clocks, event, at), True
        elif type(event) in _ROWS_BY_EVENT:
            clocks = _apply_event(pace, before, clocks, event, at)
    counts_turns = moment.opened.clock_rules >= 2
    mover = None if step.seat is None else find_clock_owner(before, step.seat)
    if counts_turns and not is_turned_back and moment.head != before.head:
        clocks = _forget_turns(before, clocks, mover)
    change = Change(
        pace,
        at,
        before,
        moment,
        timeline.to_act(moment) if moment.state is not None else (),
        not is_turned_back and _turn_began(timeline, before, moment),
        isinstance(step.command, Undo),
        mover,
        counts_turns,
    )
    return tuple(
        _apply_first(
            RUN_SITUATIONS, change, seat, _apply_first(TURN_SITUATIONS, change, seat, clock)
        )
        for seat, clock in enumerate(clocks)
    )


def _apply_first(
    table: tuple[Situation, ...], change: Change, seat: int, clock: SeatClock
) -> SeatClock:
    """Return the clock after the first situation of a table that applies."""
    for row in table:
        if row.applies(change, seat, clock):
            return row.effect(change, seat, clock)
    return clock


def _always(*_arguments: Any) -> bool:
    return True


def _turn_began(timeline: "Timeline", before: Moment, moment: Moment) -> bool:
    if before.state is None or moment.state is None or before.state is moment.state:
        return False
    return timeline.rules.turn(before.state) != timeline.rules.turn(moment.state)


# --- events about a seat ------------------------------------------------------------------------


def _apply_event(
    pace: Pace, before: Moment, clocks: tuple[SeatClock, ...], event: Any, at: int
) -> tuple[SeatClock, ...]:
    """Return the clocks after an event of a type in `EVENT_SITUATIONS`."""
    seat: int = event.about if isinstance(event, events.Voted) else event.seat
    clock = clocks[seat]
    for row in _ROWS_BY_EVENT[type(event)]:
        if row.applies(pace, before, clock, event):
            changed = row.effect(pace, before, clock, event, at)
            return (*clocks[:seat], changed, *clocks[seat + 1 :])
    return clocks


def _is_left_open(_pace: Pace, before: Moment, _clock: SeatClock, event: events.SeatLeft) -> bool:
    return event.kind == "open" and before.status == "playing"


def _is_left_open_by_rules_1(
    pace: Pace, before: Moment, clock: SeatClock, event: events.SeatLeft
) -> bool:
    return _is_left_open(pace, before, clock, event) and before.opened.clock_rules < 2


def _is_return(_pace: Pace, _before: Moment, clock: SeatClock, event: events.SeatTaken) -> bool:
    return bool(event.player) and event.player == clock.kept_for


def _record_vote(
    _pace: Pace, before: Moment, clock: SeatClock, event: events.Voted, _at: int
) -> SeatClock:
    player = before.seats[event.seat].player or ""
    others = tuple(each for each in clock.for_bot if each != player)
    return replace(clock, for_bot=(*others, player) if event.bot else others)


def _keep_for_player(
    _pace: Pace, before: Moment, clock: SeatClock, event: events.SeatLeft, _at: int
) -> SeatClock:
    return replace(clock, away=False, kept_for=before.seats[event.seat].player or "")


def _reset_to_full(
    pace: Pace, _before: Moment, clock: SeatClock, _event: Any, _at: int
) -> SeatClock:
    return _reset_clock(clock, initial_time(pace))


def _reset_clock(clock: SeatClock, left: int) -> SeatClock:
    """Return a new clock for the seat's next holder, with the same ``turns`` and ``given``."""
    return SeatClock(left, turns=clock.turns, given=clock.given)


EVENT_SITUATIONS = (
    EventSituation(
        "time ran out",
        events.TimeRanOut,
        _always,
        lambda _pace, _before, clock, _event, _at: replace(clock, left=0, since=None, out=True),
    ),
    EventSituation(
        "vacation began",
        events.WentAway,
        _always,
        lambda _pace, _before, clock, _event, _at: replace(clock, away=True),
    ),
    EventSituation(
        "vacation ended",
        events.CameBack,
        _always,
        lambda _pace, _before, clock, _event, _at: replace(clock, away=False),
    ),
    EventSituation("vote cast or withdrawn", events.Voted, _always, _record_vote),
    EventSituation(
        "seat recovered: its player is present",
        events.SeatRecovered,
        _always,
        lambda _pace, _before, clock, _event, _at: replace(clock, for_bot=(), away=False),
    ),
    EventSituation(
        "seat left open, clock rules 1: the clock stops",
        events.SeatLeft,
        _is_left_open_by_rules_1,
        lambda pace, before, clock, event, at: _keep_for_player(
            pace, before, stop_clock(pace, clock, at), event, at
        ),
    ),
    EventSituation(
        "seat left open, clock rules 2: the clock is kept",
        events.SeatLeft,
        _is_left_open,
        _keep_for_player,
    ),
    EventSituation("seat lost or given up", events.SeatLeft, _always, _reset_to_full),
    EventSituation(
        "seat taken again by the player who left it",
        events.SeatTaken,
        _is_return,
        lambda _pace, _before, clock, _event, _at: replace(clock, kept_for=""),
    ),
    EventSituation("seat taken by a new player", events.SeatTaken, _always, _reset_to_full),
    EventSituation(
        "seat reclaimed from a bot: a used-up bank stays empty",
        events.SeatReclaimed,
        _always,
        lambda _pace, _before, clock, _event, _at: _reset_clock(clock, 0),
    ),
)
"""What events do to the clock of the seat that they are about."""
_ROWS_BY_EVENT: dict[type, tuple[EventSituation, ...]] = {
    row.event: tuple(other for other in EVENT_SITUATIONS if other.event is row.event)
    for row in EVENT_SITUATIONS
}


# --- turns --------------------------------------------------------------------------------------


def _is_asked(change: Change, seat: int, clock: SeatClock) -> bool:
    """Return whether the seat is to act and has a player whose time counts."""
    if seat not in change.acting:
        return False
    return change.after.seats[seat].kind == "human" or bool(clock.kept_for)


def _is_same_turn(change: Change, seat: int, clock: SeatClock) -> bool:
    asked = _is_asked(change, seat, clock)
    return asked == clock.asked and not (asked and change.is_new_turn)


def _end_turn(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    clock = stop_clock(change.pace, clock, change.at)
    return replace(clock, asked=False, out=False, for_bot=())


def _continue_turn(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    """Return the clock stopped and reset to the turn that the seat had ended and now continues."""
    clock = stop_clock(change.pace, clock, change.at)
    return replace(clock, asked=True, out=clock.left == 0)


def _continue_turn_by_rules_1(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    left = stop_clock(change.pace, clock, change.at).left
    return SeatClock(left, asked=True, away=clock.away, kept_for=clock.kept_for)


def _begin_turn_by_rules_1(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    left = time_for_turn(change.pace, stop_clock(change.pace, clock, change.at).left)
    return SeatClock(left, asked=True, away=clock.away, kept_for=clock.kept_for)


def _begin_turn_by_own_move(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    """Return the clock in the next turn; remember the turn that its player can undo freely."""
    clock = stop_clock(change.pace, clock, change.at)
    return _begin_turn(change.pace, clock, remember_turn(clock))


def _begin_turn_by_others(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    return _begin_turn(change.pace, stop_clock(change.pace, clock, change.at), clock.earlier)


TURN_SITUATIONS = (
    Situation("same turn, or not to act", _is_same_turn, lambda _change, _seat, clock: clock),
    Situation(
        "turn ends", lambda change, seat, clock: not _is_asked(change, seat, clock), _end_turn
    ),
    # Taking back a secret choice continues the turn in which it was made.
    Situation(
        "turn continues after a take-back, clock rules 1",
        lambda change, _seat, _clock: change.is_take_back and not change.counts_turns,
        _continue_turn_by_rules_1,
    ),
    Situation(
        "turn continues after a take-back, clock rules 2",
        lambda change, _seat, _clock: change.is_take_back,
        _continue_turn,
    ),
    Situation(
        "turn begins, clock rules 1",
        lambda change, _seat, _clock: not change.counts_turns,
        _begin_turn_by_rules_1,
    ),
    Situation(
        "turn begins by a move of the seat's own player, clock rules 2",
        lambda change, seat, _clock: change.mover == find_clock_owner(change.before, seat),
        _begin_turn_by_own_move,
    ),
    Situation("turn begins by a move of another, clock rules 2", _always, _begin_turn_by_others),
)
"""How a turn begins, continues or ends for a seat."""


def _begin_turn(pace: Pace, clock: SeatClock, earlier: tuple[tuple[int, int], ...]) -> SeatClock:
    """Return a stopped clock, advanced to the beginning of the seat's next turn.

    A turn that was undone and begins again gets at most the time that was left in it. ``earlier``:
    the new value of this field of the clock.
    """
    turns = clock.turns + 1
    found = [left for number, left in earlier if number == turns]
    left = min([time_for_turn(pace, clock.left), *found])
    return replace(
        clock,
        left=left,
        asked=True,
        out=left == 0,
        for_bot=(),
        turns=turns,
        given=clock.given + left - clock.left,
        earlier=earlier,
    )


def _forget_turns(
    before: Moment, clocks: tuple[SeatClock, ...], mover: str | None
) -> tuple[SeatClock, ...]:
    """Return the clocks after a move, with ``earlier`` cleared for all players but the mover.

    Undoing their turns before the move now needs consent. ``mover``: the player who moved, None for
    the system.
    """
    return tuple(
        replace(clock, earlier=())
        if clock.earlier and find_clock_owner(before, seat) != mover
        else clock
        for seat, clock in enumerate(clocks)
    )


# --- running and stopped clocks -----------------------------------------------------------------


def _stop(change: Change, _seat: int, clock: SeatClock) -> SeatClock:
    return stop_clock(change.pace, clock, change.at)


def _is_being_recovered(change: Change, seat: int, _clock: SeatClock) -> bool:
    request = change.after.recovery
    return request is not None and request.about == seat


RUN_SITUATIONS = (
    Situation("not to act", lambda _change, _seat, clock: not clock.asked, _stop),
    Situation("out of time", lambda _change, _seat, clock: clock.out, _stop),
    Situation("on vacation", lambda _change, _seat, clock: clock.away, _stop),
    Situation("being recovered", _is_being_recovered, _stop),
    Situation(
        "left open, clock rules 1",
        lambda change, _seat, clock: is_stopped_while_free(change.after, clock),
        _stop,
    ),
    Situation(
        "running",
        lambda _change, _seat, clock: clock.since is not None,
        lambda _change, _seat, clock: clock,
    ),
    Situation("to start", _always, lambda change, _seat, clock: replace(clock, since=change.at)),
)
"""Whether the clock of a seat runs."""
