"""Seat clocks: how each decision changes them, and the handlers of time, vacation and votes.

A clock runs while its seat is to act, unless a bot holds the seat, time has run out, or a vacation
or recovery stops it. Clocks change only at decisions, by their instants, so replaying a match gives
the same clocks. Times are milliseconds.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match.commands import ComeBack, EndRecovery, GoAway, RecoverSeat, RunOut, Undo, Vote
from domain.match.events import (
    CameBack,
    MovesRedone,
    MovesUndone,
    SeatLeft,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    TimeRanOut,
    Voted,
    WentAway,
)
from domain.match.history import Decision, Outcome
from domain.match.moment import Moment, free_seats
from domain.match.seats import Refused
from domain.match.time_control import (
    Pace,
    TimeoutAction,
    allows_vacation,
    counted_time,
    deadline_after,
    initial_time,
    minimum_time,
    time_for_turn,
)

if TYPE_CHECKING:
    from domain.match.timeline import Timeline


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
        if clock.out and not _is_stopped_while_free(moment, clock)
    ]


def is_automatic(decision: Decision) -> bool:
    """Return whether a decision is neither a move nor a reaction of a player to the match.

    These are expired clocks, the begin and end of vacations, recoveries by PIN and the ends of
    recovery requests.
    """
    return isinstance(decision.command, _AUTOMATIC_COMMANDS)


_AUTOMATIC_COMMANDS = (RunOut, GoAway, ComeBack, EndRecovery, RecoverSeat)


# --- the fold -----------------------------------------------------------------------------------


def clocks_after(
    timeline: "Timeline", before: Moment | None, moment: Moment, step: Decision
) -> tuple[SeatClock, ...]:
    """Return the clocks after a decision that led from the moment ``before`` to ``moment``.

    ``before`` is None for the first decision. The match must have a time control.
    """
    pace = moment.opened.pace
    assert pace is not None
    if before is None:
        return tuple(SeatClock(initial_time(pace)) for _ in moment.seats)
    clocks, turned = before.clocks, False
    for event in step.events:
        if isinstance(event, MovesUndone | MovesRedone):
            clocks, turned = _restore_clocks(timeline, before, clocks, event, step.at), True
        else:
            clocks = _apply_event(pace, before, clocks, event, step.at)
    counts_turns = moment.opened.clock_rules >= 2
    mover = None if step.seat is None else _holder(before, step.seat)
    if counts_turns and not turned and moment.head != before.head:
        clocks = _forget_turns(before, clocks, mover)
    again = not turned and _turn_began(timeline, before, moment)
    acting = timeline.to_act(moment) if moment.state is not None else ()
    taken_back = isinstance(step.command, Undo)
    after = []
    for seat, clock in enumerate(clocks):
        sat = moment.seats[seat].kind == "human" or clock.kept_for
        asked = seat in acting and bool(sat)
        if asked and (again or not clock.asked):
            clock = _stop_clock(pace, clock, step.at)
            if counts_turns:
                # Taking back a secret choice continues the turn in which it was made.
                alone = mover == _holder(before, seat)
                clock = _continue_turn(clock) if taken_back else _begin_turn(pace, clock, alone)
            else:
                left = clock.left if taken_back else time_for_turn(pace, clock.left)
                clock = SeatClock(left, asked=True, away=clock.away, kept_for=clock.kept_for)
        elif not asked and clock.asked:
            clock = _stop_clock(pace, clock, step.at)
            clock = replace(clock, since=None, asked=False, out=False, for_bot=())
        still = moment.recovery is not None and moment.recovery.about == seat
        stands = still or _is_stopped_while_free(moment, clock)
        after.append(_run_or_stop(pace, clock, step.at, stands))
    return tuple(after)


def _turn_began(timeline: "Timeline", before: Moment, moment: Moment) -> bool:
    if before.state is None or moment.state is None or before.state is moment.state:
        return False
    return timeline.rules.turn(before.state) != timeline.rules.turn(moment.state)


def _begin_turn(pace: Pace, clock: SeatClock, alone: bool) -> SeatClock:
    """Return a stopped clock, advanced to the beginning of the seat's next turn.

    A turn that was undone and begins again gets at most the time that was left in it. ``alone``:
    the turn began by a move of the seat's own player, who can undo that move without consent.
    """
    turns = clock.turns + 1
    earlier = _remember_turn(clock) if alone else clock.earlier
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


def _continue_turn(clock: SeatClock) -> SeatClock:
    """Return a stopped clock, reset to the turn that the seat had ended and now continues."""
    return replace(clock, asked=True, out=clock.left == 0)


def _remember_turn(clock: SeatClock) -> tuple[tuple[int, int], ...]:
    """Return ``earlier`` with the current turn and its time left added."""
    others = tuple(each for each in clock.earlier if each[0] != clock.turns)
    return (*others, (clock.turns, clock.left))


def _forget_turns(
    before: Moment, clocks: tuple[SeatClock, ...], mover: str | None
) -> tuple[SeatClock, ...]:
    """Return the clocks after a move, with ``earlier`` cleared for all players but the mover.

    Undoing their turns before the move now needs consent. ``mover``: the player who moved, None for
    the system.
    """
    return tuple(
        replace(clock, earlier=()) if clock.earlier and _holder(before, seat) != mover else clock
        for seat, clock in enumerate(clocks)
    )


def _holder(moment: Moment, seat: int, later: Moment | None = None) -> str:
    """Return the player who owns the seat's clock: its holder or the player who left it open.

    Empty if there is neither. ``later``: a moment to whose player ids the result is mapped, because
    recovery changes the id of a player.
    """
    player = moment.seats[seat].player or moment.clocks[seat].kept_for
    for moved, old, new in later.moved if later else ():
        if moved == seat and old == player:
            player = new
    return player


def _stop_clock(pace: Pace, clock: SeatClock, at: int) -> SeatClock:
    if clock.since is None:
        return clock
    left = max(0, clock.left - counted_time(pace, clock.since, at))
    return replace(clock, left=left, since=None)


def _is_stopped_while_free(moment: Moment, clock: SeatClock) -> bool:
    return bool(clock.kept_for) and moment.opened.clock_rules < 2


def _run_or_stop(pace: Pace, clock: SeatClock, at: int, stands: bool) -> SeatClock:
    """Start or stop the clock as required and return it.

    ``stands``: the clock must not run, because the seat is being recovered or, with clock rules 1,
    was left open.
    """
    runs = clock.asked and not (clock.out or clock.away or stands)
    if runs and clock.since is None:
        return replace(clock, since=at)
    return clock if runs else _stop_clock(pace, clock, at)


# --- undo and redo ------------------------------------------------------------------------------


def _restore_clocks(
    timeline: "Timeline",
    before: Moment,
    clocks: tuple[SeatClock, ...],
    event: MovesUndone | MovesRedone,
    at: int,
) -> tuple[SeatClock, ...]:
    """Return the clocks after an undo or a redo.

    With clock rules 2 or later, a free undo and its redo give the actor no time back, and all
    others get the time they had when the undone move was made. All other undos restore the clocks
    of the target version, except of seats whose player has changed.
    """
    pace = before.opened.pace
    assert pace is not None
    if before.opened.clock_rules < 2:
        return _clocks_at_version(timeline, pace, before, clocks, event.to_version)
    if isinstance(event, MovesRedone):
        undone = before.redo
        assert undone is not None
        undo = timeline.decisions[undone.index + 1]
        if _is_free(undo.events):
            target_moment = timeline.moments[undone.index]
            return _restore_after_free_undo(before, clocks, event.seat, target_moment, undo.at, at)
    elif event.kind == "free":
        target = timeline.moments[timeline.index(event.to_version)]
        first = timeline.diverging(before, target)[0][-1]
        target_moment, made = timeline.moments[first - 1], timeline.decisions[first].at
        return _restore_after_free_undo(before, clocks, event.seat, target_moment, made, at)
    target_moment = timeline.moments[timeline.index(event.to_version)]
    then = _clocks_at_version(timeline, pace, before, clocks, event.to_version)
    return tuple(
        old if _holder(target_moment, seat, before) == _holder(before, seat) else clock
        for seat, (old, clock) in enumerate(zip(then, clocks, strict=True))
    )


def _is_free(events: tuple[Any, ...]) -> bool:
    return any(isinstance(event, MovesUndone) and event.kind == "free" for event in events)


def _restore_after_free_undo(
    before: Moment,
    clocks: tuple[SeatClock, ...],
    actor: int,
    target: Moment,
    current_until: int,
    at: int,
) -> tuple[SeatClock, ...]:
    """Return the clocks after a free undo, or its redo, by the seat ``actor``.

    They are the clocks of the moment ``target``, which was current until ``current_until``, but the
    actor's player is charged for the time used since. Seats that got another player, or are still
    in the same turn, keep their clocks.
    """
    pace = before.opened.pace
    assert pace is not None
    after = []
    for seat, clock in enumerate(clocks):
        then = _stop_clock(pace, target.clocks[seat], current_until)
        person = _holder(before, seat)
        newcomer = person != _holder(target, seat, before)
        same_turn = clock.asked and then.asked and clock.turns == then.turns
        if newcomer or same_turn:
            after.append(clock)
        elif person and person == _holder(before, actor):
            after.append(_charge_actor(pace, _stop_clock(pace, clock, at), then))
        else:
            after.append(replace(then, away=clock.away, kept_for=clock.kept_for))
    return tuple(after)


def _charge_actor(pace: Pace, clock: SeatClock, then: SeatClock) -> SeatClock:
    """Return the actor's stopped clock, set back to ``then`` by a free undo or its redo.

    Time used since then stays used, and time that undone turns had added is removed.
    """
    left = max(0, clock.left + then.given - clock.given)
    earlier = clock.earlier
    if clock.turns > then.turns:
        earlier = _remember_turn(clock)
    elif clock.turns < then.turns and then.asked:
        found = [kept for number, kept in earlier if number == then.turns]
        left = min([max(left, minimum_time(pace)), *found])
    return replace(
        then,
        left=left,
        out=then.asked and left == 0,
        away=clock.away,
        kept_for=clock.kept_for,
        given=clock.given + left - clock.left if clock.turns < then.turns else then.given,
        earlier=earlier,
    )


def check_time_left(timeline: "Timeline", before: Moment, events: tuple[Any, ...], at: int) -> None:
    """Raise `Refused` if a free undo would take all time, or more, from a seat of its player.

    Undoing a turn removes the time that it added, while time used in it stays used. ``events``: the
    events of the undo.
    """
    pace = before.opened.pace
    if pace is None or before.opened.clock_rules < 2 or not _is_free(events):
        return
    undone = next(event for event in events if isinstance(event, MovesUndone))
    after = _restore_clocks(timeline, before, before.clocks, undone, at)
    for seat, (clock, now) in enumerate(zip(after, before.clocks, strict=True)):
        if clock.asked and _holder(before, seat) == _holder(before, undone.seat):
            had = _stop_clock(pace, now, at).left
            rest = had + clock.given - now.given
            if rest < 0 or (rest == 0 and had > 0):
                raise Refused("no_time_left", "Undoing this would use up the time you have.")


def _clocks_at_version(
    timeline: "Timeline",
    pace: Pace,
    before: Moment,
    clocks: tuple[SeatClock, ...],
    version: int,
) -> tuple[SeatClock, ...]:
    """Return the clocks as they were at a version, with the current ``away`` and ``kept_for``."""
    index = timeline.index(version)
    then = timeline.decisions[index].at
    there = timeline.moments[index]
    seats = there.seats, before.seats
    return tuple(
        # A bot's clock is full; a player who has reclaimed the seat since must not get that time.
        clock
        if old_seat.kind == "bot" and seat.kind == "human"
        else replace(_stop_clock(pace, old, then), away=clock.away, kept_for=clock.kept_for)
        for old, clock, old_seat, seat in zip(there.clocks, clocks, *seats, strict=True)
    )


def _apply_event(
    pace: Pace, before: Moment, clocks: tuple[SeatClock, ...], event: Any, at: int
) -> tuple[SeatClock, ...]:
    match event:
        case TimeRanOut(seat=seat):
            changed = replace(clocks[seat], left=0, since=None, out=True)
        case WentAway(seat=seat):
            changed = replace(clocks[seat], away=True)
        case CameBack(seat=seat):
            changed = replace(clocks[seat], away=False)
        case Voted(seat=by, about=seat, bot=bot):
            player = before.seats[by].player or ""
            others = tuple(each for each in clocks[seat].for_bot if each != player)
            changed = replace(clocks[seat], for_bot=(*others, player) if bot else others)
        case SeatRecovered(seat=seat):
            changed = replace(clocks[seat], for_bot=(), away=False)  # the player is present
        case SeatLeft(seat=seat, kind="open") if before.status == "playing":
            kept_for = before.seats[seat].player or ""
            changed = clocks[seat]
            if before.opened.clock_rules < 2:
                changed = _stop_clock(pace, changed, at)
            changed = replace(changed, away=False, kept_for=kept_for)
        case SeatTaken(seat=seat, player=player) if player and player == clocks[seat].kept_for:
            changed = replace(clocks[seat], kept_for="")
        case SeatReclaimed(seat=seat):
            changed = _reset_clock(clocks[seat], 0)  # a used-up bank stays empty
        case SeatTaken(seat=seat) | SeatLeft(seat=seat):
            changed = _reset_clock(clocks[seat], initial_time(pace))
        case _:
            return clocks
    return (*clocks[:seat], changed, *clocks[seat + 1 :])


def _reset_clock(clock: SeatClock, left: int) -> SeatClock:
    """Return a new clock for the seat's next holder, with the same ``turns`` and ``given``."""
    return SeatClock(left, turns=clock.turns, given=clock.given)


