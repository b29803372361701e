"""Rulings for which mutation testing found no failing test."""

import pytest

from domain.games.conquest import rules
from domain.games.conquest.commands import Buy, Done, Exchange, Jettison, Move, Sell, Stop
from domain.games.conquest.events import EncounterDrawn, FinishReached, KeptCardSpent, TurnMissed
from domain.games.conquest.state import State
from tests.domain.conquest.builders import (
    OPEN,
    act,
    first,
    game,
    goods,
    me,
    met,
    offered,
    put,
    those,
    told,
    top,
)


@pytest.mark.parametrize(
    ("old", "team"), [("roach", ("epona", "fidget")), ("fidget", ("roach", "epona"))]
)
def test_ruling_15_either_animal_is_exchanged_where_it_stands(
    old: str, team: tuple[str, str]
) -> None:
    state = put(game(), 0, at=(1, 8), gold=40, animals=("roach", "fidget"))
    state = act(state, Move((1, 9)), Stop(), Exchange(old, "epona"))
    assert me(state, 0).animals == team


@pytest.mark.parametrize(("to", "step"), [((1, 7), "camp"), ((1, 9), "city")])
def test_ruling_13_with_the_nomad_a_stop_at_camp_or_city_draws_nothing(
    to: tuple[int, int], step: str
) -> None:
    state = put(game(), 0, at=(to[0], to[1] - 1), gold=40, kept=("Desert Nomad",))
    state, events = told(act(state, Move(to)), Stop())
    assert those(events, KeptCardSpent) == [KeptCardSpent(0, "oasis", "Desert Nomad", True)]
    assert not those(events, EncounterDrawn)
    assert (state.step, state.cards, state.deck) == (step, 0, -1)


def test_ruling_26_healing_adds_its_two_after_the_floor_of_0() -> None:
    """A caravan far above its capacity would have a speed below 0; it has 2 all the same."""
    state = put(game(*OPEN), 1, gold=99, silk=99, spice=99, kept=("Healing Waters",))
    assert rules.view(state, 1)["players"][1]["speed"] == 2
    state = act(act(state, Move((0, 1))), Stop(), draw=first)
    assert (state.seat, state.speed, state.bonus) == (1, 2, 2)
    assert act(state, Jettison("gold", 99)).speed == 2


def at_camp(gold: int, silk: int) -> State:
    state = put(game(), 0, at=(1, 6), gold=gold, silk=silk, caravan="reinforced")
    return act(state, Move((1, 7)), Stop())


def test_ruling_34_all_is_offered_above_10_when_buying_and_selling() -> None:
    state = at_camp(134, 12)
    assert offered(state, Sell) == [Sell(1), Sell(5), Sell(10), Sell(12)]
    assert offered(state, Buy) == [Buy(1), Buy(5), Buy(10), Buy(13)]
    after = act(state, Buy(13))
    assert goods(me(after, 0)) == (4, 25, 10)
    assert goods(me(act(state, Sell(12)), 0)) == (254, 0, 10)


@pytest.mark.parametrize(
    "rows",
    [
        ("GMGGG", "BMGGG", "GGGGF"),  # to the north
        ("GGGGG", "BMMGG", "GGGGF"),  # to the east
        ("GGGGG", "BMGGG", "GMGGF"),  # to the south
        ("GGGGG", "MMBGG", "GGGGF"),  # to the west
    ],
)
def test_ruling_30_each_of_the_four_neighbours_counts(rows: tuple[str, ...]) -> None:
    state = top(game(*rows), "mountains", "Climbing Challenge")
    state = act(act(state, Move((1, 1))), Stop(), draw=first)
    assert goods(me(state, 0)) == (11, 5, 10)  # 2 of the tile less 1 of the climb


def test_ruling_20_after_the_finish_a_second_extra_step_is_not_offered() -> None:
    state = met(
        game("BMMF", "GGGG"),
        (0, 2),
        "mountains",
        "Mountain Guide",
        "Wild Mountain Goat",
        kept=("Desert Nomad",),
    )
    assert (state.step, state.extra) == ("extra", 2)
    state, events = told(state, Move((0, 3)))
    assert those(events, FinishReached) == [FinishReached(0, 1, 136)]
    assert (state.seat, state.extra, state.step) == (1, 0, "move")


def test_ruling_10_two_rests_in_one_turn_cost_two_turns() -> None:
    state = met(game(), (1, 2), "desert", "Sandstorm", "Mirage", kept=("Desert Nomad",))
    assert me(state, 0).skip == 2
    state = put(state, 1, at=(1, 8), gold=0)
    for left in (1, 0):
        state = act(state, Move((1, 7) if me(state).at % state.stride == 8 else (1, 8)))
        state, events = told(act(state, Stop()), Done())
        assert those(events, TurnMissed) == [TurnMissed(0)]
        assert (state.seat, me(state, 0).skip) == (1, left)


def test_ruling_27_a_finished_seat_misses_no_turn() -> None:
    """A rest that was still to come when the finish was reached comes no more."""
    state = put(game("BSF", "SSS", seats=3), 0, skip=1)
    state = act(state, Move((0, 1)), Move((0, 2)))
    for _ in range(2):
        state, events = told(act(state, Move((1, 0)), Stop()), Done())
        assert not those(events, TurnMissed)
    assert (state.seat, state.round, me(state, 0).skip) == (1, 2, 1)


def test_the_outcome_is_sorted_best_first() -> None:
    state = put(game("BSF", "SSS", seats=3), 0, gold=3)
    state = put(put(state, 1, gold=20), 2, gold=9)
    for _ in range(3):
        state = act(state, Move((0, 1)), Move((0, 2)))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [(each.seat, each.rank, each.score) for each in outcome] == [
        (1, 1, 144),
        (2, 2, 133),
        (0, 3, 127),
    ]
