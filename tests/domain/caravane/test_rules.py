"""Every rule, ruling and rulebook example of Caravane."""

from typing import Any

import pytest

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import LEVELS, IllegalMove
from domain.contract.options import schema_of
from domain.games.caravane import board, rules
from domain.games.caravane.commands import Allot, Bid, PackBags, Revise
from domain.games.caravane.events import (
    BagsPacked,
    BaleDamaged,
    BaleFound,
    BidMade,
    BidRevised,
    BidsRevealed,
    CamelAdvanced,
    CamelArrived,
    ChoiceWithdrawn,
    GourdsAllotted,
    GourdsRevealed,
    PalaceRewarded,
    RaceEnded,
    RoundBegun,
    StageBegun,
    WaterFound,
    WaterLeaked,
)
from domain.games.caravane.state import BID, PREPARE, REVISE, State
from domain.games.caravane.title import TITLE
from tests.domain.caravane.builders import act, bid_all, fold, no_draw, put, race, stage, those
from tests.game_contract.strict_english import format_message, format_reason


def commands(state: State, seat: int) -> list[Any]:
    return rules.choices(state, seat)


def refused(state: State, seat: int, command: Any) -> str:
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, seat, command, no_draw)
    assert format_reason("caravane", error.value)
    return error.value.code


# --- preparation ----------------------------------------------------------------------------


def test_ruling_1_two_to_five_players() -> None:
    """Ruling 1: three to five by the box, two allowed."""
    assert TITLE.seats == (2, 3, 4, 5)


def test_options_have_defaults_and_nothing_else_is_allowed() -> None:
    assert schema_of(TITLE)["additionalProperties"] is False
    assert {n: p["default"] for n, p in schema_of(TITLE)["properties"].items()} == {
        "split": False,
        "food": False,
        "keep_secrets": False,
    }


def test_the_track_is_that_of_the_rule_notes() -> None:
    """Section (c): stages of 15, 25 and 19 squares, the last of each the palace."""
    assert board.STAGE_LENGTHS == (15, 25, 19)
    marks = {"water": "+g", "bale": "+b", "leak": "-g", "damage": "-b"}
    shown = [{square: marks[what] for square, what in one.items()} for one in board.SPECIAL_SQUARES]
    assert shown == [
        {4: "+g", 7: "+b", 10: "-g", 12: "-b"},
        {4: "+b", 8: "-g", 11: "+g", 15: "+b", 18: "-b", 22: "-g"},
        {4: "+b", 7: "-g", 10: "+g", 13: "+b", 16: "-b"},
    ]


def test_setup_puts_all_at_the_start_with_15_gourds() -> None:
    """Rulebook, preparation: 15, 25 and 20 gourds on the three levels; the race begins."""
    state = race(4)
    assert (state.phase, state.stage, state.number) == (BID, 1, 1)
    assert [(r.square, r.stock, r.bales, r.allotted) for r in state.racers] == [
        (0, 15, 0, (15, 25, 20))
    ] * 4
    assert rules.to_act(state) == (0, 1, 2, 3)


def test_each_stage_has_its_stock() -> None:
    """Rulebook, preparation: 15, then 25, then 20."""
    assert [stage(race(2), n).racers[0].stock for n in (1, 2, 3)] == [15, 25, 20]


def test_ruling_10_any_split_of_60_in_secret_before_the_start() -> None:
    """Ruling 10: any split, zeros included, in two secret steps; the third level gets the rest."""
    state = race(2, split=True)
    assert state.phase == PREPARE
    assert rules.turn(state) == 0
    assert commands(state, 0) == [Allot(n) for n in range(61)]
    state, first = act(state, 0, Allot(60))
    assert commands(state, 0) == [Allot(0)]
    state, second = act(state, 0, Allot(0))
    assert second == [GourdsAllotted(0, 2, 0), GourdsAllotted(0, 3, 0)]
    assert [rules.redact(event, 1) for event in first + second] == [
        GourdsAllotted(0, 1, None),
        GourdsAllotted(0, 2, None),
        GourdsAllotted(0, 3, None),
    ]
    assert rules.to_act(state) == (1,)
    state, _ = act(state, 1, Allot(10))
    state, events = act(state, 1, Allot(20))
    assert events[-2:] == [StageBegun(1), RoundBegun(1)]
    assert [r.allotted for r in state.racers] == [(60, 0, 0), (10, 20, 30)]
    assert [r.stock for r in state.racers] == [60, 10]
    assert stage(state, 3).racers[1].stock == 30


