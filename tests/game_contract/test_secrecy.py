"""Games that declare secrets send a viewer nothing hidden: two states, the same bytes.

Each game's own tests show with deliberately leaking rules that the comparison can fail.
"""

import random

import msgspec
import pytest

from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from tests.game_contract.indistinguishable_states import other_world, sent_to
from tests.game_contract.play import Table, opened, random_steps, table_id, tables

TABLES = [pytest.param(table, id=table_id(table)) for table in tables("secret")]


def as_bytes(timeline: Timeline, viewer: int | None) -> bytes:
    sent = [*sent_to(timeline, viewer), export_match("id", timeline, viewer)]
    return msgspec.json.encode(sent, order="sorted")


def leaks(table: Table, steps: int = 120) -> tuple[int, int]:
    """Count the compared pairs of matches, and the pairs in which the viewer saw a difference."""
    rng = random.Random(11)
    timeline = opened(table, 11)
    compared = differing = 0
    for _ in random_steps(timeline, rng, steps):
        for viewer in (None, rng.randrange(table[1])):
            other = other_world(timeline, viewer, rng)
            if other is not None:
                compared += 1
                differing += as_bytes(other[0], viewer) != as_bytes(timeline, viewer)
    return compared, differing


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_two_worlds_look_the_same(table: Table) -> None:
    compared, differing = leaks(table)
    assert compared > 10
    assert differing == 0
