"""Bots: they play every step, reach the finish, and the higher level is stronger."""

import random
from collections import Counter
from typing import Any, Literal

import pytest

from domain.games.conquest import rules
from domain.games.conquest.bot_evaluation import gain_at, rivals_of, turns_between
from domain.games.conquest.bots import reachable_cells
from domain.games.conquest.commands import Exchange, Heed, Ignore, Jettison, Move, Sell, Stay, Stop
from domain.games.conquest.state import State
from tests.domain.conquest.builders import act, first, game, me, put, thought, top

Player = Literal["good", "easy", "chance", "passive"]
MAPS = ("short", "standard", "full", "generated")


def chosen(state: State, player: Player, rng: random.Random) -> Any:
    """Return a player's command; "passive" takes the first choice."""
    if player in ("chance", "passive"):
        choices = rules.choices(state, state.seat)
        return choices[0] if player == "passive" else rng.choice(choices)
    return thought(state, rng, player)


def match(players: list[Player], seed: int) -> tuple[State, int]:
    """Play a whole game; return the last state and the number of commands."""
    rng = random.Random(seed)
    options = rules.Options(map=MAPS[seed % 4], seed=seed + 1)
    state = rules.setup(options, len(players), rng.randrange).state
    commands = 0
    while rules.to_act(state):
        choice = chosen(state, players[state.seat], rng)
        assert choice in rules.choices(state, state.seat)
        state = rules.decide(state, state.seat, choice, rng.randrange).state
        commands += 1
        assert commands < 3_000
    return state, commands


def duels(one: Player, other: Player, games: int) -> Counter[str]:
    """Count the wins in games of two players, who take turns to start."""
    won: Counter[str] = Counter()
    for seed in range(games):
        players = [one, other] if seed % 2 else [other, one]
        state, _ = match(players, seed)
        best = [seat for seat, rank in enumerate(state.ranks) if rank == 1]
        won[players[best[0]] if len(best) == 1 else "nobody"] += 1
    return won


@pytest.mark.soak
def test_the_better_level_wins_400_games() -> None:
    won = duels("good", "easy", 400)
    assert won["good"] >= 0.7 * 400, won


def test_the_easy_level_outdoes_chance() -> None:
    won = duels("easy", "chance", 40)
    assert won["easy"] >= 0.7 * 40, won


@pytest.mark.parametrize("player", ["good", "easy"])
def test_games_end_beside_players_who_do_nothing(player: Player) -> None:
    for seed in range(4):
        state, _ = match([player, "passive", "passive"], seed)
        assert state.players[0].finished


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_games_of_bots_end_with_somebody_at_the_finish(seats: int) -> None:
    for seed in range(4):
        state, commands = match((["good", "easy"] * 3)[:seats], seed)
        assert state.first_finish
        assert commands < 150 * seats


def best(state: State) -> Any:
    return thought(state, random.Random(1))


def test_it_goes_to_a_treasure_and_takes_it() -> None:
    state = put(game("BGDGGGG", "GGGGGGF", treasure=((0, 2),)), 1, gold=0)
    while state.seat == 0:
        state = act(state, best(state), draw=first)
    assert me(state, 0).treasure == 1


def test_it_finishes_when_that_wins() -> None:
    state = put(game("BGGGGGGGG", "GGGGGGGGF"), 0, at=(1, 7), gold=60)
    state = act(state, best(state), draw=first)
    assert me(state, 0).finished == 1


def test_it_does_not_finish_behind_another_while_there_is_time() -> None:
    state = put(put(game("BGGGG", "GGGGF"), 0, at=(1, 3)), 1, at=(0, 3), gold=80, silk=30)
    assert best(state) != Move((1, 4))


def test_it_throws_away_what_holds_it_back() -> None:
    state = put(game("BGGGGGGGG", "GGGGGGGGF"), 0, gold=0, silk=5, spice=110)
    assert state.speed == 0
    assert isinstance(best(state), Jettison)


def test_it_ignores_what_is_unpleasant_and_heeds_the_rest() -> None:
    for card, answer in (("Mirage", Ignore()), ("Hidden Treasure", Heed())):
        state = put(game(), 0, at=(1, 1), kept=("Fortune Teller",))
        state = top(state, "desert", card)
        state = act(state, Move((1, 2)))
        state = act(state, Stop(), draw=first)
        assert best(state) == answer


def test_it_sells_before_goods_lose_their_worth() -> None:
    state = act(game("BSF", "SSS"), Move((0, 1)), Move((0, 2)))
    state = put(state, 1, at=(1, 1), silk=9, gold=0)
    state = act(state, Move((1, 0)), Stop())
    assert isinstance(best(state), Sell)


def test_it_buys_no_equipment_at_the_end_of_the_way() -> None:
    state = put(game(), 0, at=(1, 8), gold=60)
    state = act(state, Move((1, 9)), Stop())
    assert not isinstance(best(state), Exchange)


def test_reach_is_where_the_turn_may_end() -> None:
    state = game("BGGF", "GRGG")
    assert reachable_cells(state, 0, 3) == {1: 1, 2: 2, 3: 3, 7: 3, 5: 1}
    assert 0 not in reachable_cells(state, 0, 3)


def test_estimates() -> None:
    state = put(game("B" + "G" * 12 + "F"), 1, at=(0, 13 - 3))
    assert turns_between(state, me(state, 0), 0, 13) == 5
    assert [rival.turns for rival in rivals_of(state, 0)] == [1]
    assert gain_at(state, 1) == 10
    assert Stay() not in rules.choices(state, 0)
