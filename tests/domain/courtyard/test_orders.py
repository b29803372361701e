"""Major and minor orders, the steps after them, the final round and the count."""

import itertools

import pytest
from msgspec.structs import replace

from domain.games.courtyard import rules
from domain.games.courtyard.board import FOUNTAIN_PLACES, TOWERS
from domain.games.courtyard.cards import MINORS
from domain.games.courtyard.commands import (
    DrawOrders,
    EndTurn,
    ExpandPurse,
    FillKept,
    FillOrder,
    KeepOrder,
    Move,
    Share,
)
from domain.games.courtyard.events import (
    CreditGrown,
    FountainTurned,
    IncomeShared,
    LastTurnsBegan,
    MajorCompleted,
    MinorCompleted,
    MinorKept,
    MinorsDrawn,
    MinorsReturned,
    OrderTurnedUp,
    TurnBegan,
)
from domain.games.courtyard.scoring import score
from domain.games.courtyard.state import INCOME, MINOR, OVER, TURN, State
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
    tower,
)

WHITE_10 = {"gold": 2}


def at_tower(space: str = "T_SE", **changes: object) -> State:
    """A white major of 10 (two gold) on the tower, and the gold to complete it."""
    state = stop(space, **{"goods": {"gold": 2}, **changes})
    return tower(state, space, major(10, "white"))


def hand(state: State, *cards: int) -> State:
    """The seat has drawn these minors."""
    deck = tuple(0 if i in cards else n for i, n in enumerate(state.stock.minors))
    stock = replace(state.stock, minors=deck)
    return replace(state, drawn=cards, step=MINOR, stock=stock, acted=True, actions=1)


# --- majors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("space", TOWERS)
@pytest.mark.parametrize("fountain", range(6))
def test_a_major_pays_its_value_and_the_arrow(space: str, fountain: int) -> None:
    """Rulebook, and ruling 25."""
    state = replace(at_tower(space), fountain=fountain)
    side = (FOUNTAIN_PLACES.index(space) - fountain) % 6
    (made,) = events(state, FillOrder())
    assert made == MajorCompleted(0, space, major(10, "white"), 10 + (2, -1, 0, 2, -1, 0)[side])
    state = act(state, FillOrder())
    assert state.step == INCOME
    assert state.players[0].majors == (major(10, "white"),)
    assert not sum(state.players[0].goods)
    assert state.towers[TOWERS.index(space)] is None
    assert (state.actions, state.acted) == (1, True)


def test_ruling_30_every_split_between_debt_purse_and_wealth() -> None:
    state = act(at_tower(debt=2, coins=1, purse=3), FillOrder())
    income = state.income
    assert {(c.repay, c.save) for c in rules.choices(state, 0)} == {
        (repay, save)
        for repay, save in itertools.product(range(3), range(3))
        if repay + save <= income
    }
    assert rules.view(state, None)["income"] == income
    for share in rules.choices(state, 0):
        me = act(state, share, draw=first).players[0]
        assert (me.debt, me.coins) == (2 - share.repay, 1 + share.save)
        assert me.wealth == income - share.repay - share.save
    assert refused(state, Share(3, 0)) == "wrong_amount"
    assert refused(state, Share(0, 3)) == "wrong_amount"
    assert refused(state, Share(-1, 0)) == "wrong_amount"


def test_ruling_30_nothing_free_in_between() -> None:
    state = act(at_tower(goods={"gold": 2, "bronze": 1}), FillOrder())
    assert refused(state, ExpandPurse("bronze")) == "wrong_step"
    assert refused(state, Move("M_2")) == "wrong_step"
    assert refused(state, EndTurn()) == "wrong_step"


def test_a_small_income_bounds_the_split() -> None:
    state = replace(act(at_tower(debt=3, coins=0), FillOrder()), income=2)
    assert {(c.repay, c.save) for c in rules.choices(state, 0)} == {
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (2, 0),
    }


