"""How much of a match one person may use up by taking back.

A match holds so many decisions (`domain.match.MOST_DECISIONS`), also those that were taken back,
and is over for everybody when they are used up. Who plays on and takes back for ever would end it
for the others, so each person's share is bounded. Where one person holds all seats there is nobody
to be hurt, and no bound.
"""

from domain.match import MovesRedone, MovesUndone, Timeline, UndoProposed
from service.base.problems import Fault

MOST = 1_500
"""Decisions: a whole match has some 300, of which people take back a few dozen."""
_TAKING_BACK = (MovesUndone, MovesRedone, UndoProposed)


def wasted(timeline: Timeline, player: str) -> int:
    """The player's decisions that no longer count, and those that took back or brought back."""
    own = {i for i, seat in enumerate(timeline.now.seats) if seat.player == player}
    undone = timeline.undone(1)
    return sum(
        1
        for index, decision in enumerate(timeline.decisions)
        if decision.seat in own
        and (index in undone or isinstance(decision.events[-1], _TAKING_BACK))
    )


def check_waste(timeline: Timeline, player: str) -> None:
    """`Fault` 409 where the player has used up what one may."""
    if len(timeline.decisions) < MOST or len(timeline.now.people()) <= 1:
        return
    if wasted(timeline, player) >= MOST:
        raise Fault(
            409, "too_many_undos", "You have taken back too much in this match: play it to the end."
        )
