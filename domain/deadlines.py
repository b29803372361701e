"""When the time of a phase is over, and what happens then."""

from domain.game import IllegalMove
from domain.match import Refused, Timeline, ends, moved_for, next_over
from domain.match.timeline import Draws
from domain.pace import end

BOTS_PAUSE = 3_000
"""Milliseconds after which bots that are to act are taken to have been stopped."""


def next_look(timeline: Timeline) -> int | None:
    """When somebody has to look after the match or to remind a seat, as `due`."""
    looks = [due(timeline), *reminders_of(timeline)]
    return min([at for at in looks if at is not None], default=None)


def due(timeline: Timeline) -> int | None:
    """When somebody has to look after the match, in milliseconds since 1970 UTC; None for never.

    Soon where bots stopped half-way, else when the time of a seat, of a phase or of a request to
    let somebody back in is over. Never in
    a match without a seed: it came unfinished in a file, so it waits for nobody.
    """
    now = timeline.now
    if not now.opened.seed:
        return None
    if bots_to_act(timeline):
        return timeline.decisions[-1].at + BOTS_PAUSE
    limits = [deadline_of(timeline), (next_over(now) or (None,))[0]]
    return min([at for at in limits if at is not None], default=None)


def ends_of(timeline: Timeline) -> list[int | None]:
    """When the time of each seat is over, in milliseconds since 1970 UTC; None: it does not run."""
    now = timeline.now
    pace = now.opened.pace
    if pace is None or not now.opened.seed:
        return [None for _ in now.seats]
    return [ends(pace, clock) for clock in now.clocks]


def reminders_of(timeline: Timeline) -> list[int | None]:
    """When each seat is to be reminded: a quarter of what it had is left then. None: never.

    Nobody is reminded of a live table: who plays there sees the clock.
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
    """The seats for which a bot is to move: those of bots, and those of people whose time has run
    out at a table where a bot then moves this once."""
    now = timeline.now
    acting = timeline.to_act(now) if now.state is not None else ()
    out = moved_for(now)
    return [seat for seat in acting if now.seats[seat].kind == "bot" or seat in out]


def deadline_of(timeline: Timeline) -> int | None:
    """When the time of the present phase is over, in milliseconds; None for no limit.

    A phase began with the first decision after which the game spoke of a limit in this turn.
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
    """Does for seats what the game says when their time is over."""
    limit = timeline.rules.time_limit(timeline.now.state)
    for seat, command in limit[1] if limit else ():
        try:
            timeline.play(seat, [command], now, draw)
        except (IllegalMove, Refused):
            # An earlier command of the list has ended the phase already.
            continue
