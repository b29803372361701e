"""All 32 abilities, with their rulings."""

import pytest
from msgspec.structs import replace

from domain.games.courtyard import rules
from domain.games.courtyard.board import worth
from domain.games.courtyard.cards import ABILITIES, PURPLE, SCORING_ABILITIES
from domain.games.courtyard.commands import (
    Buy,
    DrawOrders,
    EndTurn,
    Exchange,
    FillOrder,
    FillPurse,
    KeepOrder,
    Move,
    Reroll,
    Roll,
    Sell,
    SellTwo,
    Share,
    SwapTwo,
    Trade,
    VisitGate,
    WidenCredit,
)
from domain.games.courtyard.events import (
    FountainTurned,
    GoodsBought,
    MajorCompleted,
    ScoringDieRolled,
    ScoringMinorDrawn,
)
from domain.games.courtyard.state import DISCARD, State
from tests.domain.courtyard.builders import (
    act,
    drawing,
    events,
    first,
    major,
    minor,
    offered,
    put,
    refused,
    started,
    stop,
    tile,
    tower,
)


def with_(state: State, *names: str, **changes: object) -> State:
    return put(state, abilities=names, **changes)


# --- turquoise --------------------------------------------------------------------------------


def test_t1_the_die_on_every_move() -> None:
    state = with_(started(), "T1")
    state = act(state, Roll(), draw=first)
    assert refused(state, Roll()) == "roll", "once before each move"
    state = act(state, Move("S_gold"))
    state = act(state, Roll(), draw=drawing(4))
    assert state.die == 5
    state = act(state, Move("T_SW"))
    assert refused(state, Roll()) == "roll"


def test_t2_exchange_up_to_two_once_a_turn() -> None:
    """Ruling 34: any time in the own turn, also before moving, and at the pavilion too."""
    state = with_(started(), "T2", goods={"bronze": 2, "gold": 1})
    assert len(offered(state, SwapTwo)) == 2 + 2
    state = act(state, SwapTwo({"bronze": 1, "gold": 1}))
    assert rules.view(state, None)["players"][0]["goods"]["diamond"] == 1
    assert rules.view(state, None)["spent"] == ["T2"]
    assert not state.acted
    assert refused(state, SwapTwo({"bronze": 1})) == "ability"
    assert refused(with_(started(), "T2", goods={"bronze": 3}), SwapTwo({"bronze": 3})) == "ability"
    there = with_(stop("P_exch"), "T2", goods={"bronze": 3})
    there = act(there, SwapTwo({"bronze": 2}), Exchange({"bronze": 1}))
    assert there.players[0].goods[1] == 3
    turn = replace(there, moves=0)
    turn = act(turn, EndTurn())
    assert turn.spent == ()
    assert refused(started(), SwapTwo({"silver": 1})) == "ability"


@pytest.mark.parametrize("fountain", range(6))
def test_t3_majors_always_two_more(fountain: int) -> None:
    """Ruling 22: also where the arrow is red."""
    state = replace(with_(stop("T_NE", goods={"gold": 2}), "T3"), fountain=fountain)
    state = tower(state, "T_NE", major(10, "white"))
    (made,) = events(state, FillOrder())
    assert isinstance(made, MajorCompleted)
    assert made.income == 12


def test_t3_says_nothing_of_minors() -> None:
    state = replace(with_(stop("G_S"), "T3"), fountain=2)
    state = act(state, DrawOrders(), draw=first)
    assert act(state, KeepOrder(0, True)).income == 2


def test_t4_a_roll_once_more() -> None:
    """Ruling 27: before the move, the second result stands; with T1 once a roll."""
    state = with_(started(), "T4", "T1")
    assert refused(state, Reroll()) == "roll"
    state = act(state, Roll(), draw=drawing(5))
    state = act(state, Reroll(), draw=drawing(0))
    assert state.die == 1
    assert refused(state, Reroll()) == "roll"
    state = act(state, Move("S_gold"))
    assert refused(state, Reroll()) == "roll"
    state = act(state, Roll(), draw=first)
    assert offered(state, Reroll)
    assert refused(act(started(), Roll(), draw=first), Reroll()) == "roll"


