"""Moves that cannot be undone for free are marked as final before they are made.

For every game and table, what `domain.match.is_final` says of a move must agree with the kind of
undo available right after it. The page asks for confirmation before such a move.
"""

import random

import pytest

from domain.contract.choice_groups import expand_range, flatten_options, smallest_command
from domain.match.timeline import Timeline
from domain.match.undo import is_final, undo_kind
from domain.matchfile.codec import codec_of
from domain.presentation.choices import all_choices, grouped_choices
from service.matches.presenters import Viewer
from tests.game_contract import play

STEPS = 120


def _final(timeline: Timeline, seat: int, command: object, alone: bool) -> bool:
    now = timeline.latest
    version = now.opened.rules_version
    return is_final(timeline.rules, now.state, seat, (command,), version, alone)


@pytest.mark.parametrize("table", play.tables(), ids=play.table_id)
def test_a_move_is_final_when_its_undo_is_not_free(table: play.Table) -> None:
    timeline = play.opened(table, 3)
    rng = random.Random(5)
    several = len(timeline.latest.people()) > 1
    for _ in range(STEPS):
        seats = timeline.to_act(timeline.latest)
        if not seats:
            break
        seat = rng.choice(seats)
        command = rng.choice(timeline.rules.choices(timeline.latest.state, seat))
        alone, final = (_final(timeline, seat, command, each) for each in (True, False))
        play.play(timeline, seat, command)
        over = timeline.latest.status == "finished"
        if several:
            kind = undo_kind(timeline, timeline.latest, seat, None).kind
            assert final == (kind != "free"), (command, kind)
        assert over or not alone, "who is alone takes back what they like until the end"


@pytest.mark.slow
@pytest.mark.parametrize("table", play.tables(), ids=play.table_id)
def test_choices_and_ranges_say_so(table: play.Table) -> None:
    """In the flat list and in the groups; a range of amounts is judged by its smallest command."""
    timeline = play.opened(table, 4)
    alone = len(timeline.latest.people()) <= 1
    rng = random.Random(6)
    build = codec_of(table[0]).parse_command
    for _ in play.random_steps(timeline, rng, STEPS // 4):
        for seat in timeline.to_act(timeline.latest)[:1]:
            viewer = Viewer(timeline, timeline.latest.seats[seat].player, seat)
            ways = timeline.rules.groups(timeline.latest.state, seat)
            if sum(group.count for group in ways) > 400:
                continue
            told = {str(c.command): c.final for c in all_choices(viewer, seat).choices}
            found = grouped_choices(viewer, seat, 20)
            assert {str(c.command): c.final for c in found.choices}.items() <= told.items()
            for choice in all_choices(viewer, seat).choices:
                command = build(choice.command)
                assert choice.final == _final(timeline, seat, command, alone)
            for answer, group in zip(found.groups, ways, strict=True):
                for each, way in zip(answer.ranges, group.options, strict=False):
                    assert smallest_command(way) in expand_range(way)
                    assert smallest_command(way) in flatten_options((way,))
                    assert each.final == _final(timeline, seat, smallest_command(way), alone)
