"""The end of endless games (ruling 48) and exchanges that change nothing (ruling 49), both since
the second version of the rules."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.game import at_version
from domain.contract.options import schema_of
from domain.games.courtyard import rules
from domain.games.courtyard.commands import EndTurn, Exchange, Settle, SwapTwo
from domain.games.courtyard.events import (
    EndAnnounced,
    GameScored,
    IdleExchangesBarred,
    LastTurnsBegan,
    RoundLimitReached,
    RoundLimitSet,
    TurnPassed,
)
from domain.games.courtyard.options import Options
from domain.games.courtyard.state import State
from domain.games.courtyard.title import TITLE
from service.matches.options import fill_options
from tests.domain.courtyard.builders import act, no_draw, offered, put, refused


def begun(seats: int = 2, version: int = 2, **options: Any) -> State:
    """The first turn of a game that seat 0 begins."""
    state = rules.setup(Options(**options), seats, random.Random(1).randrange, version).state
    state = replace(state, starter=0, seat=0)
    for _ in range(seats):
        state = rules.decide(state, state.seat, Settle("G_S", "silver"), no_draw).state
    return state


def pass_turn(state: State) -> tuple[State, list[Any]]:
    """The turn ends as if both moves had been made."""
    course = rules.decide(replace(state, moves=0), state.seat, EndTurn(), no_draw)
    return course.state, course.events


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_after_60_rounds_the_game_ends_and_is_scored(seats: int) -> None:
    state = begun(seats, long_games_end=True)
    made: list[Any] = []
    for number in range(1, 61):
        for place in range(seats):
            view = rules.view(state, None)
            assert (view["round"], view["round_limit"]) == (number, 60)
            assert view["rounds_left"] == (61 - number if number > 55 else None)
            assert (state.seat, rules.to_act(state)) == (place, (place,))
            state, made = pass_turn(state)
            announced = [each for each in made if isinstance(each, EndAnnounced)]
            is_last = (number, place) == (55, seats - 1)
            assert announced == ([EndAnnounced(5)] if is_last else [])
    assert made[0] == RoundLimitReached(60)
    assert isinstance(made[-1], GameScored)
    assert rules.to_act(state) == ()
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [each.score for each in outcome] == [2] * seats
    assert rules.view(state, None)["rounds_left"] is None


def test_without_the_option_it_goes_on() -> None:
    state = begun()
    for _ in range(2 * 70):
        state, made = pass_turn(state)
        assert not any(isinstance(each, EndAnnounced) for each in made)
    assert rules.to_act(state) == (0,)
    assert rules.view(state, None)["round_limit"] is None


def test_a_round_is_counted_when_the_starters_turn_passes_by_itself() -> None:
    state = put(begun(long_games_end=True), 0, coins=0, debt=3, goods={})
    state = replace(state, round=55)
    for number in range(55, 60):
        assert state.round == number
        state = replace(state, seat=1)
        state, made = pass_turn(state)
        assert [each for each in made if isinstance(each, TurnPassed)] == [TurnPassed(0)]
        assert (EndAnnounced(5) in made) == (number == 55)
    state, made = pass_turn(replace(state, seat=1))
    assert [type(each) for each in made] == [RoundLimitReached, GameScored]


def test_who_reaches_the_wealth_in_the_last_round_brings_on_last_turns_all_the_same() -> None:
    """Ruling 16: the others have one more turn, also those who have played this round already."""
    state = replace(begun(3, long_games_end=True), round=60, seat=1)
    state = rules.evolve(state, LastTurnsBegan(1))
    assert rules.view(state, None)["rounds_left"] is None
    state, _ = pass_turn(state)
    state, _ = pass_turn(state)
    assert rules.to_act(state) == (0,)
    state, made = pass_turn(state)
    assert isinstance(made[-1], GameScored)
    assert RoundLimitReached(60) not in made


IDLE = {"bronze": 1, "amber": 1}


def test_ruling_49_an_exchange_that_changes_nothing_is_not_offered() -> None:
    state = replace(begun(), moves=1)
    state = put(state, 0, at="P_exch", goods={**IDLE, "silver": 1}, abilities=("T2",))
    assert Exchange({**IDLE, "silver": 1}) in offered(state, Exchange)
    assert {"bronze": 1} in [each.goods for each in offered(state, Exchange)]
    assert refused(state, Exchange(IDLE)) == "idle_exchange"
    assert refused(state, SwapTwo(IDLE)) == "idle_exchange"
    assert SwapTwo({"bronze": 1, "silver": 1}) in offered(state, SwapTwo)


def test_ruling_49_an_older_match_accepts_it() -> None:
    state = put(begun(version=1), 0, at="P_exch", goods=IDLE, abilities=("T2",))
    state = replace(state, moves=1)
    after = act(state, SwapTwo(IDLE), Exchange(IDLE))
    assert (after.acted, after.spent) == (True, ("T2",))


def test_both_came_with_the_second_version() -> None:
    def laid(version: int, **options: Any) -> list[Any]:
        draw = random.Random(1).randrange
        return rules.setup(Options(**options), 2, draw, version).events[1:]

    assert laid(1, long_games_end=True) == []
    assert laid(2) == [IdleExchangesBarred()]
    assert laid(2, long_games_end=True) == [IdleExchangesBarred(), RoundLimitSet(60)]
    option = schema_of(TITLE)["properties"]["long_games_end"]
    assert (option["default"], option["suggested"]) == (False, True)
    assert "long_games_end" not in schema_of(at_version(TITLE, 1))["properties"]
    assert fill_options(TITLE, {})["long_games_end"] is False