def test_t5_sell_up_to_two_once_a_turn() -> None:
    """Rulings 34 and 9."""
    state = with_(started(), "T5", coins=2, goods={"gold": 2})
    assert offered(state, SellTwo) == [SellTwo({"gold": 1}), SellTwo({"gold": 2})]
    assert rules.label(state, 0, SellTwo({"gold": 1})).key == "sell-two-lost"
    state = act(state, SellTwo({"gold": 1}))
    assert state.players[0].coins == 3
    assert not state.acted
    assert state.spent == ("T5",)
    assert refused(state, SellTwo({"gold": 1})) == "ability"
    there = with_(stop("P_sell"), "T5", coins=0, purse=6, goods={"bronze": 3})
    there = act(there, SellTwo({"bronze": 2}), Sell({"bronze": 1}))
    assert there.players[0].coins == 3


def test_t6_four_steps() -> None:
    """Ruling 27: a die is the limit all the same."""
    state = put(put(started(), at="R_A1"), 1, at="M_2")
    assert refused(state, Move("P_exch")) == "reach"
    state = with_(state, "T6")
    assert Move("P_exch") in rules.choices(state, 0)
    assert refused(state, Move("S_amber")) == "reach"
    small = act(state, Roll(), draw=drawing(1))
    assert refused(small, Move("P_exch")) == "reach"


DISCOUNT = {
    "T7": ("bronze", [0, 0, 1, 2, 3]),
    "T8": ("amber", [0, 0, 1, 2, 3]),
    "T9": ("silver", [1, 2, 4, 6]),
    "T10": ("emerald", [1, 2, 4, 6]),
    "T11": ("gold", [2, 4, 7]),
    "T12": ("diamond", [2, 4, 7]),
}


@pytest.mark.parametrize("name", DISCOUNT)
def test_t7_to_t12_two_units_a_stop_cost_one_less(name: str) -> None:
    """Rulings 21 and 35; on goods of 1 the price is 0."""
    good, costs = DISCOUNT[name]
    state = with_(stop(f"S_{good}", coins=6, purse=6, goods={}), name)
    buys = offered(state, Buy)
    assert len(buys) == sum(cost <= 6 for cost in costs)
    for buy in buys:
        bought = events(state, buy)[0]
        assert isinstance(bought, GoodsBought)
        assert bought.paid == costs[buy.units - 1]
    penniless = put(state, coins=0)
    assert offered(penniless, Buy) == [Buy(good, n + 1) for n in range(2) if costs[n] == 0]
    other = "amber" if good != "amber" else "bronze"
    elsewhere = with_(stop(f"S_{other}", coins=1, goods={}), name)
    assert offered(elsewhere, Buy) == [Buy(other, 1)]


def test_t13_a_bronze_with_every_trade_action() -> None:
    """Ruling 37: one an action, optional, after all trades of it."""
    state = tile(with_(stop("R_A1", goods={"bronze": 2}), "T13"), "R_A1", "A1")
    assert offered(state, Trade) == [Trade(1), Trade(1, True), Trade(2), Trade(2, True)]
    after = act(state, Trade(2, True))
    assert after.players[0].goods == (1, 0, 2, 0, 0, 0)
    assert act(state, Trade(2)).players[0].goods == (0, 0, 2, 0, 0, 0)
    assert refused(state, Trade(3, True)) == "trade", "it cannot feed them"
    assert refused(put(state, abilities=()), Trade(1, True)) == "trade"
    full = put(state, goods={"bronze": 7})
    over = act(full, Trade(7, True))
    assert over.step == DISCARD


def test_t14_any_metal_at_each_metal_stall() -> None:
    """Ruling 36: stock, restock and price of the metal's own stall; one kind an action."""
    state = with_(stop("S_silver", coins=6, purse=6, goods={}), "T14")
    assert {buy.good for buy in offered(state, Buy)} == {"bronze", "silver", "gold"}
    assert max(buy.units for buy in offered(state, Buy) if buy.good == "gold") == 2
    after = act(state, Buy("bronze", 5))
    assert after.stalls == (5, 5, 4, 4, 3, 3), "emptied and restocked"
    after = act(state, Buy("gold", 2))
    assert after.stalls == (5, 5, 4, 4, 1, 3)
    assert after.players[0].coins == 0
    assert refused(after, Buy("silver", 1)) == "purchase"
    gems = with_(stop("S_emerald", coins=6, purse=6, goods={}), "T14")
    assert {buy.good for buy in offered(gems, Buy)} == {"emerald"}