def test_ruling_10_more_than_60_is_refused() -> None:
    state, _ = act(race(2, split=True), 0, Allot(50))
    assert refused(state, 0, Allot(11)) == "wrong_amount"
    assert refused(state, 0, Allot(-1)) == "wrong_amount"
    assert refused(state, 0, Bid(1)) == "wrong_step"


def test_ruling_12_one_bag_on_each_level_in_secret() -> None:
    """Ruling 12 and the optional rule: bags of 1, 2 and 3, one a level, in any order."""
    state = race(2, food=True)
    assert len(commands(state, 0)) == 6
    assert refused(state, 0, PackBags((1, 1, 3))) == "wrong_bags"
    assert refused(state, 0, PackBags((1, 2))) == "wrong_bags"
    state, events = act(state, 0, PackBags((3, 1, 2)))
    assert rules.redact(events[0], 1) == BagsPacked(0, None)
    assert rules.view(state, 1)["racers"][0]["bags"] is None
    assert rules.view(state, 0)["racers"][0]["bags"] == [3, 1, 2]
    state, events = act(state, 1, PackBags((1, 2, 3)))
    assert events[1:] == [StageBegun(1), RoundBegun(1)]


def test_split_and_bags_are_chosen_one_after_the_other() -> None:
    state = race(2, split=True, food=True)
    for command in (Allot(15), Allot(25), PackBags((1, 2, 3))):
        assert command in commands(state, 1)
        state, _ = act(state, 1, command)
    assert rules.to_act(state) == (0,)
    assert not rules.choices(state, 1)


# --- bids and moves -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bids", "steps"),
    [
        ((3, 1, 1, 0), (4, 3, 3, 1)),  # rulebook example
        ((3, 3, 0, 0), (4, 4, 2, 2)),  # rulebook example
        ((5, 4, 3, 2, 1), (5, 4, 3, 2, 1)),
        ((0, 2, 1), (1, 3, 2)),
        ((1, 0), (2, 1)),
    ],
)
def test_examples_of_advances(bids: tuple[int, ...], steps: tuple[int, ...]) -> None:
    """Rulebook, "Avancée des chameaux": ties share the better rank, vacant ranks count."""
    state, events = bid_all(race(len(bids)), *bids)
    assert those(events, BidsRevealed) == [BidsRevealed(bids, (0,) * len(bids), steps)]
    assert tuple(racer.square for racer in state.racers) == steps
    water = {4: 2}  # the first stage has a water square at 4
    assert [racer.stock for racer in state.racers] == [
        15 - bid + water.get(step, 0) for bid, step in zip(bids, steps, strict=True)
    ]


def test_bids_stay_secret_until_the_last_is_made_and_then_all_open_at_once() -> None:
    """Simultaneous: any order; a seat that has bid has no choices and shows only "ready"."""
    state = race(3)
    state, events = act(state, 2, Bid(9))
    assert events == [BidMade(2, 9, False)]
    assert not rules.choices(state, 2)
    assert refused(state, 2, Bid(1)) == "not_to_act"
    shown = rules.view(state, 0)["racers"][2]
    assert (shown["ready"], shown["bid"], shown["stock"]) == (True, None, None)
    state, events = act(state, 0, Bid(0))
    assert len(events) == 1
    state, events = act(state, 1, Bid(2))
    assert events[1] == BidsRevealed((0, 2, 9), (0, 0, 0), (1, 2, 3))
    assert [rules.reveals(event) for event in events[:2]] == [False, True]
    assert rules.view(state, None)["last"] == {
        "stage": 1,
        "round": 1,
        "gourds": [0, 2, 9],
        "bags": [0, 0, 0],
        "steps": [1, 2, 3],
    }


def test_ruling_16_gourds_left_are_hidden_and_bales_open() -> None:
    """Ruling 16: in a stage nobody sees what the others have left; bales lie open."""
    state = put(race(3), 1, bales=4, stock=6)
    for viewer in (0, 2, None):
        shown = rules.view(state, viewer)["racers"][1]
        assert (shown["stock"], shown["bales"]) == (None, 4)
    assert rules.view(state, 1)["racers"][1]["stock"] == 6


