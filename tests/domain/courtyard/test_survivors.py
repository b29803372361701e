"""Rulings for which mutation testing found no failing test."""

import pytest
from msgspec.structs import replace

from domain.games.courtyard import rules
from domain.games.courtyard.board import SPACES, steps
from domain.games.courtyard.commands import EndTurn, Move, Roll
from domain.games.courtyard.events import ScoringDieRolled, ScoringMinorDrawn
from tests.domain.courtyard.builders import act, drawing, events, laid_out, offered, put, started


@pytest.mark.parametrize("die", range(1, 7))
def test_ruling_27_with_t6_the_roll_is_the_limit(die: int) -> None:
    """Neither one step more than the roll nor four at least."""
    state = put(put(started(), at="R_A1", abilities=("T6",)), 1, at="M_2")
    rolled = act(state, Roll(), draw=drawing(die - 1))
    far = steps("R_A1", ("M_2",))
    within = [space for space in SPACES if space in far and far[space] <= die]
    assert offered(rolled, Move) == [Move(space) for space in within]


@pytest.mark.parametrize(("starter", "order"), [(0, (0, 1, 2)), (1, (1, 2, 0)), (2, (2, 0, 1))])
def test_ruling_44_dice_and_cards_come_in_the_order_of_play(
    starter: int, order: tuple[int, int, int]
) -> None:
    state = replace(started(3), moves=0, trigger=1, starter=starter)
    for seat in range(3):
        state = put(state, seat, abilities=("P13", "P15"))
    made = events(state, EndTurn(), drawing(0, 0, 1, 0, 2, 0))
    told = [each for each in made if isinstance(each, ScoringDieRolled | ScoringMinorDrawn)]
    assert [each.seat for each in told] == [seat for seat in order for _ in range(2)]
    assert [each.result for each in told if isinstance(each, ScoringDieRolled)] == [1, 2, 3]


def test_the_towers_begin_with_majors_of_11_and_of_12() -> None:
    """Setup: any four of the eight cards of 11 and 12."""
    seen = {
        (card["value"], card["frame"])
        for seed in range(60)
        for card in rules.view(laid_out(2, seed), None)["towers"].values()
    }
    frames = ("blue", "green", "red", "white")
    assert seen == {(value, frame) for value in (11, 12) for frame in frames}