def test_steps_four_and_five_follow_by_themselves() -> None:
    """Credit grows also without debt; the fountain turns, then the tower is refilled."""
    state = act(at_tower(), FillOrder())
    made = events(state, Share(0, 0), first)
    assert [type(e) for e in made] == [IncomeShared, CreditGrown, FountainTurned, OrderTurnedUp]
    after = act(state, Share(0, 0), draw=first)
    assert after.players[0].credit == 4
    assert after.fountain == 1
    assert after.towers[2] is not None
    assert after.step == TURN
    assert sum(after.stock.majors) == 27
    full = put(state, credit=6)
    assert CreditGrown(0) not in events(full, Share(0, 0), first)


def test_ruling_18_an_empty_deck_leaves_the_tower_empty() -> None:
    state = act(at_tower(), FillOrder())
    state = replace(state, stock=replace(state.stock, majors=(0,) * 32))
    state = act(state, Share(0, 0))
    assert state.towers[2] is None
    assert not offered(put(replace(state, acted=False), goods={"gold": 7}), FillOrder)


def test_every_card_of_the_deck_may_come() -> None:
    state = act(at_tower(), FillOrder())
    left = sum(state.stock.majors)
    found = {act(state, Share(0, 0), draw=drawing(i)).towers[2] for i in range(left)}
    assert len(found) == left == 28


def test_all_goods_of_the_card_are_needed() -> None:
    state = at_tower(goods={"gold": 1, "diamond": 5})
    assert refused(state, FillOrder()) == "order"
    assert refused(replace(at_tower(), moves=2), FillOrder()) == "order", "move first"
    assert refused(replace(at_tower(), acted=True), FillOrder()) == "order"


# --- minors -----------------------------------------------------------------------------------


def test_two_are_drawn_and_one_is_kept() -> None:
    state = stop("G_S")
    (drawn,) = events(state, DrawOrders(), drawing(3, 0))
    assert drawn == MinorsDrawn(0, (3, 0))
    state = act(state, DrawOrders(), draw=drawing(3, 0))
    assert (state.step, state.acted, state.actions) == (MINOR, True, 1)
    assert sum(state.stock.minors) == 14
    assert rules.choices(state, 0) == [KeepOrder(0), KeepOrder(1), KeepOrder(1, True)], "a silver"
    made = events(state, KeepOrder(0))
    assert made == [MinorKept(0, 3), MinorsReturned(0, (0,))]
    state = act(state, KeepOrder(0))
    assert state.players[0].minor == 3
    assert state.stock.under == (0,)
    assert state.drawn == ()
    assert rules.view(state, 1)["decks"]["minors"] == 15
    assert refused(hand(stop("G_S"), 2, 3), KeepOrder(0, True)) == "minor".replace(
        "minor", "wrong_amount"
    )


@pytest.mark.parametrize(("fountain", "bonus"), [(0, 2), (1, 0), (2, -1), (3, 2), (4, 0), (5, -1)])
def test_completed_at_once_it_feels_the_arrow_and_later_none(fountain: int, bonus: int) -> None:
    """Rulebook A and B, ruling 29."""
    state = replace(hand(stop("G_S"), minor("silver"), minor("gold")), fountain=fountain)
    now = act(state, KeepOrder(0, True))
    assert (now.step, now.income) == (INCOME, 3 + bonus)
    assert now.players[0].minors == (minor("silver"),)
    assert now.stock.under == (minor("gold"),)
    later = act(state, KeepOrder(0))
    assert later.players[0].minor == minor("silver")
    assert sum(later.players[0].goods) == 1
    later = act(later, FillKept())
    assert (later.step, later.income) == (INCOME, 3)
    assert later.players[0].minor is None


def test_minors_follow_steps_one_to_four_only() -> None:
    state = act(hand(stop("G_S"), minor("silver"), minor("gold")), KeepOrder(0, True))
    made = events(state, Share(0, 0))
    assert [type(e) for e in made] == [IncomeShared, CreditGrown]
    assert act(state, Share(0, 0)).fountain == 0


def test_ruling_13_while_a_minor_is_open() -> None:
    """No major, no other minor, no new one."""
    state = at_tower(minor=minor("silver"))
    assert refused(state, FillOrder()) == "order"
    assert refused(put(stop("G_S"), minor=minor("gold")), DrawOrders()) == "draw"
    assert refused(put(stop("G_S"), minor=minor("gold")), FillKept()) == "order"


