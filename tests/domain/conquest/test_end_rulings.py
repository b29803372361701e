"""The rulings on falling values, rounds and the end."""

import pytest

from domain.contract.game import IllegalMove
from domain.games.conquest import rules
from domain.games.conquest.caravan_stats import prices, wealth
from domain.games.conquest.commands import Done, Move, Sell, Stop
from domain.games.conquest.equipment import EPONA, FIDGET, REINFORCED
from domain.games.conquest.events import JourneyOver, RoundOpened
from domain.games.conquest.state import MOVE, Player, State
from tests.domain.conquest.builders import act, first, game, me, no_draw, put, those, told

# --- the end --------------------------------------------------------------------------------


def test_rulings_17_and_36_silk_and_spice_fall_by_one_a_round_from_the_next_one_on() -> None:
    assert prices(0, 40) == (10, 5)
    assert [prices(7, number) for number in (7, 8, 11, 12, 13, 17)] == [
        (10, 5),
        (9, 4),
        (6, 1),
        (5, 0),
        (4, 0),
        (0, 0),
    ]


def walk(state: State, *places: tuple[int, int]) -> State:
    """The seat to act goes there and stops; cards come as they lie."""
    for place in places:
        state = act(state, Move(place), draw=first)
    return (
        act(state, Stop(), draw=first)
        if state.step == MOVE and me(state).at != state.began
        else state
    )


LANE = ("BSF", "SSS")


def test_rulings_17_and_36_prices_and_wealth_lock_for_who_has_finished() -> None:
    state = act(game(*LANE), Move((0, 1)), Move((0, 2)))
    assert (state.round, state.first_finish, state.seat) == (1, 1, 1)
    seen = rules.view(state, None)
    assert (seen["first_finish"], seen["last_round"]) == (1, 11)
    assert seen["prices"] == {"silk": 10, "spice": 5}
    state = act(state, Move((1, 0)), Stop(), Done())
    seen = rules.view(state, None)
    assert (seen["round"], seen["prices"]) == (2, {"silk": 9, "spice": 4})
    assert [player["wealth"] for player in seen["players"]] == [134, 10 + 45 + 40 + 24]
    assert seen["players"][0]["finished"] == 1
    state = act(state, Move((1, 1)), Stop(), Sell(5))
    assert me(state, 1).gold == 10 + 45
    state = act(state, Done(), Move((1, 2)), Move((0, 2)))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [(each.seat, each.rank, each.score) for each in outcome] == [
        (0, 1, 134),
        (1, 2, 55 + 10 * 3 + 24),
    ]


def shuttle(state: State, seat_rounds: int) -> State:
    """All seats go to and fro between camps for so many rounds."""
    end = state.round + seat_rounds
    while state.round < end and rules.to_act(state):
        to = (1, 0) if me(state).at != state.stride else (1, 1)
        state = act(state, Move(to))
        if state.step == MOVE and state.walked:
            state = act(state, Stop())
        if state.step == "camp":
            state = act(state, Done())
    return state


def test_ruling_18_ten_full_rounds_after_the_first_finishers_round() -> None:
    state = act(game(*LANE, seats=3), Move((0, 1)), Move((0, 2)))
    state = shuttle(state, 10)
    assert state.round == 11
    assert rules.to_act(state)
    state = shuttle(state, 1)
    assert rules.to_act(state) == ()
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [(each.rank, each.score) for each in outcome] == [(1, 134), (2, 0), (2, 0)]


def test_ruling_18_and_37_the_game_ends_at_once_when_all_have_finished() -> None:
    state = act(game(*LANE), Move((0, 1)), Move((0, 2)))
    state = act(state, Move((0, 1)))
    state, events = told(state, Move((0, 2)))
    assert events[-1] == JourneyOver((1, 1), (134, 134))
    assert not those(events, RoundOpened)
    assert rules.view(state, None)["step"] == "over"


def test_ruling_19_wealth() -> None:
    player = Player(0, 7, 3, 4, 2, (EPONA, FIDGET), REINFORCED)
    assert wealth(player, 10, 5) == 7 + 30 + 20 + 80 + 10 + 7 + 30


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_rulings_22_and_37_a_drawn_seat_begins_and_rounds_begin_with_its_place(
    starter: int,
) -> None:
    state = game(*LANE, seats=3, starter=starter)
    assert rules.view(state, None)["starter"] == state.seat == starter
    order = []
    for _ in range(5):
        order.append((state.round, state.seat))
        state = act(state, Move((1, 0) if me(state).at != state.stride else (1, 1)), Stop(), Done())
    seats = [(starter + i) % 3 for i in range(5)]
    assert order == [(1 + i // 3, seat) for i, seat in enumerate(seats)]


def test_ruling_37_a_round_begins_with_the_starters_place_also_when_it_has_finished() -> None:
    state = act(game(*LANE, seats=3, starter=1), Move((0, 1)), Move((0, 2)))
    assert (state.seat, state.round) == (2, 1)
    state = act(state, Move((1, 0)), Stop(), Done())
    assert (state.seat, state.round) == (0, 1)
    state, events = told(act(state, Move((1, 0)), Stop()), Done())
    assert (state.seat, state.round) == (2, 2)
    assert those(events, RoundOpened) == [RoundOpened(2, 9, 4)]


def test_ruling_38_two_share_the_first_place_and_the_next_is_third() -> None:
    state = put(game(*LANE, seats=3), 2, gold=9)
    for _ in range(3):
        state = act(state, Move((0, 1)), Move((0, 2)))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [(each.seat, each.rank, each.score) for each in outcome] == [
        (0, 1, 134),
        (1, 1, 134),
        (2, 3, 133),
    ]


def test_ruling_39_after_60_rounds_without_a_finisher_all_share_the_last_place() -> None:
    state = shuttle(game(*LANE), 59)
    assert (state.round, state.patience) == (60, 60)
    state = shuttle(state, 1)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [(each.rank, each.score) for each in outcome] == [(2, 0), (2, 0)]
    assert rules.to_act(shuttle(game(*LANE, patience=10), 10)) == ()


def test_nobody_else_may_act() -> None:
    state = game()
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, 1, Move((1, 1)), no_draw)
    assert error.value.code == "not_to_act"
    assert rules.choices(state, 1) == []