def test_a_seat_bids_at_most_what_it_has() -> None:
    state = put(race(2), 0, stock=3)
    assert commands(state, 0) == [Bid(n) for n in range(4)]
    assert refused(state, 0, Bid(4)) == "wrong_amount"
    assert refused(state, 0, Bid(-1)) == "wrong_amount"
    assert refused(state, 0, Bid(1, True)) == "no_bag"
    assert refused(state, 0, Revise(1)) == "wrong_step"


def test_ruling_9_without_gourds_the_bid_is_0() -> None:
    """Ruling 9: 0 is the only choice; the seat makes it itself, so that nobody learns of it."""
    state = put(race(3), 1, stock=0)
    assert commands(state, 1) == [Bid(0)]
    assert 1 in rules.to_act(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ruling_7_all_bid_0_and_all_advance_n(seats: int) -> None:
    """Ruling 7: all are tied first."""
    state, _ = bid_all(race(seats), *[0] * seats)
    assert [racer.square for racer in state.racers] == [seats] * seats


@pytest.mark.parametrize("bid", [0, 5])
def test_ruling_8_a_camel_left_alone_goes_one_step_a_round(bid: int) -> None:
    """Ruling 8: one camel left, n = 1."""
    state = put(put(race(3), 0, square=15, place=1), 2, square=15, place=1)
    assert rules.to_act(state) == (1,)
    state, events = bid_all(state, None, bid, None)
    assert those(events, CamelAdvanced) == [CamelAdvanced(1, 1)]
    assert state.racers[1].stock == 15 - bid


def test_arrived_camels_neither_bid_nor_count() -> None:
    """Rulebook: who has finished the stage is out of the bids and of the ranks."""
    state = put(race(4), 1, square=15, place=1)
    assert rules.to_act(state) == (0, 2, 3)
    assert not rules.choices(state, 1)
    _, events = bid_all(state, 2, None, 1, 0)
    assert those(events, BidsRevealed)[0].steps == (3, 0, 2, 1)


# --- special squares ------------------------------------------------------------------------


def test_ruling_4_only_the_landing_square_counts() -> None:
    """Ruling 4: passing square 4 gives nothing, stopping there two gourds, and no more steps."""
    state, events = bid_all(put(race(3), 0, square=3), 3, 1, 0)
    assert state.racers[0].square == 6
    assert not those(events, WaterFound)
    state, events = bid_all(put(race(3), 0, square=3), 0, 1, 2)
    assert those(events, WaterFound) == [WaterFound(0, 2)]
    assert (state.racers[0].square, state.racers[0].stock) == (4, 17)


def test_ruling_4_all_move_first_and_all_on_a_square_get_it() -> None:
    """Ruling 4: moves before effects; camels may share a square, each gets its effect."""
    state, events = bid_all(race(4), 3, 3, 1, 0)
    kinds = [type(event) for event in events]
    assert kinds[-7:] == [*[CamelAdvanced] * 4, WaterFound, WaterFound, RoundBegun]
    assert [racer.square for racer in state.racers] == [4, 4, 2, 1]
    assert [racer.stock for racer in state.racers] == [14, 14, 14, 15]


def test_ruling_5_found_gourds_are_for_this_stage_only() -> None:
    """Ruling 5: two more from the supply now, none in the next stage."""
    state, _ = bid_all(put(race(2), 0, square=2), 1, 0)
    assert state.racers[0].stock == 16
    assert stage(state, 2).racers[0].stock == 25


@pytest.mark.parametrize(("stock", "left"), [(0, 0), (1, 0), (2, 0), (7, 5)])
def test_ruling_6_a_leak_takes_what_there_is(stock: int, left: int) -> None:
    """Ruling 6: two gourds lost, or what there is; the bid is paid before."""
    state, events = bid_all(put(race(2), 0, square=8, stock=stock), 0, 0)
    assert state.racers[0].stock == left
    assert those(events, WaterLeaked) == [WaterLeaked(0, stock - left)]


@pytest.mark.parametrize(("bales", "left"), [(0, 0), (1, 0), (3, 2)])
def test_ruling_6_a_damaged_bale_is_lost_if_there_is_one(bales: int, left: int) -> None:
    """Ruling 6: no debts."""
    state, events = bid_all(put(race(2), 0, square=10, bales=bales), 0, 0)
    assert state.racers[0].bales == left
    assert those(events, BaleDamaged) == [BaleDamaged(0, bales - left)]


def test_a_bale_square_gives_a_bale() -> None:
    state, events = bid_all(put(race(2), 1, square=5), 0, 0)
    assert state.racers[1].bales == 1
    assert those(events, BaleFound) == [BaleFound(1)]


def test_ruling_13_special_squares_leave_the_bags_alone() -> None:
    """Ruling 13: neither leak nor water touches a bag."""
    for square in (2, 8):
        state = put(packed(2), 0, square=square, stock=0)
        state, _ = bid_all(state, 0, 0)
        assert state.racers[0].bags == (1, 2, 3)
        assert Bid(0, True) in commands(state, 0)


# --- arrivals and rewards -------------------------------------------------------------------


@pytest.mark.parametrize(("square", "bids"), [(14, (0, 1)), (13, (1, 0)), (14, (1, 0))])
def test_ruling_2_reaching_or_passing_the_palace_is_arrival(square: int, bids: Any) -> None:
    """Ruling 2: surplus steps are lost."""
    state, events = bid_all(put(race(2), 0, square=square), *bids)
    assert those(events, CamelArrived) == [CamelArrived(0, 1)]
    assert (state.racers[0].square, state.racers[0].place) == (15, 1)


def test_ruling_3_the_same_round_is_the_same_place() -> None:
    """Ruling 3: arriving together is a tie, however far a camel would have gone."""
    state = put(put(race(4), 0, square=14), 1, square=12)
    state, events = bid_all(state, 9, 1, 0, 0)
    assert those(events, CamelArrived) == [CamelArrived(0, 1), CamelArrived(1, 1)]
    state = put(put(state, 2, square=14), 3, square=14)
    state, events = bid_all(state, None, None, 1, 0)
    assert those(events, CamelArrived) == [CamelArrived(2, 3), CamelArrived(3, 3)]
    assert those(events, PalaceRewarded) == [PalaceRewarded(1, (4, 4, 2, 2))]


def rewards(number: int, places: tuple[int, ...]) -> tuple[int, ...]:
    """The silk of a palace when camels arrive in the given places, the last in this round."""
    state = stage(race(len(places)), number)
    last = max(places)
    for seat, place in enumerate(places):
        end = board.stage_length(number)
        if place == last:
            state = put(state, seat, square=end - 1)
        else:
            state = put(state, seat, square=end, place=place)
    _, events = bid_all(state, *[0 if place == last else None for place in places])
    rewarded: tuple[int, ...] = those(events, PalaceRewarded)[0].bales
    return rewarded


@pytest.mark.parametrize(
    ("number", "places", "bales"),
    [
        (1, (1, 2, 3, 4, 5), (4, 3, 2, 1, 0)),  # rulebook
        (1, (1, 2, 2, 4, 4), (4, 3, 3, 1, 1)),  # rulebook
        (2, (1, 2, 3, 4, 5), (5, 4, 3, 2, 1)),  # rulebook
        (3, (1, 2, 3, 4, 5), (7, 5, 4, 3, 2)),  # rulebook
        (1, (2, 2, 1), (3, 3, 4)),  # a session of three, section (a)
        (2, (3, 1, 2), (3, 5, 4)),
        (3, (2, 3, 1), (5, 4, 7)),
        (1, (2, 3, 1, 3), (3, 2, 4, 2)),  # a session of four, section (a)
        (2, (1, 2, 4, 3), (5, 4, 2, 3)),
        (3, (3, 2, 4, 1), (4, 5, 3, 7)),
    ],
)
def test_examples_of_rewards(number: int, places: Any, bales: Any) -> None:
    """Rulebook, "Arrivées d'étapes": ties share, later camels get less; sessions agree."""
    assert rewards(number, places) == bales


def test_ruling_11_unused_gourds_are_lost_and_the_next_stage_begins() -> None:
    """Ruling 11 and the rulebook: all wait for the last camel, then start anew together."""
    state = put(put(race(2), 0, square=15, place=1, stock=9), 1, square=14, stock=8)
    state, events = bid_all(state, None, 0)
    assert events[-3:] == [PalaceRewarded(1, (4, 3)), StageBegun(2), RoundBegun(2)]
    assert [(r.square, r.place, r.stock) for r in state.racers] == [(0, 0, 25)] * 2
    assert rules.view(state, None)["rewards"] == [[4, 3]]


def test_ruling_11_an_unused_bag_is_lost() -> None:
    """Ruling 11: in the next stage only the bag of its own level counts."""
    state = stage(packed(2), 2)
    state, events = bid_all(state, (0, True), (0, True))
    assert those(events, BidsRevealed)[0].bags == (2, 2)


def test_the_race_ends_when_the_last_camel_reaches_the_third_palace() -> None:
    """Rulebook: the end."""
    state = stage(race(2), 3)
    state = put(put(state, 0, square=19, place=1), 1, square=17)
    assert rules.outcome(state) is None
    state, _ = bid_all(state, None, 0)
    assert rules.outcome(state) is None
    state, events = bid_all(state, None, 0)
    assert events[-2:] == [PalaceRewarded(3, (7, 5)), RaceEnded((1, 2), (1, 2))]
    assert rules.to_act(state) == ()
    assert refused(state, 1, Bid(0)) == "not_to_act"


@pytest.mark.parametrize(
    ("bales", "places", "ranks"),
    [
        ((0, 1, 9), (1, 2, 3), (2, 3, 1)),  # most bales: 7, 6, 13
        ((0, 2, 0), (1, 2, 3), (1, 2, 3)),  # 7, 7, 4: the better place at palace 3
        ((0, 0, 9), (2, 2, 1), (2, 2, 1)),  # shared
        ((1, 1, 1), (1, 1, 1), (1, 1, 1)),
    ],
)
def test_ruling_14_winner_and_ties(bales: Any, places: Any, ranks: Any) -> None:
    """Ruling 14: most bales, then the better place at the third palace, then shared."""
    state = stage(race(3), 3)
    for seat, place in enumerate(places):
        arrived = place < max(places)
        square = 19 if arrived else 18
        state = put(state, seat, bales=bales[seat], square=square, place=place if arrived else 0)
    state, events = bid_all(state, *[0 if p == max(places) else None for p in places])
    assert events[-1] == RaceEnded(ranks, places)
    standings = rules.outcome(state)
    assert standings is not None
    assert [s.rank for s in standings] == sorted(ranks)
    assert {s.seat: s.rank for s in standings} == dict(enumerate(ranks))
    assert {s.seat: s.score for s in standings} == {
        seat: bales[seat] + board.PALACE_BALES[2][place - 1] for seat, place in enumerate(places)
    }
    assert {s.seat: s.detail for s in standings} == {
        seat: {"palace": place} for seat, place in enumerate(places)
    }


def test_ruling_15_silk_never_runs_out() -> None:
    """Ruling 15: five camels always tied first get 80 bales and more, over the 65 of the box."""
    state = race(5)
    while rules.to_act(state):
        state, _ = bid_all(state, 0, 0, 0, 0, 0)
    assert sum(racer.bales for racer in state.racers) >= 5 * (4 + 5 + 7)


# --- food bags (ruling 12) ------------------------------------------------------------------


def packed(seats: int) -> State:
    """A race with bags, in stage order 1, 2, 3 for everybody."""
    state = race(seats, food=True)
    for seat in range(seats):
        state, _ = act(state, seat, PackBags((1, 2, 3)))
    return state


def test_ruling_12_a_bag_is_announced_without_its_worth_and_the_others_may_revise() -> None:
    """Ruling 12: gourds open first; who bid no bag may go up or down; then all is revealed."""
    state, events = bid_all(stage(packed(3), 3), (2, True), 4, 0)
    assert events[-1] == GourdsRevealed((2, 4, 0), (True, False, False))
    assert state.phase == REVISE
    assert rules.reveals(events[-1])
    assert rules.to_act(state) == (1, 2)
    assert not rules.choices(state, 0)
    assert rules.view(state, 2)["racers"][0]["bid"] == {"gourds": 2, "bag": True}
    assert rules.view(state, 2)["racers"][0]["bags"] is None
    assert commands(state, 1) == [Revise(n) for n in range(21)]
    state, events = act(state, 1, Revise(1))
    assert events == [BidRevised(1, 1)]
    assert rules.redact(events[0], 2) == BidRevised(1, None)
    assert rules.view(state, 2)["racers"][1]["revised"] is None
    state, events = act(state, 2, Revise(5))
    assert events[1] == BidsRevealed((2, 1, 5), (3, 0, 0), (3, 1, 3))
    assert [racer.stock for racer in state.racers] == [18, 19, 15]
    assert [racer.bag_spent for racer in state.racers] == [True, False, False]


def test_ruling_12_a_revision_adds_no_bag() -> None:
    state, _ = bid_all(packed(2), (2, True), 4)
    assert refused(state, 1, Bid(3, True)) == "wrong_step"
    assert refused(state, 1, Bid(3)) == "wrong_step"
    assert refused(state, 1, Revise(16)) == "wrong_amount"
    assert refused(state, 0, Revise(2)) == "not_to_act"


def test_ruling_12_bag_bidders_do_not_revise() -> None:
    """Ruling 12: with two bags on the table only the third seat may change its bid."""
    state, _ = bid_all(packed(3), (2, True), (0, True), 5)
    assert rules.to_act(state) == (2,)
    _, events = act(state, 2, Revise(5))
    assert those(events, BidsRevealed) == [BidsRevealed((2, 0, 5), (1, 1, 0), (2, 1, 3))]


def test_ruling_12_all_with_a_bag_or_none_leaves_nothing_to_revise() -> None:
    for bids in ([(1, True), (2, True)], [1, 2]):
        state, events = bid_all(packed(2), *bids)
        assert not those(events, GourdsRevealed)
        assert len(those(events, BidsRevealed)) == 1
        assert state.phase == BID


def test_ruling_12_a_bag_alone_is_a_bid() -> None:
    """Optional rule: the bag may be the whole bid; it is worth its gourds."""
    state, events = bid_all(put(stage(packed(2), 2), 0, stock=0), (0, True), (0, True))
    assert those(events, BidsRevealed)[0].steps == (2, 2)
    state, _ = bid_all(put(stage(packed(2), 3), 0, stock=0), (0, True), 2)
    _, events = act(state, 1, Revise(2))
    assert those(events, BidsRevealed)[0].steps == (2, 1)


def test_ruling_12_a_bag_is_used_once_in_its_stage() -> None:
    state, _ = bid_all(packed(2), (1, True), (1, True))
    assert refused(state, 0, Bid(0, True)) == "no_bag"
    assert all(not command.bag for command in commands(state, 0))
    assert Bid(0, True) in commands(stage(state, 2), 0)


def test_ruling_12_camels_at_rest_do_not_delay_the_revision() -> None:
    """An arrived seat bids no bag, but has nothing to revise either."""
    state = put(packed(3), 2, square=15, place=1)
    state, events = bid_all(state, (1, True), (1, True), None)
    assert not those(events, GourdsRevealed)
    state = put(packed(3), 2, square=15, place=1)
    state, _ = bid_all(state, (1, True), 1, None)
    assert rules.to_act(state) == (1,)


def test_ruling_9_in_the_revision_a_seat_without_gourds_still_answers() -> None:
    state, _ = bid_all(put(packed(2), 1, stock=0), (1, True), 0)
    assert commands(state, 1) == [Revise(0)]


# --- taking back ----------------------------------------------------------------------------


def test_a_secret_choice_can_be_taken_back_until_the_reveal() -> None:
    """A seat can withdraw its own bid even if others have bid as well."""
    before = race(3)
    state, _ = act(before, 1, Bid(7))
    assert rules.take_back(state, 1) == [ChoiceWithdrawn(1, "bid")]
    assert rules.take_back(state, 0) == []
    assert fold(state, rules.take_back(state, 1)) == before
    after, _ = bid_all(state, 1, None, 2)
    assert [rules.take_back(after, seat) for seat in range(3)] == [[], [], []]


def test_a_revision_can_be_taken_back_and_the_open_bids_stay() -> None:
    before, _ = bid_all(packed(3), (2, True), 4, 0)
    state, _ = act(before, 1, Revise(9))
    assert rules.take_back(state, 1) == [ChoiceWithdrawn(1, "revision")]
    assert fold(state, rules.take_back(state, 1)) == before
    assert rules.take_back(state, 0) == []


def test_the_preparation_can_be_taken_back_step_by_step() -> None:
    states = [race(2, split=True, food=True)]
    for command in (Allot(20), Allot(15), PackBags((2, 3, 1))):
        states.append(act(states[-1], 0, command)[0])
    withdrawn = []
    for later, earlier in zip(reversed(states), reversed(states[:-1]), strict=False):
        events = rules.take_back(later, 0)
        withdrawn += [event.what for event in events]
        assert fold(later, events) == earlier
    assert withdrawn == ["bags", "allotment", "allotment"]
    assert rules.take_back(states[0], 0) == []


def test_the_usual_stocks_cannot_be_taken_back() -> None:
    assert rules.take_back(race(2, food=True), 0) == []


# --- views, words and the rest --------------------------------------------------------------


def test_the_round_is_the_turn_and_nothing_is_timed() -> None:
    state = race(2)
    assert rules.turn(state) == 1
    state, _ = bid_all(state, 0, 0)
    assert rules.turn(state) == 2
    assert rules.time_limit(state) is None


def test_the_view_draws_the_track() -> None:
    shown = rules.view(race(3), None)
    assert [(one["stage"], one["length"], one["palace"]) for one in shown["track"]] == [
        (1, 15, [4, 3, 2, 1, 0]),
        (2, 25, [5, 4, 3, 2, 1]),
        (3, 19, [7, 5, 4, 3, 2]),
    ]
    assert shown["track"][0]["special"] == {
        "4": "water",
        "7": "bale",
        "10": "leak",
        "12": "damage",
    }
    assert shown["last"] is None
    assert [racer["allotted"] for racer in shown["racers"]] == [[15, 25, 20]] * 3


def test_the_view_lists_the_open_rounds_of_this_stage_only() -> None:
    state, _ = bid_all(race(2), 3, 1)
    state, _ = bid_all(state, 0, 2)
    shown = rules.view(state, None)
    assert [seen["gourds"] for seen in shown["rounds"]] == [[3, 1], [0, 2]]
    later = rules.view(stage(state, 2), None)
    assert later["rounds"] == []
    assert later["last"] == shown["last"]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (BidMade(1, None, None), "Ben is ready."),
        (BidMade(1, 3, True), "Ben bid 3 and a food bag."),
        (BidsRevealed((3, None, 0), (2, 0, 0), (2, 0, 1)), "Bids: 3+2 (Ada), 0 (Cem)."),
        (
            GourdsRevealed((3, None, 0), (True, False, False)),
            "Bids: 3+bag (Ada), 0 (Cem); a bag adds a hidden amount.",
        ),
        (WaterLeaked(0, None), "Ada lost two gourds to a leak (or all they had left)."),
        (BaleDamaged(2, 0), "Cem had no bale to lose."),
        (BaleDamaged(2, 1), "Cem lost a bale of silk."),
        (PalaceRewarded(1, (4, 3, 3)), "Silk at palace 1: 4 (Ada), 3 (Ben), 3 (Cem)."),
        (BagsPacked(0, (3, 1, 2)), "Ada packed food bags worth 3, 1 and 2."),
    ],
)
def test_events_in_words(event: Any, sentence: str) -> None:
    assert format_message("caravane", *rules.tell(event), ("Ada", "Ben", "Cem")) == sentence


def test_the_bot_spends_its_last_gourds_before_they_are_lost() -> None:
    """Ruling 11 makes saving senseless; alone no gourd helps (ruling 8)."""
    state = put(race(2), 0, square=14, stock=7)
    thinking = Thinking(lambda n: n - 1, "easy")
    assert suggest_command("caravane", state, 0, thinking) == Bid(7)
    alone = put(state, 1, square=15, place=1)
    assert suggest_command("caravane", alone, 0, thinking) == Bid(0)


def test_the_bot_knows_only_its_own_secrets() -> None:
    """A bot's suggestion does not depend on what other seats hold or have bid."""
    state, _ = act(race(3), 1, Bid(4))
    other = put(state, 1, stock=3, bid=0, allotted=(3, 50, 7))
    for n in range(5):

        def draw(bound: int, n: int = n) -> int:
            return n % bound

        for level in LEVELS:
            thinking = Thinking(draw, level)
            in_both = [suggest_command("caravane", world, 0, thinking) for world in (state, other)]
            assert in_both[0] == in_both[1]


def test_an_event_of_unknown_kind_changes_nothing() -> None:
    """The fold is total: it never raises."""
    state = race(2)
    assert rules.evolve(state, object()) is state
