"""A view's layout is constant over a match and the same for every viewer."""

import random

import pytest

from domain.contract.game import ALL_SEEING
from domain.contract.registry import TITLES
from tests.game_contract.play import Table, opened, random_steps, table_id, tables

LAID_OUT = [pytest.param(t, id=table_id(t)) for t in tables() if TITLES[t[0]].layout]


@pytest.mark.slow
@pytest.mark.parametrize("table", LAID_OUT)
def test_layout_is_constant_and_the_same_for_all_viewers(table: Table) -> None:
    slug, seats, _ = table
    timeline = opened(table, 3)
    view = timeline.rules.view
    first = view(timeline.latest.state, None)
    rng = random.Random(3)
    changed: set[str] = set()
    for _ in random_steps(timeline, rng, 150):
        for viewer in (None, ALL_SEEING, rng.randrange(seats)):
            seen = view(timeline.latest.state, viewer)
            changed |= {name for name, value in seen.items() if value != first[name]}
    assert not changed & {*TITLES[slug].layout}
    assert changed
    assert {*TITLES[slug].layout} <= {*first}
