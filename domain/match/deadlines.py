"""Instants at which the scheduler has to act on a match: deadlines, reminders, stopped bots."""

from domain.contract.game import IllegalMove
from domain.match import Refused, Timeline, ends, moved_for, next_over
from domain.match.time_control import end
from domain.match.timeline import Draws

BOTS_PAUSE = 3_000
"""Milliseconds after which bots that are to act are considered interrupted."""


def next_look(timeline: Timeline) -> int | None:
    """Return the earliest instant of `due` and `reminders_of`; None for never."""
    looks = [due(timeline), *reminders_of(timeline)]
    return min([at for at in looks if at is not None], default=None)


def due(timeline: Timeline) -> int | None:
    """Return when the scheduler has to act on the match next.

    Milliseconds since 1970 UTC; None for never. Soon if bots are to act, else when the time of a
    seat, a phase or a recovery request is over. Never in a match without a seed, which was
    imported unfinished and is for review only.
    """
    now = timeline.now
    if not now.opened.seed:
        return None
    if bots_to_act(timeline):
        return timeline.decisions[-1].at + BOTS_PAUSE
    limits = [deadline_of(timeline), (next_over(now) or (None,))[0]]
    return min([at for at in limits if at is not None], default=None)


def ends_of(timeline: Timeline) -> list[int | None]:
    """Return when the time of each seat runs out, in milliseconds since 1970 UTC.

    None for a seat whose clock is stopped.
    """
    now = timeline.now
    pace = now.opened.pace
    if pace is None or not now.opened.seed:
        return [None for _ in now.seats]
    return [ends(pace, clock) for clock in now.clocks]


def reminders_of(timeline: Timeline) -> list[int | None]:
    """Return when each seat is to be reminded: when a quarter of its time is left.

    Milliseconds since 1970 UTC; None for never, as always in live matches, whose players see the
    clock.
    """
    now = timeline.now
    pace = now.opened.pace
    return [
        None
        if pace is None or pace.kind == "live" or over is None or clock.since is None
        else end(pace, clock.since, clock.left - clock.left // 4)
        for over, clock in zip(ends_of(timeline), now.clocks, strict=False)
    ]


def bots_to_act(timeline: Timeline) -> list[int]:
    """Return the seats to act for which a bot moves.

    These are the seats of bots and, with "bot_moves", those of people whose time has run out.
    """
    now = timeline.now
    acting = timeline.to_act(now) if now.state is not None else ()
    out = moved_for(now)
    return [seat for seat in acting if now.seats[seat].kind == "bot" or seat in out]


def deadline_of(timeline: Timeline) -> int | None:
    """Return the deadline of the present phase in milliseconds since 1970 UTC; None for no limit.

    The phase began with the first decision of this turn after which the game has had a limit.
    """
    now = timeline.now
    if now.status != "playing" or now.state is None:
        return None
    limit = timeline.rules.time_limit(now.state)
    if limit is None:
        return None
    turn = timeline.rules.turn(now.state)
    began = None
    for index in timeline.line(now):
        state = timeline.moments[index].state
        if timeline.rules.turn(state) != turn or timeline.rules.time_limit(state) is None:
            break
        began = timeline.decisions[index].at
    return None if began is None else began + limit[0] * 1000


def time_is_up(timeline: Timeline, now: int, draw: Draws) -> None:
    """Play the commands with which the game ends the present phase when its time is over."""
    limit = timeline.rules.time_limit(timeline.now.state)
    for seat, command in limit[1] if limit else ():
        try:
            timeline.play(seat, [command], now, draw)
        except (IllegalMove, Refused):
            # An earlier command of the list has ended the phase already.
            continue
