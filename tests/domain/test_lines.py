"""Plans made from tried-out lines do not depend on chance.

Requirement: a copy of a match has its own random draws; they say nothing of the match, and no plan
can wait for them.
"""

import random

import pytest

from domain.match.events import is_kernel
from domain.match.plan_recording import MAX_CONDITION_EVENTS, PlanDraft
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed
from tests.domain.test_clock_rules import DAYS, alone
from tests.domain.test_clock_rules import table as clock_table
from tests.domain.test_pace import MONDAY
from tests.domain.toy import Take
from tests.game_contract.play import Table, opened, table_id, tables

OPEN = [each for each in tables() if each not in tables("secret")]
DRAWING = {each[0] for each in OPEN if each[0] != "caravanserai"}
"""Games in which chance decides something after the beginning."""
OTHERS = 40
"""Ways that chance could have gone."""


def tried_out(table: Table, seed: int) -> tuple[Timeline, int]:
    """Return a match, and how many of its decisions were played when it was copied."""
    rng = random.Random(seed)
    timeline = opened(table, seed, people=2)
    first = 0
    for step in range(60):
        if timeline.latest.status != "playing":
            break
        if step == 45:
            first = len(timeline.decisions)
        seat = rng.choice(timeline.to_act(timeline.latest))
        command = rng.choice(timeline.rules.choices(timeline.latest.state, seat))
        timeline.play(seat, [command], 0, draws_from_seed)
    return timeline, first or len(timeline.decisions) // 2


def events_at(timeline: Timeline, index: int, rng: random.Random) -> list[object]:
    """Return the events of the same command with other draws."""
    told, before = timeline.decisions[index], timeline.moments[index - 1]
    assert told.seat is not None
    done = timeline.rules.decide(
        before.state, told.seat, told.command, rng.randrange, before.opened.rules_version
    )
    return list(done.events)


@pytest.mark.slow
@pytest.mark.parametrize("table", OPEN, ids=table_id)
def test_a_line_waits_for_nothing_that_chance_decides(table: Table) -> None:
    drawn = cut = 0
    for seed in range(4):
        timeline, first = tried_out(table, seed)
        indexes = list(range(first, len(timeline.decisions)))
        rng = random.Random(seed)
        for begin in indexes:
            acted = timeline.decisions[begin].seat
            for seat in range(len(timeline.latest.seats)):
                line = PlanDraft(timeline, seat, indexes[begin - first :])
                if seat == acted or not line.depends_on_chance:
                    continue
                drawn += 1
                at = next(i for i in indexes[begin - first :] if timeline.decisions[i].draws)
                told = timeline.decisions[at]
                waited = [v for v in line.condition_versions if v >= told.version]
                last = told.version + len(told.events)
                assert all(version < last for version in waited), (
                    "a condition follows a random event"
                )
                kept = [told.events[version - told.version] for version in waited]
                cut += len(kept) < len([e for e in told.events if not is_kernel(e)])
                for _ in range(OTHERS):
                    other = events_at(timeline, at, rng)[: len(kept)]
                    assert other == kept, "the condition depends on chance"
    slug = table[0]
    if slug in DRAWING:
        assert drawn
        assert cut


def test_a_line_may_have_more_conditions_than_a_plan() -> None:
    """Its events are not cut: such a line cannot wait for the others at all."""
    timeline = clock_table(DAYS, "ann", "bob", rules=alone)
    first = len(timeline.decisions)
    for count in (MAX_CONDITION_EVENTS // 2, 1):  # each move of the toy game has two events
        timeline.play(0, [Take(1)] * count, MONDAY, draws_from_seed)
        line = PlanDraft(timeline, 1, list(range(first, len(timeline.decisions))))
        assert len(line.condition_versions) == 2 * (len(timeline.decisions) - first)
        assert line.has_too_many_conditions == (count == 1)