# --- commands -----------------------------------------------------------------------------------


def apply_timeout(before: Moment, seat: int | None, _command: RunOut, at: int) -> Outcome:
    """Apply the timeout of a seat, with the consequence ``on_end`` of the time control.

    The seat may have been left open by its player. "bot_takes" and "vote" become "nudge" if there
    is no other player. Raises `Refused` if the clock is stopped or has time left.
    """
    pace = before.opened.pace
    if pace is None or seat is None:
        raise Refused("no_clock", "This table has no clocks.")
    over = runs_out_at(pace, before.clocks[seat])
    if over is None or at < over:
        raise Refused("time_left", "There is time left.")
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
        raise Refused("no_vacation", "Vacation doesn't stop the clocks at this table.")
    if clock.away:
        raise Refused("away", "This seat is on vacation already.")
    return Outcome((WentAway(seat),))


def end_vacation(before: Moment, seat: int | None, _command: ComeBack, _at: int) -> Outcome:
    clock = _clock_of(before, seat)
    assert seat is not None
    if not clock.away:
        raise Refused("not_away", "This seat is not on vacation.")
    return Outcome((CameBack(seat),))


def cast_vote(before: Moment, seat: int | None, command: Vote, _at: int) -> Outcome:
    """Vote on whether a bot takes a seat that is out of time, or open in a running match.

    For an open seat the first vote decides. For a seat that is out of time all others must agree,
    and a player can withdraw their vote. Raises `Refused` if there is nothing to vote on, the voter
    holds the seat, or the vote changes nothing.
    """
    pace, about = before.opened.pace, command.about
    assert seat is not None
    if about in free_seats(before):
        if not command.bot:
            raise Refused("no_vote", "Nothing is to be decided about this seat.")
        return Outcome((Voted(seat, about, True), SeatLeft(about, "", "bot")))
    if pace is None or pace.on_end != "vote" or not 0 <= about < len(before.seats):
        raise Refused("no_vote", "Nothing is to be decided about this seat.")
    clock = before.clocks[about]
    voter, asked = before.seats[seat].player, before.seats[about].player
    if before.status != "playing" or not clock.out:
        raise Refused("no_vote", "Nothing is to be decided about this seat.")
    if voter == asked:
        raise Refused("own_seat", "The others decide about this seat.")
    if command.bot == ((voter or "") in clock.for_bot):
        raise Refused("voted", "You have said so already.")
    voted = Voted(seat, about, command.bot)
    agreed = {*clock.for_bot, voter or ""} if command.bot else set()
    if command.bot and before.people() - {asked} <= agreed:
        return Outcome((voted, SeatLeft(about, before.seats[about].name, "bot")))
    return Outcome((voted,))


def _clock_of(before: Moment, seat: int | None) -> SeatClock:
    if before.opened.pace is None or before.status == "finished" or seat is None:
        raise Refused("no_clock", "This table has no clocks.")
    if before.seats[seat].kind != "human":
        raise Refused("nobody_there", "Nobody sits there.")
    return before.clocks[seat]
