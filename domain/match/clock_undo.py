"""How an undo or a redo changes the seat clocks. Times are milliseconds."""

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from domain.match.clocks import SeatClock, find_clock_owner, remember_turn, stop_clock
from domain.match.events import MovesRedone, MovesUndone
from domain.match.moment import Moment
from domain.match.seats import Refused
from domain.match.time_control import Pace, minimum_time

if TYPE_CHECKING:
    from domain.match.timeline import Timeline


def restore_clocks(
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
        old
        if find_clock_owner(target_moment, seat, before) == find_clock_owner(before, seat)
        else clock
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
        then = stop_clock(pace, target.clocks[seat], current_until)
        person = find_clock_owner(before, seat)
        newcomer = person != find_clock_owner(target, seat, before)
        same_turn = clock.asked and then.asked and clock.turns == then.turns
        if newcomer or same_turn:
            after.append(clock)
        elif person and person == find_clock_owner(before, actor):
            after.append(_charge_actor(pace, stop_clock(pace, clock, at), then))
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
        earlier = remember_turn(clock)
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
    after = restore_clocks(timeline, before, before.clocks, undone, at)
    for seat, (clock, now) in enumerate(zip(after, before.clocks, strict=True)):
        if clock.asked and find_clock_owner(before, seat) == find_clock_owner(before, undone.seat):
            had = stop_clock(pace, now, at).left
            rest = had + clock.given - now.given
            if rest < 0 or (rest == 0 and had > 0):
                raise Refused("no_time_left", "error.no_time_left")


def _clocks_at_version(
    timeline: "Timeline", pace: Pace, before: Moment, clocks: tuple[SeatClock, ...], version: int
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
        else replace(stop_clock(pace, old, then), away=clock.away, kept_for=clock.kept_for)
        for old, clock, old_seat, seat in zip(there.clocks, clocks, *seats, strict=True)
    )
