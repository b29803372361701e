"""Moves that one person alone cannot undo for free, in recorded matches and the toy game."""

import pytest
from msgspec.structs import replace

from domain.contract.registry import TITLES
from domain.match.events import is_kernel
from domain.match.undo import is_final
from tests.domain import toy
from tests.game_contract.recorded_matches import small_file_of, timeline_of


def test_moves_after_a_draw_are_examined_for_one_person_alone() -> None:
    """A draw decides how much is taken; a move that is not legal then is not final."""
    state = toy.State(pile=3, seats=1)
    for pile, commands, final in (
        (3, (toy.Roll(),), True),
        (30, (toy.Roll(),), False),
        (4, (toy.Roll(), toy.Take(3)), True),
        (30, (toy.Roll(), toy.Take(3)), False),
    ):
        given = replace(state, pile=pile)
        assert is_final(toy, given, 0, commands, 1, True) == final
        assert is_final(toy, given, 0, commands, 1, False)
    assert not is_final(toy, replace(state, pile=9), 0, (toy.Roll(), toy.Take(4)), 1, True)


@pytest.mark.parametrize("slug", TITLES)
def test_only_the_last_move_is_final_for_one_person_alone(slug: str) -> None:
    """Also if the last move draws, as at the end of a turn that refills a market."""
    timeline = timeline_of(small_file_of(slug))
    for index in range(1, len(timeline.decisions)):
        decision, before = timeline.decisions[index], timeline.moments[index - 1]
        if decision.seat in timeline.to_act(before) and not is_kernel(decision.events[0]):
            version = before.opened.rules_version
            command = (decision.command,)
            final = is_final(timeline.rules, before.state, decision.seat, command, version, True)
            assert final == (timeline.moments[index].status == "finished"), decision.command