def test_rulings_13_and_29_three_minors_in_all() -> None:
    two = (minor("silver"), minor("gold"))
    assert offered(put(stop("G_S"), minors=two), DrawOrders)
    assert refused(put(stop("G_S"), minors=(*two, minor("diamond"))), DrawOrders()) == "draw"


def test_ruling_14_a_kept_minor_is_completed_at_any_time_in_the_own_turn() -> None:
    state = put(started(), minor=minor("silver"))
    assert offered(state, FillKept), "before moving"
    state = act(state, FillKept(), Share(0, 0))
    assert (state.actions, state.acted, state.moves) == (2, False, 2)
    done = put(replace(started(), moves=0, acted=True, actions=0), minor=minor("silver"))
    assert offered(done, FillKept), "after the last action"
    assert rules.choices(put(started(), 1, minor=minor("silver")), 1) == []


def test_ruling_29_those_not_kept_go_below_in_drawn_order() -> None:
    """Three with T15; they come again when the rest is gone, in that order."""
    state = put(stop("G_S"), abilities=("T15",))
    state = act(state, DrawOrders(), draw=drawing(5, 8, 1))
    assert state.drawn == (5, 9, 1)
    state = act(state, KeepOrder(1))
    assert state.stock.under == (5, 1)
    stock = replace(state.stock, minors=tuple(int(i == 7) for i in range(16)))
    state = put(replace(state, stock=stock, acted=False), minor=None)
    again = act(state, DrawOrders(), draw=first)
    assert again.drawn == (7, 5, 1)
    assert again.stock.under == ()
    nothing_above = replace(state, stock=replace(stock, minors=(0,) * 16))
    again = act(nothing_above, DrawOrders())
    assert again.drawn == (5, 1)


def test_ruling_18_without_minors_the_action_is_not_there() -> None:
    state = stop("G_S")
    state = replace(state, stock=replace(state.stock, minors=(0,) * 16))
    assert refused(state, DrawOrders()) == "draw"


def test_a_single_minor_left_is_drawn_alone() -> None:
    state = stop("G_S")
    last = tuple(int(i == 4) for i in range(16))
    state = act(replace(state, stock=replace(state.stock, minors=last)), DrawOrders(), draw=first)
    assert state.drawn == (4,)
    state = act(state, KeepOrder(0))
    assert state.stock.under == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ruling_47_there_is_always_another_minor(seats: int) -> None:
    """Even when all hold three of them and one draws three to choose from."""
    state = stop("G_S", seats, abilities=("T15",))
    for seat in range(seats):
        held = tuple(range(3 * seat, 3 * seat + 3)) if seat else (0, 1)
        state = put(state, seat, minors=held)
    left = tuple(int(card >= 3 * seats or card == 2) for card in range(len(MINORS)))
    state = replace(state, stock=replace(state.stock, minors=left))
    assert len(act(state, DrawOrders(), draw=first).drawn) == 3


# --- the final round --------------------------------------------------------------------------


def rich(wealth: int, seats: int = 3) -> State:
    state = replace(stop("T_SE", seats, goods={"gold": 2}, wealth=wealth), starter=1)
    return tower(state, "T_SE", major(10, "white"))


def test_rulings_16_24_and_32_the_final_round() -> None:
    """32 brings it on; that turn is finished; every other player has one more."""
    income = act(rich(0), FillOrder()).income
    short = act(rich(31 - income), FillOrder(), Share(0, 0), draw=first)
    assert short.trigger is None
    assert not rules.view(short, None)["final"]
    state = act(rich(32 - income), FillOrder())
    assert LastTurnsBegan(0) in events(state, Share(0, 0), first)
    state = act(state, Share(0, 0), draw=first)
    assert state.players[0].wealth == 32
    view = rules.view(state, None)
    assert (view["final"], view["trigger"]) == (True, 0)
    assert state.moves == 1
    state = act(state, Move("M_2"))
    for seat in (1, 2):
        state = act(state, EndTurn())
        assert state.seat == seat
        state = act(state, Move("P_sell" if state.seat == 1 else "S_gold"), Move("G_S"))
    state = act(state, EndTurn())
    assert state.step == OVER
    assert rules.to_act(state) == ()
    assert rules.choices(state, 0) == []
    assert refused(state, EndTurn()) == "not_to_act"


