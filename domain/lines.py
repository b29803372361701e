"""Lines: what was tried out on a copy of a match, as a plan can hold it.

A plan waits for what others do of their own will. What chance brings in a copy is chance of the
copy's own, so nothing that hangs on a draw is waited for.
"""

from typing import Any

from domain.match import Decision, Timeline, is_kernel

TRIES = 6
"""Draws, spread over all that can be drawn, that are held against the one in the copy."""


class Line:
    """Moves of others, and the answer of a seat to them: what a plan can hold.

    ``when``: what others do, as versions of its events; ``mine``: the seat's decisions. ``more``:
    whether there was more; ``begins``: whether the seat itself is the first to move; ``chance``:
    whether what others do is left open from a point on, because chance decides there; ``unended``:
    whether the seat's turn goes on after its answer."""

    def __init__(self, timeline: Timeline, seat: int, indexes: list[int]) -> None:
        self.others: list[Decision] = []
        self.when: list[int] = []
        self.mine: list[Decision] = []
        self.more = self.chance = self.unended = False
        self.begins = bool(indexes) and timeline.decisions[indexes[0]].seat == seat
        for index in indexes:
            decision = timeline.decisions[index]
            drawn = bool(self.mine) and bool(self.mine[-1].draws)
            if drawn or (self.mine and decision.seat != seat):
                self.more = True
                break
            if decision.seat == seat:
                self.mine.append(decision)
                self.unended = seat in timeline.to_act(timeline.moments[index])
            else:
                self.others.append(decision)
                self._wait_for(timeline, index)

    def _wait_for(self, timeline: Timeline, index: int) -> None:
        """Nobody can wait for what chance brought in this copy, nor for what followed on it."""
        if self.chance:
            return
        decision = timeline.decisions[index]
        certain = len(decision.events)
        if decision.draws:
            self.chance = True
            certain = _certain(timeline, index)
        for number, event in enumerate(decision.events[:certain]):
            if not is_kernel(event):
                self.when.append(decision.version + number)


def _certain(timeline: Timeline, index: int) -> int:
    """How many of the events with which a decision begins came whatever was drawn."""
    told, before = timeline.decisions[index], timeline.moments[index - 1]
    assert told.seat is not None
    count = len(told.events)
    for part in range(TRIES):
        way = (before.state, told.seat, told.command)
        draw = _drawing(part)
        other = timeline.rules.decide(*way, draw, before.opened.rules_version).events
        same = [a == b for a, b in zip(told.events[:count], other, strict=False)]
        count = same.index(False) if False in same else len(same)
    return count


def _drawing(part: int) -> Any:
    """Draws so far up in what can be drawn."""
    return lambda n: n * part // TRIES
