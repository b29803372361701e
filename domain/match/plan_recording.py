"""Lines: moves tried out on an analysis copy of a match, in a form that a plan can hold.

A plan has conditions on the decisions of others. The copy's draws are its own, so a line has no
condition that depends on a draw.
"""

from typing import Any

from domain.match import Decision, Timeline, is_kernel

TRIES = 6
"""Number of alternative draws, spread evenly over the range, compared with the copy's draw."""


class Line:
    """Moves of others and a seat's answer to them, taken from the decisions ``indexes``.

    - ``others``: decisions of others; ``when``: versions of their events that can be conditions.
    - ``mine``: the seat's decisions in answer.
    - ``more``: the line was longer than a plan can hold.
    - ``begins``: the seat itself moves first.
    - ``chance``: from some point on the others' events depend on draws, so ``when`` omits them.
    - ``unended``: the seat is still to act after its answer.
    """

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
        """Add the events of a decision to ``when``, up to the first that depends on a draw.

        After such a draw nothing more is added.
        """
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
    """Return how many leading events of a decision are the same for all tried draws."""
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
    """Return a `Draw` that yields ``part / TRIES`` of the range."""
    return lambda n: n * part // TRIES