def test_ruling_16_wealth_may_exceed_32_and_the_trigger_stays() -> None:
    state = rich(30)
    state = act(state, FillOrder(), Share(0, 0), draw=first)
    assert state.players[0].wealth > 32
    other = put(replace(state, seat=1, moves=1, acted=False), 1, at="T_NW", wealth=31)
    other = tower(put(other, 1, goods={"gold": 2}), "T_NW", major(6, "green"))
    other = put(other, 1, goods={"silver": 2})
    after = act(other, FillOrder(), Share(0, 0), draw=first)
    assert after.players[1].wealth >= 32
    assert after.trigger == 0


def test_a_ruined_player_in_the_final_round_is_passed_over() -> None:
    state = replace(put(started(), 1, coins=0, debt=3, goods={}), trigger=0, moves=0)
    assert [type(e).__name__ for e in events(state, EndTurn())] == ["TurnPassed", "GameScored"]
    going = replace(put(started(), 0, coins=0, debt=3, goods={}), trigger=0, moves=0)
    assert TurnBegan(1, 2) in events(going, EndTurn())


# --- the count --------------------------------------------------------------------------------


def ended(*changes: dict[str, object]) -> State:
    """The game over, with these figures."""
    state = replace(started(len(changes)), moves=0, trigger=1)
    for seat, figures in enumerate(changes):
        state = put(state, seat, **figures)
    return act(state, EndTurn(), draw=first)


def test_coins_left_less_debt_count() -> None:
    """Rulebook and ruling 19: the result may be negative."""
    state = ended({"wealth": 10, "coins": 3, "debt": 1}, {"wealth": 2, "coins": 0, "debt": 5})
    scores = [player["score"] for player in rules.view(state, None)["players"]]
    assert scores == [
        {"wealth": 10, "coins": 3, "debt": 1, "sets": 0, "abilities": {}, "total": 12},
        {"wealth": 2, "coins": 0, "debt": 5, "sets": 0, "abilities": {}, "total": -3},
    ]
    standings = rules.outcome(state)
    assert standings is not None
    assert [(s.seat, s.rank, s.score) for s in standings] == [(0, 1, 12), (1, 2, -3)]
    assert standings[0].detail == {
        "wealth": 10,
        "coins": 3,
        "debt": 1,
        "sets": 0,
        "abilities": 0,
    }


def test_sets_count() -> None:
    blues = tuple(major(value, "blue") for value in (5, 6, 7))
    state = ended({"majors": blues}, {"majors": tuple(major(8, f) for f in ("red", "white"))})
    assert [s.sets for s in state.scores] == [5, 0]


@pytest.mark.parametrize(
    ("one", "other", "ranks"),
    [
        ({"gold": 1}, {"bronze": 2}, (2, 1)),
        ({"gold": 1, "bronze": 1}, {"bronze": 2}, (1, 2)),
        ({"gold": 1, "bronze": 1}, {"silver": 2}, (1, 1)),
        ({}, {}, (1, 1)),
    ],
)
def test_ruling_23_ties(one: dict[str, int], other: dict[str, int], ranks: tuple[int, ...]) -> None:
    """More goods, then their worth, then shared."""
    assert ended({"goods": one}, {"goods": other}).ranks == ranks


def test_ruling_45_two_first_places_leave_no_second() -> None:
    state = replace(started(3), moves=0, trigger=1)
    for seat, wealth in enumerate((9, 9, 4)):
        state = put(state, seat, wealth=wealth, goods={})
    state = act(state, EndTurn())
    assert state.ranks == (1, 1, 3)


def test_a_score_is_null_before_the_end() -> None:
    assert [p["score"] for p in rules.view(started(), None)["players"]] == [None, None]
    player = started().players[0]
    assert score(player, None, None).total == player.coins
    assert MINORS[minor("gold")].value == 4
    assert isinstance(events(put(started(), minor=minor("silver")), FillKept())[0], MinorCompleted)