def test_t14_with_a_discount() -> None:
    """Ruling 35."""
    state = with_(stop("S_bronze", coins=4, purse=6, goods={}), "T14", "T11")
    assert Buy("gold", 2) in offered(state, Buy)
    assert act(state, Buy("gold", 2)).players[0].coins == 0


def test_t15_three_minors_to_choose_from() -> None:
    state = act(with_(stop("G_S"), "T15"), DrawOrders(), draw=first)
    assert len(state.drawn) == 3
    assert {c.which for c in rules.choices(state, 0)} == {0, 1, 2}
    assert len(act(stop("G_S"), DrawOrders(), draw=first).drawn) == 2


def test_t16_turn_the_fountain_before_a_major() -> None:
    """Ruling 38: directly before one that can be completed; legal with T3."""
    state = with_(stop("T_SE", goods={"gold": 2}), "T16")
    state = replace(tower(state, "T_SE", major(10, "white")), fountain=1)
    assert offered(state, FillOrder) == [FillOrder(), FillOrder(True)]
    made = events(state, FillOrder(True))
    assert made[0] == FountainTurned(0, 2, "ability")
    assert act(state, FillOrder()).income == 9
    turned = act(state, FillOrder(True))
    assert turned.income == 12
    assert turned.actions == 1
    assert act(turned, Share(0, 0), draw=first).fountain == 3
    both = with_(state, "T16", "T3")
    assert [c.turn for c in offered(both, FillOrder)] == [False, True]
    assert act(both, FillOrder(True)).income == 12
    assert not offered(put(state, goods={"gold": 1}), FillOrder)
    assert refused(put(state, abilities=()), FillOrder(True)) == "order"


# --- purple: once in the game -----------------------------------------------------------------


def test_p3_the_largest_purse_and_full_once() -> None:
    """Ruling 39: for a bronze or an amber, also when the limit is 6; it stays and counts."""
    state = with_(started(), "P3", goods={"bronze": 1, "amber": 1})
    assert offered(state, FillPurse) == [FillPurse("bronze"), FillPurse("amber")]
    after = act(state, FillPurse("amber"))
    me = after.players[0]
    assert (me.purse, me.coins, me.used, me.abilities) == (6, 6, ("P3",), ("P3",))
    assert not after.acted
    assert refused(after, FillPurse("bronze")) == "room"
    assert offered(put(state, purse=6, coins=6), FillPurse)
    assert refused(put(state, goods={"gold": 1}), FillPurse("bronze")) == "room"
    assert rules.view(after, 1)["players"][0]["used"] == ["P3"]


def test_p5_one_more_of_credit_once() -> None:
    """Ruling 39: it needs a marker left on the credit track."""
    state = with_(started(), "P5", goods={"bronze": 1, "amber": 1})
    after = act(state, WidenCredit("bronze"))
    me = after.players[0]
    assert (me.credit, me.used, me.goods) == (4, ("P5",), (0, 1, 0, 0, 0, 0))
    assert refused(after, WidenCredit("amber")) == "room"
    assert refused(put(state, credit=6), WidenCredit("bronze")) == "room"


# --- purple: at the end -----------------------------------------------------------------------


def points(name: str, draw: object = first, **changes: object) -> int:
    """What the ability brings seat 0 at the end."""
    state = replace(started(), moves=0, trigger=1)
    state = with_(state, name, **changes)
    (score, _) = act(state, EndTurn(), draw=draw).scores
    plain = score.wealth + score.coins - score.debt + score.sets
    ((ability, counted),) = score.abilities
    assert ability == name
    assert score.total == plain + counted
    return counted


