"""Plan drafts: moves tried out on an analysis copy of a match, as a plan can express them.

A plan has conditions on the events of others. The draws of the copy differ from those of the match,
so a draft has no condition that depends on a draw.
"""

from typing import Any

from domain.match.events import is_kernel
from domain.match.history import Decision
from domain.match.timeline import Timeline

ALTERNATIVE_DRAWS = 6
"""Number of alternative draws, evenly spread over the range, to compare with the copy's draw."""
MAX_CONDITION_EVENTS = 100
"""Maximum number of events in the condition of a plan's branch that the service accepts."""


class PlanDraft:
    """The moves of others and a seat's reply to them, from the decisions with these ``indexes``.

    - ``others_decisions``: decisions of others; ``condition_versions``: versions of their events
      that can be conditions.
    - ``own_decisions``: the seat's decisions in reply.
    - ``is_truncated``: whether there were more moves than a plan can hold.
    - ``begins_with_own``: whether the seat itself moves first.
    - ``depends_on_chance``: whether, from some point on, the others' events depend on draws;
      ``condition_versions`` omits those events.
    - ``is_unfinished``: whether the seat is still to act after its reply.
    """

    def __init__(self, timeline: Timeline, seat: int, indexes: list[int]) -> None:
        self.others_decisions: list[Decision] = []
        self.condition_versions: list[int] = []
        self.own_decisions: list[Decision] = []
        self.is_truncated = self.depends_on_chance = self.is_unfinished = False
        self.begins_with_own = bool(indexes) and timeline.decisions[indexes[0]].seat == seat
        for index in indexes:
            decision = timeline.decisions[index]
            drawn = bool(self.own_decisions) and bool(self.own_decisions[-1].draws)
            if drawn or (self.own_decisions and decision.seat != seat):
                self.is_truncated = True
                break
            if decision.seat == seat:
                self.own_decisions.append(decision)
                self.is_unfinished = seat in timeline.to_act(timeline.moments[index])
            else:
                self.others_decisions.append(decision)
                self._add_conditions(timeline, index)

    @property
    def has_too_many_conditions(self) -> bool:
        """Whether the draft has more conditions than a plan can hold."""
        return len(self.condition_versions) > MAX_CONDITION_EVENTS

    def _add_conditions(self, timeline: Timeline, index: int) -> None:
        """Add a decision's game events, before the first that depends on a draw, as conditions.

        After such an event, ``condition_versions`` no longer grows.
        """
        if self.depends_on_chance:
            return
        decision = timeline.decisions[index]
        certain = len(decision.events)
        if decision.draws:
            self.depends_on_chance = True
            certain = _count_certain_events(timeline, index)
        for number, event in enumerate(decision.events[:certain]):
            if not is_kernel(event):
                self.condition_versions.append(decision.version + number)


def _count_certain_events(timeline: Timeline, index: int) -> int:
    """Return how many leading events of a decision are the same for all alternative draws."""
    decision, before = timeline.decisions[index], timeline.moments[index - 1]
    assert decision.seat is not None
    count = len(decision.events)
    for part in range(ALTERNATIVE_DRAWS):
        arguments = (before.state, decision.seat, decision.command)
        draw = _draw_at_fraction(part)
        other = timeline.rules.decide(*arguments, draw, before.opened.rules_version).events
        same = [a == b for a, b in zip(decision.events[:count], other, strict=False)]
        count = same.index(False) if False in same else len(same)
    return count


def _draw_at_fraction(part: int) -> Any:
    """Return a draw function that returns ``part / ALTERNATIVE_DRAWS`` of n, rounded down."""
    return lambda n: n * part // ALTERNATIVE_DRAWS
