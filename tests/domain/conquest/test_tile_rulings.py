"""The rulings on what tiles, camps, cities and cards do."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.conquest import rules
from domain.games.conquest.commands import (
    Buy,
    Decline,
    Done,
    Exchange,
    GiveUp,
    Heed,
    Ignore,
    Jettison,
    Move,
    Sell,
    Stay,
    Stop,
    Take,
)
from domain.games.conquest.events import (
    EncounterDrawn,
    EncounterIgnored,
    FinishReached,
    Gained,
    KeptCardSpent,
    OasisDried,
    StepForgone,
    TreasureTaken,
    TurnMissed,
)
from tests.domain.conquest.builders import (
    OPEN,
    act,
    first,
    game,
    goods,
    heavy,
    me,
    met,
    moves,
    offered,
    put,
    refused,
    those,
    told,
    top,
)

# --- what tiles and cards do ----------------------------------------------------------------


def test_ruling_7_a_good_is_silk_or_spice_by_the_losers_choice() -> None:
    state = met(game(), (0, 1), "grasslands", "Wild Animals")
    assert rules.choices(state, 0) == [GiveUp("silk"), GiveUp("spice")]
    assert refused(state, GiveUp("gold")) == "not_asked"
    assert goods(me(act(state, GiveUp("silk")), 0)) == (10, 4, 11)


def test_ruling_8_one_optional_extra_step_with_gain_but_no_second_card() -> None:
    state = met(game(), (1, 2), "desert", "Sand Dunes")
    assert state.step == "extra"
    assert rules.view(state, 0)["steps_left"] == 1
    assert moves(state) == {(0, 2), (2, 2), (1, 3)}  # not where the turn began (ruling 25)
    assert Stop() in rules.choices(state, 0)
    after, events = told(state, Move((1, 3)))
    assert those(events, Gained) == [Gained(0, "silk", 1)]
    assert not those(events, EncounterDrawn)
    assert (me(after, 0).silk, after.seat) == (7, 1)
    after, events = told(state, Stop())
    assert events[0] == StepForgone(0)
    assert (me(after, 0).silk, after.seat) == (6, 1)


@pytest.mark.parametrize(
    ("rows", "step"), [("BGDSF", "camp"), ("BGDPF", "camp"), ("BGDCF", "city")]
)
def test_ruling_8_camp_and_city_of_the_extra_step(rows: str, step: str) -> None:
    state = met(game(rows), (0, 2), "desert", "Sand Dunes", gold=40)
    state = act(state, Move((0, 3)))
    assert (state.step, state.seat) == (step, 0)
    assert act(state, Done()).seat == 1


def test_ruling_8_treasure_of_the_extra_step() -> None:
    state = met(game("BGDDF", treasure=((0, 3),)), (0, 2), "desert", "Sand Dunes")
    state, events = told(state, Move((0, 3)))
    assert those(events, TreasureTaken) == [TreasureTaken(0, (0, 3))]


def test_ruling_9_trades_on_cards_are_optional_and_ignored_by_the_unable() -> None:
    state = met(game(), (0, 1), "grasslands", "Trade Opportunity")
    assert Decline() in rules.choices(state, 0)
    after = act(state, Decline())
    assert goods(me(after, 0)) == (10, 5, 11)
    assert sum(after.discards[0]) == 10
    state = met(game(), (0, 2), "desert", "Thirsty Traveler", spice=0)
    assert state.seat == 1  # nothing to give, nothing asked


def test_rulings_10_and_27_missed_turns_stack_and_pass_by_themselves() -> None:
    state = put(game(*OPEN, seats=3), 1, skip=2)
    state = top(put(state, 2, skip=1), "grasslands", "Lost Child", "Lost Sheep")
    state = act(state, Move((0, 1)))
    state, events = told(state, Stop(), first)
    assert those(events, TurnMissed) == [TurnMissed(1), TurnMissed(2)]
    assert (state.seat, state.round) == (0, 2)
    assert [player.skip for player in state.players] == [0, 1, 0]
    assert state.turn == 4


def test_rulings_11_and_31_an_oasis_gives_two_of_a_choice_then_its_card() -> None:
    state = top(put(game(), 0, at=(1, 5)), "oasis", "Trade Fair")
    state = act(state, Move((1, 6)), Stop())
    assert state.step == "oasis"
    assert rules.choices(state, 0) == [Take("gold"), Take("silk"), Take("spice")]
    assert refused(state, Take("treasure")) == "wrong_step"
    assert rules.view(state, 0)["tiles"][1][6] == "O"
    for what, left in (("gold", (14, 5, 11)), ("silk", (12, 7, 11)), ("spice", (12, 5, 13))):
        after, events = told(state, Take(what), first)
        assert goods(me(after, 0)) == left
        assert those(events, OasisDried) == [OasisDried((1, 6))]
        assert rules.view(after, 0)["tiles"][1][6] == "D"
        assert rules.view(after, 0)["map"]["rows"][1][6] == "O"


def test_ruling_12_the_fortune_tellers_card_is_kept_openly_and_ignores_a_card() -> None:
    state = met(game(), (0, 1), "grasslands", "Wild Animals", kept=("Fortune Teller",))
    seen = rules.view(state, 1)
    assert seen["players"][0]["kept"] == ["Fortune Teller"]
    assert (seen["drawn"], seen["step"]) == ("Wild Animals", "fortune")
    assert rules.choices(state, 0) == [Ignore(), Heed()]
    assert refused(state, GiveUp("silk")) == "not_asked"
    after, events = told(state, Ignore())
    assert those(events, EncounterIgnored)
    assert goods(me(after, 0)) == (10, 5, 11)
    assert rules.view(after, 0)["players"][0]["kept"] == []
    assert rules.view(after, 0)["discards"]["oasis"] == 1
    after = act(state, Heed())
    assert after.step == "card"
    assert len(me(after, 0).kept) == 1


def test_rulings_13_and_32_two_cards_at_the_next_end_of_turn_with_a_card_tile() -> None:
    state = met(
        game(), (1, 2), "desert", "Hidden Treasure", "Merchant Caravan", kept=("Desert Nomad",)
    )
    assert goods(me(state, 0)) == (10, 8, 10)
    assert state.step == "card"  # the second one asks
    seen = rules.view(state, 0)
    assert seen["players"][0]["kept"] == []
    assert (seen["decks"]["desert"], seen["discards"]["oasis"]) == (0, 1)
    assert act(state, Decline()).seat == 1


def test_ruling_32_extra_steps_come_after_both_cards() -> None:
    state = met(game(), (1, 2), "desert", "Sand Dunes", "Hidden Treasure", kept=("Desert Nomad",))
    assert state.step == "extra"
    assert goods(me(state, 0)) == (10, 8, 10)
    state = met(
        game(), (1, 4), "mountains", "Mountain Guide", "Wild Mountain Goat", kept=("Desert Nomad",)
    )
    assert rules.view(state, 0)["steps_left"] == 2
    state = act(state, Move((1, 5)))
    assert (state.step, state.extra, me(state, 0).gold) == ("extra", 1, 14)
    state = act(state, Move((0, 5)))
    assert (me(state, 0).gold, state.seat) == (16, 1)


@pytest.mark.parametrize(
    ("to", "tile"), [((1, 7), "S"), ((1, 8), "P"), ((1, 9), "C"), ((0, 10), "F")]
)
def test_ruling_13_elsewhere_the_second_card_lapses(to: tuple[int, int], tile: str) -> None:
    state = put(game(), 0, at=(to[0], to[1] - 1), kept=("Desert Nomad",))
    state = act(state, Move(to))
    events: list[Any] = []
    if tile != "F":
        state, events = told(state, Stop())
    assert me(state, 0).kept == ()
    assert sum(state.discards[3]) == 1
    assert those(events, KeptCardSpent) == (
        [KeptCardSpent(0, "oasis", "Desert Nomad", True)] if events else []
    )


def test_ruling_32_a_turn_without_speed_draws_nothing_and_the_second_card_lapses() -> None:
    state, events = told(heavy(kept=("Desert Nomad",)), Stay())
    assert those(events, KeptCardSpent) == [KeptCardSpent(0, "oasis", "Desert Nomad", True)]
    assert me(state, 0).kept == ()


def test_ruling_14_trade_camps_trade_their_resource_both_ways_as_often_as_one_likes() -> None:
    state = put(game(), 0, at=(1, 6), gold=57)
    state = act(state, Move((1, 7)), Stop())
    assert state.step == "camp"
    assert rules.choices(state, 0) == [
        Done(),
        *[Sell(n) for n in (1, 5)],
        *[Buy(n) for n in (1, 5)],
    ]
    state = act(state, Sell(5))
    assert goods(me(state)) == (107, 0, 10)
    assert rules.choices(state, 0) == [Done(), Buy(1), Buy(5), Buy(10)]
    state = act(state, Buy(10), Sell(1), Sell(1))
    assert goods(me(state)) == (27, 8, 10)
    assert refused(state, Buy(3)) == "wrong_amount"
    assert refused(state, Sell(2)) == "wrong_amount"
    assert act(state, Done()).seat == 1
    state = put(game(), 0, at=(1, 7))
    state = act(state, Move((1, 8)), Stop(), Sell(10))
    assert goods(me(state)) == (60, 5, 0)


def test_ruling_14_at_the_camp_no_card_is_drawn_and_nothing_gained() -> None:
    state = put(game(), 0, at=(1, 6))
    state, events = told(act(state, Move((1, 7)), Stop()), Done())
    assert not those(events, Gained)
    assert not those(events, EncounterDrawn)


def test_a_camp_where_nothing_can_be_traded_is_left_at_once() -> None:
    state = put(game(), 0, at=(1, 6), gold=9, silk=0)
    assert act(state, Move((1, 7)), Stop()).seat == 1


def test_rulings_15_and_35_the_city_exchanges_old_for_new() -> None:
    state = put(game(), 0, at=(1, 8), gold=40)
    state = act(state, Move((1, 9)), Stop())
    assert rules.choices(state, 0) == [
        Done(),
        Exchange("donkey", "roach"),
        Exchange("donkey", "epona"),
        Exchange("donkey", "fidget"),
        Exchange("basic", "reinforced"),
    ]
    state = act(state, Exchange("donkey", "epona"))
    assert (me(state).gold, me(state).animals) == (22, ("epona", "donkey"))
    assert Exchange("basic", "reinforced") not in rules.choices(state, 0)
    assert refused(state, Exchange("basic", "reinforced")) == "no_exchange"
    state = act(state, Exchange("epona", "donkey"))  # half of 20 for 5: 5 back
    assert (me(state).gold, me(state).animals) == (27, ("donkey", "donkey"))
    for command in (
        Exchange("donkey", "donkey"),
        Exchange("roach", "epona"),
        Exchange("donkey", "reinforced"),
        Exchange("basic", "basic"),
        Exchange("basic", "roach"),
        Exchange("donkey", "unicorn"),
    ):
        assert refused(state, command) == "no_exchange"


def test_ruling_35_a_better_caravan_costs_60_less_20_and_is_worth_30() -> None:
    state = put(game(), 0, at=(1, 8), gold=41)
    state = act(state, Move((1, 9)), Stop(), Exchange("basic", "reinforced"))
    assert (me(state, 0).gold, me(state, 0).caravan) == (1, "reinforced")
    assert rules.view(state, 0)["players"][0]["capacity"] == 200
    assert rules.view(state, 0)["players"][0]["wealth"] == 134 + 31 - 40 + 30 - 20
    assert state.seat == 1  # the way back costs 10 more than there is, so the city is left


def test_a_city_in_which_nothing_can_be_paid_is_left_at_once() -> None:
    state = put(game(), 0, at=(1, 8), gold=2)
    assert act(state, Move((1, 9)), Stop()).seat == 1


def test_ruling_16_the_first_to_end_a_turn_on_a_treasure_takes_it() -> None:
    state = put(game("BDDDF", treasure=((0, 1), (0, 2))), 0, treasure=3)
    state = top(state, "desert", "Hidden Treasure", "Ancient Ruins")
    assert rules.view(state, None)["treasure"] == [[0, 1], [0, 2]]
    state = act(state, Move((0, 1)), Move((0, 2)))
    state = act(state, Stop(), draw=first)
    assert me(state, 0).treasure == 4  # any number may be carried
    assert rules.view(state, None)["treasure"] == [[0, 1]]  # not taken in passing
    state = act(state, Move((0, 1)), Move((0, 2)))
    state = act(state, Stop(), draw=first)
    assert me(state, 1).treasure == 0


def test_ruling_26_healing_waters_add_two_after_the_floor_and_wait_through_rests() -> None:
    state = put(game(*OPEN), 1, gold=100, treasure=1, kept=("Healing Waters",), skip=1)
    assert rules.view(state, 1)["players"][1]["speed"] == 2
    state = top(state, "grasslands", "Lost Child", "Lost Sheep")
    state = act(act(state, Move((0, 1))), Stop(), draw=first)
    assert (state.seat, me(state, 1).skip) == (0, 0)
    assert len(me(state, 1).kept) == 1
    state = act(act(state, Move((1, 1))), Stop(), draw=first)
    assert (state.seat, state.speed, state.bonus) == (1, 2, 2)
    assert me(state, 1).kept == ()
    assert sum(state.discards[3]) == 1
    state = act(state, Jettison("gold", 10))
    assert state.speed == 3


def test_ruling_28_what_can_be_paid_in_part_is_paid_in_part() -> None:
    altitude = ("mountains", "High Altitude")
    state = met(game(), (1, 4), *altitude, silk=3, spice=1)
    assert rules.choices(state, 0) == [GiveUp("silk"), GiveUp("spice")]
    assert goods(me(act(state, GiveUp("spice")), 0)) == (12, 3, 0)
    assert goods(me(met(game(), (1, 4), *altitude, silk=0, spice=1), 0)) == (12, 0, 0)
    assert goods(me(met(game(), (1, 4), *altitude, silk=0, spice=5), 0)) == (12, 0, 3)
    assert goods(me(met(game(), (1, 4), *altitude, silk=2, spice=0), 0)) == (12, 1, 0)
    state = met(game(), (1, 4), *altitude, silk=0, spice=0)
    assert (goods(me(state, 0)), state.seat) == ((12, 0, 0), 1)


def test_ruling_29_rates_of_cards_do_not_fall_with_the_prices() -> None:
    state = replace(game(), silk=3, spice=0, first_finish=1)
    state = met(state, (1, 2), "desert", "Merchant Caravan")
    state = act(state, *[c for c in rules.choices(state, 0) if c != Decline()])
    assert goods(me(state, 0)) == (13, 5, 10)


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        (("BGMMF", "GGGGG"), (11, 5, 10)),
        (("BGMGF", "GGMGG"), (11, 5, 10)),
        (("BGMGF",), (12, 6, 10)),
    ],
)
def test_ruling_30_next_to_mountains(rows: tuple[str, ...], left: tuple[int, int, int]) -> None:
    """One of the four neighbours, the tile itself not counted."""
    state = met(game(*rows), (0, 2), "mountains", "Climbing Challenge")
    assert goods(me(state, 0)) == left


def test_ruling_25_an_extra_step_leaves_an_oasis_an_oasis() -> None:
    state = met(game("BMOGF"), (0, 1), "mountains", "Mountain Guide")
    state = act(state, Move((0, 2)))
    assert state.step == "oasis"
    state, events = told(state, Take("silk"))
    assert not those(events, EncounterDrawn)
    assert rules.view(state, 0)["tiles"] == ["BMOGF"]
    assert (me(state, 0).silk, state.seat) == (7, 1)


def test_ruling_25_an_extra_step_may_enter_the_finish_and_lapses_with_nowhere_to_go() -> None:
    state = met(game("BMF"), (0, 1), "mountains", "Mountain Guide")
    state, events = told(state, Move((0, 2)))
    assert those(events, FinishReached) == [FinishReached(0, 1, 136)]
    state = top(put(game("MBF"), 0), "mountains", "Mountain Guide")
    state, events = told(act(state, Move((0, 0))), Stop(), first)
    assert those(events, StepForgone) == [StepForgone(0)]
    assert state.seat == 1


def test_ruling_31_an_ignored_card_dries_the_oasis_all_the_same() -> None:
    state = put(game(), 0, at=(1, 5), kept=("Fortune Teller",))
    state = top(state, "oasis", "Trade Fair")
    state = act(act(state, Move((1, 6)), Stop()), Take("gold"), draw=first)
    assert rules.view(state, 0)["tiles"][1][6] == "D"
    state = act(state, Ignore())
    assert goods(me(state, 0)) == (12, 5, 10)


def test_ruling_32_both_cards_of_an_oasis_come_from_its_deck() -> None:
    state = put(game(), 0, at=(1, 5), kept=("Desert Nomad",))
    state = top(state, "oasis", "Trade Fair", "Resource Bounty")
    state = act(act(state, Move((1, 6)), Stop()), Take("gold"), draw=first)
    assert goods(me(state, 0)) == (14, 6, 12)


def test_rulings_21_and_33_an_empty_deck_is_shuffled_when_a_card_is_needed() -> None:
    state = top(game(*OPEN), "grasslands")
    seen = rules.view(state, None)
    assert (seen["decks"]["grasslands"], seen["discards"]["grasslands"]) == (0, 10)
    state = act(act(state, Move((0, 1))), Stop(), draw=first)
    seen = rules.view(state, None)
    assert (seen["decks"]["grasslands"], seen["discards"]["grasslands"]) == (9, 1)


def test_ruling_33_a_kept_card_is_not_shuffled_in() -> None:
    state = put(game(), 0, at=(1, 5), kept=("Fortune Teller",))
    state = top(state, "oasis")
    state = act(act(state, Move((1, 6)), Stop()), Take("gold"), draw=first)
    assert sum(state.decks[3]) == 8
    assert state.step == "fortune"


def test_ruling_34_amounts() -> None:
    for gold, listed in (
        (1, [1]),
        (4, [1, 4]),
        (5, [1, 5]),
        (10, [1, 5, 10]),
        (33, [1, 5, 10, 33]),
    ):
        state = put(game(*OPEN), 0, gold=gold, silk=0, spice=0)
        assert [each.amount for each in offered(state, Jettison)] == listed


def test_rulings_34_and_36_at_price_0_there_is_no_trade() -> None:
    state = replace(game(), first_finish=1, round=6, silk=5, spice=0)
    assert act(put(state, 0, at=(1, 7)), Move((1, 8)), Stop()).seat == 1
    state = act(put(state, 0, at=(1, 6), gold=14), Move((1, 7)), Stop())
    state = act(state, Sell(1), Buy(1))
    assert goods(me(state)) == (14, 5, 10)
    assert [each.amount for each in offered(state, Buy)] == [1, 2]
