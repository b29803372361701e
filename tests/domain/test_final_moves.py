"""Moves of the toy game that cannot be undone for free, by one person alone."""

from msgspec.structs import replace

from domain.match import is_final
from tests.domain import toy


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
