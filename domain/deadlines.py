"""When the time of a phase is over, and what happens then."""

from domain.game import IllegalMove
from domain.match import Refused, Timeline
from domain.match.timeline import Draws

BOTS_PAUSE = 3_000
"""Milliseconds after which bots that are to act are taken to have been stopped."""


def due(timeline: Timeline) -> int | None:
    """When somebody has to look after the match, in milliseconds since 1970 UTC; None for never.

    Soon where bots stopped half-way, else at the deadline. Never in a match without a seed: it
    came unfinished in a file, so it waits for nobody.
    """
    now = timeline.now
    if not now.opened.seed:
        return None
    if now.state is not None:
        acting = timeline.to_act(now)
        if any(now.seats[seat].kind == "bot" for seat in acting):
            return timeline.decisions[-1].at + BOTS_PAUSE
    return deadline_of(timeline)


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
