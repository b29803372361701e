"""The rulebook's figures and examples, and the rulings on movement."""

import pytest
from msgspec.structs import replace

from domain.games.conquest import rules
from domain.games.conquest.caravan_stats import overload_steps, speed, team_speed
from domain.games.conquest.commands import Jettison, Move, Stay, Stop
from domain.games.conquest.equipment import (
    BASIC,
    CAPACITIES,
    COSTS,
    DONKEY,
    EPONA,
    FIDGET,
    REINFORCED,
    ROACH,
    resale_price,
)
from domain.games.conquest.events import CaravanStayed, EncounterDrawn, FinishReached, Gained
from domain.games.conquest.state import Player, State
from tests.domain.conquest.builders import (
    OPEN,
    act,
    first,
    game,
    goods,
    heavy,
    me,
    moves,
    offered,
    put,
    refused,
    those,
    told,
    top,
)

# --- the rulebook's own figures -------------------------------------------------------------


def test_start() -> None:
    """Recommended gear: basic caravan, two donkeys, 10 gold, 10 spice, 5 silk; wealth 134 [D]."""
    state = game()
    seen = rules.view(state, None)["players"][0]
    assert (seen["gold"], seen["silk"], seen["spice"], seen["treasure"]) == (10, 5, 10, 0)
    assert seen["animals"] == ["donkey", "donkey"]
    assert (seen["caravan"], seen["capacity"], seen["load"]) == ("basic", 90, 25)
    assert (seen["speed"], seen["wealth"], seen["at"]) == (3, 134, [1, 0])


