"""Seat clocks, and the handlers of timeouts and vacations.

A clock runs while its seat is to act, unless a bot holds the seat, time has run out, or a vacation
or recovery stops it (`domain.match.clock_changes`). Times are milliseconds.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.match.commands import ComeBack, EndRecovery, GoAway, RecoverSeat, RunOut
from domain.match.events import CameBack, SeatLeft, TimeRanOut, WentAway
from domain.match.history import Decision, Outcome
from domain.match.moment import Moment
from domain.match.seats import Refused
from domain.match.time_control import (
    Pace,
    TimeoutAction,
    allows_vacation,
    counted_time,
    deadline_after,
)


class SeatClock(Struct, frozen=True):
    """The clock of one seat.

    - ``left``: the time left when the clock last started or stopped; ``since``: the instant at
      which it started, None while it is stopped.
    - ``asked``: the seat is to act; ``out``: its time has run out in this turn; ``away``: its
      player is on vacation; ``for_bot``: the players who voted for a bot.
    - ``kept_for``: the player who left the seat open. The clock is kept in case they
      come back; any other player who takes the seat gets a new one.

    Only with clock rules 2 or later:

    - ``turns``: the number of turns of the seat that have begun, undone ones not counted;
      ``given``: the time that these turns have added.
    - ``earlier``: ``(number of the turn, milliseconds left)`` of turns that its player has undone,
      or can undo without consent, and that may begin again.
    """

    left: int
    since: int | None = None
    asked: bool = False
    out: bool = False
    away: bool = False
    for_bot: tuple[str, ...] = ()
    kept_for: str = ""
    turns: int = 0
    given: int = 0
    earlier: tuple[tuple[int, int], ...] = ()


def runs_out_at(pace: Pace, clock: SeatClock) -> int | None:
    """Return the instant at which the time of a seat runs out; None while its clock is stopped."""
    return None if clock.since is None else deadline_after(pace, clock.since, clock.left)


def next_timeout(moment: Moment) -> tuple[int, int] | None:
    """Return ``(instant, seat)`` of the clock that runs out first; None if no clock runs."""
    pace = moment.opened.pace
    if pace is None:
        return None
    running = [
        (clock.since, seat) for seat, clock in enumerate(moment.clocks) if clock.since is not None
    ]
    return min(
        [(deadline_after(pace, since, moment.clocks[seat].left), seat) for since, seat in running],
        default=None,
    )


def seats_with_bot_move(moment: Moment) -> list[int]:
    """Return the seats that are out of time and for which a bot makes this move ("bot_moves")."""
    pace = moment.opened.pace
    if pace is None or pace.on_end != "bot_moves":
        return []
    return [
        seat
        for seat, clock in enumerate(moment.clocks)
        if clock.out and not is_stopped_while_free(moment, clock)
    ]


def is_stopped_while_free(moment: Moment, clock: SeatClock) -> bool:
    """Return whether the clock is stopped because its player left the seat open."""
    return bool(clock.kept_for) and moment.opened.clock_rules < 2


def find_clock_owner(moment: Moment, seat: int, later: Moment | None = None) -> str:
    """Return the player who owns the seat's clock: its holder or the player who left it open.

    Empty if there is neither. ``later``: a moment to whose player ids the result is mapped, because
    recovery changes the id of a player.
    """
    player = moment.seats[seat].player or moment.clocks[seat].kept_for
    for moved, old, new in later.moved if later else ():
        if moved == seat and old == player:
            player = new
    return player


def stop_clock(pace: Pace, clock: SeatClock, at: int) -> SeatClock:
    """Return the clock stopped at the instant ``at``; unchanged if it is not running."""
    if clock.since is None:
        return clock
    left = max(0, clock.left - counted_time(pace, clock.since, at))
    return replace(clock, left=left, since=None)


def remember_turn(clock: SeatClock) -> tuple[tuple[int, int], ...]:
    """Return ``earlier`` with the current turn and its time left added."""
    others = tuple(each for each in clock.earlier if each[0] != clock.turns)
    return (*others, (clock.turns, clock.left))


def is_automatic(decision: Decision) -> bool:
    """Return whether a decision is neither a move nor a reaction of a player to the match.

    These are expired clocks, the begin and end of vacations, recoveries by PIN and the ends of
    recovery requests.
    """
    return isinstance(decision.command, _AUTOMATIC_COMMANDS)


_AUTOMATIC_COMMANDS = (RunOut, GoAway, ComeBack, EndRecovery, RecoverSeat)


# --- commands -----------------------------------------------------------------------------------


def apply_timeout(before: Moment, seat: int | None, _command: RunOut, at: int) -> Outcome:
    """Apply the timeout of a seat, with the consequence ``on_end`` of the time control.

    The seat may have been left open by its player. "bot_takes" and "vote" become "nudge" if there
    is no other player. Raises `Refused` if the clock is stopped or has time left.
    """
    pace = before.opened.pace
    if pace is None or seat is None:
        raise Refused("no_clock", "error.no_clock")
    over = runs_out_at(pace, before.clocks[seat])
    if over is None or at < over:
        raise Refused("time_left", "error.time_left")
    here = before.seats[seat]
    alone = before.people() == {here.player}
    follows: TimeoutAction = (
        "nudge" if alone and pace.on_end in ("bot_takes", "vote") else pace.on_end
    )
    left = (SeatLeft(seat, here.name, "bot"),) if follows == "bot_takes" else ()
    return Outcome((TimeRanOut(seat, follows), *left))


def start_vacation(before: Moment, seat: int | None, _command: GoAway, _at: int) -> Outcome:
    clock = _clock_of(before, seat)
    assert seat is not None
    pace = before.opened.pace
    assert pace is not None
    if not allows_vacation(pace, before.opened.clock_rules):
        raise Refused("no_vacation", "error.no_vacation")
    if clock.away:
        raise Refused("away", "error.away")
    return Outcome((WentAway(seat),))


def end_vacation(before: Moment, seat: int | None, _command: ComeBack, _at: int) -> Outcome:
    clock = _clock_of(before, seat)
    assert seat is not None
    if not clock.away:
        raise Refused("not_away", "error.not_away")
    return Outcome((CameBack(seat),))


def _clock_of(before: Moment, seat: int | None) -> SeatClock:
    if before.opened.pace is None or before.status == "finished" or seat is None:
        raise Refused("no_clock", "error.no_clock")
    if before.seats[seat].kind != "human":
        raise Refused("nobody_there", "error.nobody_there")
    return before.clocks[seat]