MAJOR_CARDS = (major(10, "green"), major(9, "blue"), major(12, "white"))
"""Two diamonds; a silver and two emeralds; two ambers, a gold and a diamond."""
MINOR_CARDS = (minor("silver", "silver"), minor("bronze", "diamond"))


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("P1", {"coins": 3, "purse": 6}, 3),
        ("P1", {"coins": 2, "debt": 3}, 2),
        ("P2", {"majors": MAJOR_CARDS}, 6),
        ("P4", {"minors": MINOR_CARDS, "minor": minor("gold")}, 4),
        ("P6", {"debt": 3, "coins": 1}, 3),
        ("P7", {"majors": MAJOR_CARDS, "minors": MINOR_CARDS, "minor": minor("silver")}, 3),
        ("P8", {"majors": MAJOR_CARDS, "minors": MINOR_CARDS}, 2),
        ("P9", {"majors": MAJOR_CARDS, "minors": (minor("gold"),)}, 4),
        ("P10", {"majors": MAJOR_CARDS, "minors": MINOR_CARDS}, 8),
        ("P11", {"credit": 5, "debt": 2}, 3),
        ("P12", {"goods": {"bronze": 2, "gold": 1}}, 6),
        ("P14", {"purse": 5, "credit": 4}, 3),
        ("P14", {"purse": 6, "credit": 6, "used": ()}, 6),
        ("P16", {}, 5),
    ],
)
def test_points_of_the_purple_cards(name: str, changes: dict[str, object], expected: int) -> None:
    """Ruling 43 for P1, P6 and P11."""
    assert points(name, **changes) == expected


@pytest.mark.parametrize("roll", range(1, 7))
def test_p13_a_die_at_the_end(roll: int) -> None:
    assert points("P13", draw=drawing(roll - 1)) == roll


@pytest.mark.parametrize(("card", "expected"), [(0, 2), (2, 2), (6, 3), (10, 3)])
def test_p15_half_of_a_minor_rounded_up(card: int, expected: int) -> None:
    assert points("P15", draw=drawing(card)) == expected


def test_p15_draws_what_was_put_back_when_nothing_else_is_left() -> None:
    state = with_(replace(started(), moves=0, trigger=1), "P15")
    stock = replace(state.stock, minors=(0,) * 16, under=(minor("silver", "silver"), 0))
    state = act(replace(state, stock=stock), EndTurn())
    assert state.scores[0].abilities == (("P15", 3),)
    assert state.stock.under == (0,), "it does not go back"


def test_ruling_44_dice_and_cards_from_the_starting_player_on() -> None:
    state = replace(started(3), moves=0, trigger=1, starter=2)
    state = put(state, 0, abilities=("P13",))
    state = put(state, 1, abilities=("P15",))
    state = put(state, 2, abilities=("T4", "T1"))
    made = events(state, EndTurn(), drawing(3, 5))
    assert made[:2] == [ScoringDieRolled(0, 4), ScoringMinorDrawn(1, 5)]
    after = act(state, EndTurn(), draw=drawing(3, 5))
    assert sum(after.stock.minors) == 15
    assert after.scores[2].abilities == (), "turquoise cards count nothing"


def test_ruling_27_no_second_roll_for_points() -> None:
    state = put(replace(started(), moves=0, trigger=1), abilities=("P13", "T4", "T1"))
    assert rules.to_act(act(state, EndTurn(), draw=first)) == ()


def test_one_time_cards_count_nothing_at_the_end() -> None:
    state = put(replace(started(), moves=0, trigger=1), abilities=("P3", "P5", "P16"))
    assert act(state, EndTurn()).scores[0].abilities == (("P16", 5),)
    assert {*PURPLE} - {*SCORING_ABILITIES} == {"P3", "P5"}


# --- costs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ABILITIES)
def test_each_card_is_paid_with_its_goods(name: str) -> None:
    """Exactly its cost buys it, one good less does not."""
    cost = ABILITIES[name].cost
    state = put(stop("G_N"), goods=cost)
    rows = tuple((name,) if name[0] == letter else () for letter in "TP")
    state = replace(state, rows=rows)
    after = act(state, VisitGate(name), draw=first)
    assert after.players[0].abilities == (name,)
    assert not sum(after.players[0].goods)
    assert 1 <= worth(cost) <= 6
    for i, n in enumerate(cost):
        if n:
            less = tuple(have - (j == i) for j, have in enumerate(cost))
            assert refused(put(state, goods=less), VisitGate(name)) == "gate"