def test_example_of_total_movement_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Capacity 120, load 125, horses of 5 and 4, begun on desert: 4 - 1 - 1 = 2."""
    monkeypatch.setitem(CAPACITIES, BASIC, 120)
    player = Player(0, gold=105, silk=10, spice=10, animals=(EPONA, ROACH))
    assert overload_steps(player) == 1
    assert speed(player, "G", 0) == 3
    assert speed(player, "D", 0) == 2


@pytest.mark.parametrize(
    ("over", "lost"), [(-1, 0), (0, 0), (1, 1), (5, 1), (9, 1), (10, 2), (19, 2), (20, 3), (35, 4)]
)
def test_load_over_the_capacity(over: int, lost: int) -> None:
    """One step for being over it and one more for every ten units (rulebook; ledger)."""
    for caravan, capacity in ((BASIC, 90), (REINFORCED, 200)):
        player = Player(0, gold=capacity + over - 2, silk=0, spice=1, treasure=1, caravan=caravan)
        assert overload_steps(player) == lost
        assert speed(player, "G", 0) == max(0, 3 - lost)


@pytest.mark.parametrize(
    ("thing", "half"),
    [(DONKEY, 2), (ROACH, 5), (EPONA, 10), (FIDGET, 7), (BASIC, 20), (REINFORCED, 30)],
)
def test_resale_is_half_rounded_down(thing: str, half: int) -> None:
    assert resale_price(thing) == half == COSTS[thing] // 2


# --- movement -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("animals", "tile", "steps"),
    [
        ((DONKEY, DONKEY), "G", 3),
        ((DONKEY, DONKEY), "D", 2),
        ((DONKEY, DONKEY), "M", 2),
        ((DONKEY, DONKEY), "O", 3),
        ((EPONA, ROACH), "D", 3),
        ((FIDGET, FIDGET), "D", 4),
        ((FIDGET, FIDGET), "M", 3),
        ((FIDGET, ROACH), "D", 3),
        ((FIDGET, EPONA), "D", 4),
        ((FIDGET, EPONA), "M", 3),
    ],
)
def test_rulings_1_and_2_ground_slows_each_animal_by_itself(
    animals: tuple[str, str], tile: str, steps: int
) -> None:
    assert team_speed(Player(0, animals=animals), tile) == steps


def test_ruling_1_counts_where_the_turn_began_and_not_on_the_way() -> None:
    state = put(game("BGGGGGF", "GDDDDGG"), 0, at=(1, 1))
    assert state.speed == 2
    state = put(state, 0, at=(1, 0))
    assert state.speed == 3
    state = act(state, Move((1, 1)), Move((1, 2)))
    assert rules.view(state, 0)["steps_left"] == 1


def test_ruling_3_gain_first_then_a_card_and_only_where_the_turn_ends() -> None:
    state = top(put(game(), 0, at=(0, 1)), "desert", "Hidden Treasure")
    state, events = told(act(state, Move((0, 2)), Move((0, 3))), Stop(), first)
    what = [event for event in events if isinstance(event, Gained | EncounterDrawn)]
    assert what[0] == Gained(0, "silk", 1)
    assert what[1] == EncounterDrawn(0, "desert", "Hidden Treasure")
    assert what[2] == Gained(0, "silk", 2, True)
    assert goods(me(state, 0)) == (10, 8, 10)


@pytest.mark.parametrize(
    ("rows", "what", "amount"),
    [("BGF", "spice", 1), ("BDF", "silk", 1), ("BMF", "gold", 2)],
)
def test_gain_of_each_tile(rows: str, what: str, amount: int) -> None:
    """The legend: grasslands 1 spice, desert 1 silk, mountains 2 gold."""
    state = game(rows)
    _, events = told(act(state, Move((0, 1))), Stop(), first)
    assert those(events, Gained)[0] == Gained(0, what, amount)


def test_ruling_4_without_speed_the_caravan_stays_and_nothing_happens() -> None:
    state = heavy()
    assert state.speed == 0
    assert not moves(state)
    assert not offered(state, Stop)
    assert rules.view(state, 0)["players"][0]["speed"] == 0
    assert refused(state, Move((0, 1))) == "no_speed"
    after, events = told(state, Stay())
    assert events[0] == CaravanStayed(0)
    assert not those(events, Gained)
    assert not those(events, EncounterDrawn)
    assert me(after, 0) == me(state, 0)
    assert after.seat == 1


def test_ruling_4_a_caravan_that_can_move_cannot_stay() -> None:
    state = game(*OPEN)
    assert not offered(state, Stay)
    assert refused(state, Stay()) == "can_move"


def test_ruling_5_one_must_move_and_may_cross_the_tile_where_one_began() -> None:
    state = game(*OPEN)
    assert refused(state, Stop()) == "back_where_it_began"
    state = act(state, Move((0, 1)))
    assert Stop() in rules.choices(state, 0)
    state = act(state, Move((1, 1)))
    assert not offered(state, Stop)
    assert refused(state, Stop()) == "back_where_it_began"
    assert moves(state) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_ruling_6_several_caravans_on_a_tile() -> None:
    state = top(game(*OPEN, seats=3), "grasslands", "Lost Sheep", "Lost Child", "Animal Tracks")
    for _ in range(3):
        state = act(state, Move((0, 1)))
        state = act(state, Stop(), draw=first)
    assert {player.at for player in state.players} == {1}


def test_rivers_and_edges_are_no_way() -> None:
    state = put(game("BGRF", "GGGG"), 0, at=(0, 1))
    assert moves(state) == {(0, 0), (1, 1)}
    assert refused(state, Move((0, 2))) == "no_way"
    assert refused(state, Move((-1, 1))) == "no_way"
    assert refused(state, Move((1, 2))) == "no_way"
    state = put(state, 0, at=(1, 3))
    assert moves(state) == {(0, 3), (1, 2)}
    assert refused(state, Move((1, 4))) == "no_way"


def test_rulings_20_and_25_the_finish_ends_the_movement() -> None:
    state = game("BGFG", "GGGG")
    state, events = told(act(state, Move((0, 1))), Move((0, 2)))
    assert those(events, FinishReached) == [FinishReached(0, 1, 134)]
    assert me(state, 0).finished == 1
    assert state.seat == 1
    state = act(state, Move((1, 0)))
    state = act(state, Stop(), draw=first)
    assert state.seat == 1  # the finished seat has no turn any more
    assert state.round == 2


def test_ruling_23_a_step_back_is_offered_only_while_another_can_follow() -> None:
    state = act(game(*OPEN), Move((0, 1)))
    assert (1, 1) in moves(state)
    state = act(state, Move((0, 2)))
    assert (1, 1) not in moves(put_walked(state, (0, 1)))
    state = act(state, Move((0, 1)), draw=first)
    assert me(state, 0).at == 1  # the last step ends the turn by itself


def put_walked(state: State, at: tuple[int, int]) -> State:
    """The caravan next to where it began, with one step left."""
    players = list(state.players)
    players[0] = replace(players[0], at=at[0] * state.stride + at[1])
    return replace(state, players=tuple(players))


def test_ruling_23_in_a_dead_end_without_another_step_one_can_only_stop() -> None:
    state = game("GBF", "RRR")
    state = act(replace(state, speed=2), Move((0, 0)))
    assert rules.choices(state, 0) == [Stop()]
    assert refused(state, Move((0, 1))) == "back_where_it_began"


def test_ruling_24_jettison_any_of_gold_silk_spice_before_the_first_step() -> None:
    state = put(game(*OPEN), 0, gold=40, silk=3, spice=60, treasure=2)
    assert state.speed == 1  # 105 of 90
    assert offered(state, Jettison) == [
        *[Jettison("gold", n) for n in (1, 5, 10, 40)],
        *[Jettison("silk", n) for n in (1, 3)],
        *[Jettison("spice", n) for n in (1, 5, 10, 60)],
    ]
    state = act(state, Jettison("spice", 5), Jettison("spice", 1))
    assert (state.speed, me(state).spice) == (2, 54)
    assert rules.view(state, 0)["steps_left"] == 2
    state = act(state, Jettison("gold", 40))
    assert (state.speed, me(state).gold, me(state).treasure) == (3, 0, 2)
    state = act(state, Move((0, 1)))
    assert not offered(state, Jettison)
    assert refused(state, Jettison("silk", 1)) == "on_the_way"


def test_ruling_24_never_treasure_nor_more_than_there_is() -> None:
    state = put(game(*OPEN), 0, gold=7, treasure=3)
    for command in (
        Jettison("treasure", 1),
        Jettison("gold", 8),
        Jettison("gold", 0),
        Jettison("gold", -1),
        Jettison("gold", 2),
        Jettison("stone", 1),
    ):
        assert refused(state, command) == "wrong_amount"


def test_ruling_24_above_0_the_caravan_must_move_then() -> None:
    state = act(heavy(), Jettison("gold", 1))
    assert state.speed == 0
    assert Stay() in rules.choices(state, 0)
    state = act(state, Jettison("gold", 10))
    assert state.speed == 1
    assert not offered(state, Stay)
    assert moves(state)
