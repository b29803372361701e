"""Instants at which the scheduler must act on a match: deadlines, reminders and stalled bots."""

from domain.contract.game import IllegalMove
from domain.match.clocks import runs_out_at, seats_with_bot_move
from domain.match.seats import Refused
from domain.match.time_control import deadline_after
from domain.match.timeline import DrawSource, Timeline, next_expiry

BOT_STALL_MS = 3_000
"""Milliseconds without a decision after which bots that are to act are considered interrupted."""


def next_check_at(timeline: Timeline) -> int | None:
    """Return the earliest instant of `due_at` and `seat_reminders`; None if there is none."""
    looks = [due_at(timeline), *seat_reminders(timeline)]
    return min([at for at in looks if at is not None], default=None)


def due_at(timeline: Timeline) -> int | None:
    """Return when the scheduler must act on the match next, in milliseconds since 1970 UTC.

    If bots are to act, that is `BOT_STALL_MS` after the latest decision, otherwise when the time of
    a seat, a phase or a recovery request ends. None if it need not act, as in a match without a
    seed, which was imported unfinished and is for review only.
    """
    now = timeline.latest
    if not now.opened.seed:
        return None
    if bots_to_act(timeline):
        return timeline.decisions[-1].at + BOT_STALL_MS
    limits = [phase_deadline(timeline), (next_expiry(now) or (None,))[0]]
    return min([at for at in limits if at is not None], default=None)


def seat_deadlines(timeline: Timeline) -> list[int | None]:
    """Return when the time of each seat runs out, in milliseconds since 1970 UTC.

    None for a seat whose clock is stopped, and for all seats without a time control or seed.
    """
    now = timeline.latest
    pace = now.opened.pace
    if pace is None or not now.opened.seed:
        return [None for _ in now.seats]
    return [runs_out_at(pace, clock) for clock in now.clocks]


def seat_reminders(timeline: Timeline) -> list[int | None]:
    """Return when to remind each seat: when a quarter of its time is left.

    The instants are in milliseconds since 1970 UTC. None for a seat that is not reminded, as in all
    live matches, whose players watch the clock.
    """
    now = timeline.latest
    pace = now.opened.pace
    return [
        None
        if pace is None or pace.kind == "live" or over is None or clock.since is None
        else deadline_after(pace, clock.since, clock.left - clock.left // 4)
        for over, clock in zip(seat_deadlines(timeline), now.clocks, strict=False)
    ]


def bots_to_act(timeline: Timeline) -> list[int]:
    """Return the seats that are to act and for which a bot moves.

    These are bots' seats and, with "bot_moves", the seats of people whose time has run out.
    """
    now = timeline.latest
    acting = timeline.to_act(now) if now.state is not None else ()
    out = seats_with_bot_move(now)
    return [seat for seat in acting if now.seats[seat].kind == "bot" or seat in out]


def phase_deadline(timeline: Timeline) -> int | None:
    """Return the deadline of the current phase in milliseconds since 1970 UTC; None for no limit.

    The phase began with the earliest decision of this turn since which the game has had a limit
    throughout.
    """
    now = timeline.latest
    if now.status != "playing" or now.state is None:
        return None
    limit = timeline.rules.time_limit(now.state)
    if limit is None:
        return None
    turn = timeline.rules.turn(now.state)
    began = None
    for index in timeline.ancestry(now):
        state = timeline.moments[index].state
        if timeline.rules.turn(state) != turn or timeline.rules.time_limit(state) is None:
            break
        began = timeline.decisions[index].at
    return None if began is None else began + limit[0] * 1000


def end_expired_phase(timeline: Timeline, now: int, draw: DrawSource) -> None:
    """Play the commands with which the game ends the current phase when its time is over.

    ``now``: the current instant in milliseconds since 1970 UTC.
    """
    limit = timeline.rules.time_limit(timeline.latest.state)
    for seat, command in limit[1] if limit else ():
        try:
            timeline.play(seat, [command], now, draw)
        except (IllegalMove, Refused):
            # An earlier command of the list has ended the phase already.
            continue
