"""Setup, moves, money and goods: the rulebook's examples and the rulings, one by one."""

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.games.courtyard import rules
from domain.games.courtyard.board import FIRST_COINS, STALLS, count_goods, parse_wares, steps
from domain.games.courtyard.cards import MAJORS, MIN_FIRST_MAJOR_VALUE
from domain.games.courtyard.commands import (
    Borrow,
    Buy,
    Discard,
    DrawOrders,
    EndTurn,
    Exchange,
    ExpandPurse,
    FillOrder,
    Move,
    Repay,
    Roll,
    Sell,
    Settle,
    Trade,
    VisitGate,
)
from domain.games.courtyard.events import (
    CourtyardLaidOut,
    GoodsSold,
    MoveDieRolled,
    StallRestocked,
    StorageOverfilled,
    TileReplaced,
    TileTurned,
    TurnBegan,
)
from domain.games.courtyard.options import Options
from domain.games.courtyard.state import DISCARD, TURN, Rest
from domain.toolkit.deck import Deck
from tests.domain.courtyard.builders import (
    act,
    drawing,
    events,
    first,
    laid_out,
    major,
    offered,
    put,
    refused,
    started,
    stop,
    tile,
    tower,
)


def goods(state, seat: int = 0) -> dict[str, int]:  # type: ignore[no-untyped-def]
    view = rules.view(state, None)["players"][seat]["goods"]
    return {good: n for good, n in view.items() if n}


# --- setup ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_courtyard_as_laid_out(seats: int) -> None:
    """Rulebook, setup: five abilities of each, towers of 11 and 12, three tiles of each letter,
    full stalls, 2 coins, limits of 3, no debt."""
    fountains = set()
    for seed in range(40):
        view = rules.view(laid_out(seats, seed), None)
        fountains.add(view["fountain"])
        assert [len(row) for row in view["abilities"].values()] == [5, 5]
        assert {card["value"] for card in view["towers"].values()} <= {11, 12}
        assert len({str(card) for card in view["towers"].values()}) == 4
        tiles = [rest["tile"] for rest in view["rests"].values()]
        assert [name[0] for name in tiles] == [*"AAABBB"]
        assert len({*tiles}) == 6
        assert {rest["trade"] for rest in view["rests"].values()} == {1}
        assert view["stalls"] == dict(zip(STALLS, (5, 5, 4, 4, 3, 3), strict=True))
        assert view["decks"] == {
            "majors": 28,
            "minors": 16,
            "turquoise": 11,
            "purple": 11,
            "A": 5,
            "B": 5,
        }
        for player in view["players"]:
            figures = [player[k] for k in ("wealth", "coins", "purse", "debt", "credit")]
            assert figures == [0, 2, 3, 0, 3]
            assert player["at"] is None
    assert fountains == {*range(6)}
    assert FIRST_COINS == 2
    assert MIN_FIRST_MAJOR_VALUE == 11


def test_ruling_20_the_highest_roll_starts_and_ties_roll_again() -> None:
    draws = iter([4, 1, 4, 2, 5])  # 5 2 5, then 3 - 6 of those who tied

    def draw(n: int) -> int:
        return next(draws, 0)

    laid = rules.setup(Options(), 3, draw).events[0]
    assert isinstance(laid, CourtyardLaidOut)
    assert laid.rolls == ((5, 2, 5), (3, None, 6))
    assert laid.starter == 2


def test_every_seat_may_start() -> None:
    starters = Counter(laid_out(4, seed).starter for seed in range(400))
    assert min(starters[seat] for seat in range(4)) > 60


def test_rulings_20_and_46_all_settle_in_turn_order_from_the_starting_player() -> None:
    state = replace(laid_out(3), starter=1, seat=1)
    for seat in (1, 2, 0):
        assert rules.to_act(state) == (seat,)
        assert rules.turn(state) == 0
        assert offered(state, Settle) == rules.choices(state, seat)
        assert {(c.gate, c.good) for c in offered(state, Settle)} == {
            (gate, good) for gate in ("G_N", "G_S") for good in ("silver", "emerald")
        }
        state = act(state, Settle("G_N", "emerald"))
        assert goods(state, seat) == {"emerald": 1}
    assert rules.to_act(state) == (1,)
    assert rules.turn(state) == 1
    assert {player.at for player in state.players} == {"G_N"}


# --- moves ------------------------------------------------------------------------------------


def test_ruling_1_both_moves_are_mandatory_and_actions_are_not() -> None:
    state = started()
    assert refused(state, EndTurn()) == "end"
    state = act(state, Move("S_gold"))
    assert refused(state, EndTurn()) == "end"
    state = act(state, Move("M_1"))
    assert offered(state, EndTurn)
    assert not offered(state, Move)
    state = act(state, EndTurn())
    assert (state.seat, state.turn, state.moves, state.actions) == (1, 2, 2, 2)


def test_ruling_2_no_space_twice_nor_back_to_the_start() -> None:
    state = started()
    assert refused(state, Move("G_S")) == "reach"
    state = act(state, Move("S_gold"))
    assert Move("G_S") in rules.choices(state, 0), "the second move may go back"


def test_rulings_2_and_26_occupied_spaces_are_jumped_over_but_ending_on_one_is_a_step() -> None:
    """From the South Gate by P_sell, R_A2 and R_A1 to T_NW: four steps."""
    state = put(put(started(3), 1, at="M_2"), 2, at="M_2")
    assert Move("R_A1") in rules.choices(state, 0)
    assert Move("T_NW") not in rules.choices(state, 0)
    state = put(state, 1, at="R_A1")
    assert Move("T_NW") in rules.choices(state, 0)
    assert Move("R_A1") in rules.choices(state, 0)
    assert Move("S_bronze") not in rules.choices(state, 0)
    state = put(state, 2, at="T_NW")
    assert Move("S_bronze") in rules.choices(state, 0), "two jumped"
    state = put(state, 2, at="S_bronze")
    assert Move("S_bronze") not in rules.choices(state, 0), "to end there is a fourth step"


def test_the_rulebooks_example_of_a_turn() -> None:
    """Three steps to a trade past another player; then four to a pavilion with a die of 5,
    beside a third player."""
    state = tile(put(started(3), 0, at="S_silver", goods={"bronze": 1}), "R_A1", "A1")
    state = put(put(state, 1, at="T_NW"), 2, at="P_exch")
    assert Move("R_A1") in rules.choices(state, 0)
    state = act(state, Move("R_A1"), Trade(1))
    assert goods(state) == {"silver": 1}
    state = put(state, 1, at="S_diamond")  # out of the way
    assert refused(state, Move("P_exch")) == "reach"
    state = act(state, Roll(), draw=drawing(4))
    assert state.die == 5
    state = act(state, Move("P_exch"), Exchange({"silver": 1}))
    assert goods(state) == {"emerald": 1}


def test_ruling_3_the_die_bounds_one_move_a_turn() -> None:
    state = started()
    (rolled,) = events(state, Roll(), drawing(0))
    assert rolled == MoveDieRolled(0, 1, False)
    state = act(state, Roll(), draw=drawing(0))
    assert {move.to for move in offered(state, Move)} == {"S_gold", "S_diamond", "P_sell", "P_exch"}
    assert refused(state, Roll()) == "roll"
    state = act(state, Move("S_gold"))
    assert state.die is None
    assert refused(state, Roll()) == "roll"
    assert Move("S_diamond") in rules.choices(state, 0), "the next move has its three steps again"
    far = act(put(started(), at="T_NE"), Roll(), draw=drawing(5))
    ends = {move.to for move in offered(far, Move)}
    assert ends == {s for s, n in steps("T_NE", ("G_S",)).items() if n <= 6}
    assert len(ends) == 21


def test_ruling_28_one_action_a_stop_before_the_next_move() -> None:
    state = stop("S_bronze")
    assert state.actions == 2
    state = act(state, Buy("bronze", 1))
    assert (state.acted, state.actions) == (True, 1)
    assert refused(state, Buy("bronze", 1)) == "purchase"
    state = act(state, Move("S_silver"))
    assert not state.acted
    state = put(state, coins=2)
    state = act(state, Buy("silver", 1))
    assert state.actions == 0
    skipped = act(stop("S_bronze"), Move("S_silver"))
    assert (skipped.actions, skipped.acted) == (2, False)
    skipped = act(skipped, Buy("silver", 1))
    assert refused(skipped, Buy("silver", 1)) == "purchase"
    fresh = put(started(), at="S_bronze")
    assert refused(fresh, Buy("bronze", 1)) == "purchase", "an action follows a move"


def test_only_the_seat_whose_turn_it_is_has_choices() -> None:
    state = started(3)
    assert rules.choices(state, 1) == rules.choices(state, 2) == []
    assert refused(state, Move("S_gold"), seat=1) == "not_to_act"


# --- money ------------------------------------------------------------------------------------


def test_the_rulebooks_example_of_borrowing() -> None:
    """Ruling 4: no money, credit 3, purse 4: as much as 3."""
    state = stop("M_1", coins=0, purse=4)
    assert offered(state, Borrow) == [Borrow(1), Borrow(2), Borrow(3)]
    state = act(state, Borrow(3))
    assert (state.players[0].coins, state.players[0].debt) == (3, 3)
    assert state.acted


@pytest.mark.parametrize(
    ("coins", "purse", "debt", "credit", "most"),
    [(2, 3, 0, 3, 1), (3, 3, 0, 6, 0), (0, 6, 3, 3, 0), (0, 6, 1, 3, 2), (1, 6, 0, 6, 5)],
)
def test_ruling_4_as_much_as_credit_and_purse_have_room_for(
    coins: int, purse: int, debt: int, credit: int, most: int
) -> None:
    for space in ("M_1", "M_2"):
        state = stop(space, coins=coins, purse=purse, debt=debt, credit=credit)
        assert offered(state, Borrow) == [Borrow(n) for n in range(1, most + 1)]


def test_ruling_5_free_repayment_at_any_time_in_the_own_turn() -> None:
    state = put(started(), coins=3, debt=2)
    assert offered(state, Repay) == [Repay(1), Repay(2)]
    state = act(state, Repay(1))
    assert (state.players[0].coins, state.players[0].debt) == (2, 1)
    assert not state.acted
    assert state.players[0].credit == 3, "only orders make credit grow"
    assert refused(state, Repay(2)) == "repayment"
    assert rules.choices(put(state, 1, debt=1), 1) == []


def test_ruling_6_the_purse_grows_for_a_bronze_or_an_amber() -> None:
    state = put(started(), goods={"bronze": 2, "amber": 1, "gold": 1})
    assert offered(state, ExpandPurse) == [ExpandPurse("bronze"), ExpandPurse("amber")]
    state = act(state, ExpandPurse("bronze"), ExpandPurse("amber"))
    assert state.players[0].purse == 5
    state = act(state, ExpandPurse("bronze"))
    assert state.players[0].purse == 6
    assert goods(state) == {"gold": 1}
    assert not state.acted
    state = put(state, goods={"bronze": 1})
    assert refused(state, ExpandPurse("bronze")) == "room"
    assert refused(put(started(), goods={"silver": 7}), ExpandPurse("silver")) == "room"


# --- stalls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("space", "good"), STALLS.items())
def test_each_stall_sells_its_good_at_its_price(space: str, good: str) -> None:
    price = {"bronze": 1, "amber": 1, "silver": 2, "emerald": 2, "gold": 3, "diamond": 3}[good]
    state = stop(space, coins=6, purse=6, goods={})
    stock = state.stalls[[*STALLS].index(space)]
    most = min(stock, 6 // price)
    assert offered(state, Buy) == [Buy(good, n) for n in range(1, most + 1)]
    state = act(state, Buy(good, most))
    assert goods(state) == {good: most}
    assert state.players[0].coins == 6 - most * price


def test_ruling_7_a_stall_is_restocked_only_when_emptied() -> None:
    state = stop("S_bronze", coins=6, purse=6, goods={})
    assert StallRestocked("bronze") not in events(state, Buy("bronze", 4))
    assert act(state, Buy("bronze", 4)).stalls[0] == 1
    assert StallRestocked("bronze") in events(state, Buy("bronze", 5))
    assert act(state, Buy("bronze", 5)).stalls[0] == 5


def test_ruling_8_the_common_stock_has_no_end() -> None:
    """Seven of one good can be held by each, and still be traded for."""
    state = tile(stop("R_A1", goods={"bronze": 7}), "R_A1", "A1")
    state = put(state, 1, goods={"silver": 7})
    assert goods(act(state, Trade(7))) == {"silver": 7}


# --- selling and exchanging -------------------------------------------------------------------


def test_any_goods_are_sold_at_the_pavilion() -> None:
    state = stop("P_sell", coins=0, purse=6, goods={"bronze": 2, "gold": 1})
    assert len(offered(state, Sell)) == 3 * 2 - 1
    state = act(state, Sell({"bronze": 1, "gold": 1}))
    assert state.players[0].coins == 4
    assert goods(state) == {"bronze": 1}
    assert state.acted
    assert not offered(state, Buy)
    assert refused(state, Sell({"bronze": 1})) == "sale"
    assert refused(stop("P_sell", goods={"gold": 1}), Sell({"gold": 2})) == "sale"
    assert refused(stop("P_sell", goods={"gold": 1}), Sell({})) == "sale"


def test_rulings_9_and_33_the_surplus_of_a_full_purse_is_lost_and_said() -> None:
    state = stop("P_sell", coins=2, purse=3, goods={"gold": 1, "silver": 1})
    (sold,) = events(state, Sell({"gold": 1}))
    assert sold == GoodsSold(0, {"gold": 1}, 1, 2, "")
    assert rules.label(state, 0, Sell({"gold": 1})).key == "sell-lost"
    full = put(state, coins=3)
    assert Sell({"silver": 1}) in offered(full, Sell)
    assert act(full, Sell({"silver": 1})).players[0].coins == 3
    assert rules.label(put(state, coins=0), 0, Sell({"gold": 1})).key == "sell"


def test_goods_of_the_same_worth_are_exchanged() -> None:
    state = stop("P_exch", goods={"bronze": 2, "emerald": 1, "diamond": 2})
    assert len(offered(state, Exchange)) == 3 * 2 * 3 - 1
    state = act(state, Exchange({"bronze": 1, "emerald": 1, "diamond": 2}))
    assert goods(state) == {"bronze": 1, "amber": 1, "silver": 1, "gold": 2}
    assert state.acted
    assert refused(stop("P_sell", goods={"gold": 1}), Exchange({"gold": 1})) == "exchange"


# --- trading ----------------------------------------------------------------------------------


def test_ruling_11_a_trade_is_repeated_and_the_tile_turns_once() -> None:
    state = tile(stop("R_B2", goods={"bronze": 5, "amber": 1}), "R_B2", "B2", 3)
    assert offered(state, Trade) == [Trade(1), Trade(2)]
    state = tile(state, "R_B2", "B5", 1)
    assert not offered(state, Trade), "no emerald"
    state = put(state, goods={"bronze": 3, "emerald": 2})
    made = events(state, Trade(2))
    assert [type(e) for e in made[1:]] == [TileTurned]
    state = act(state, Trade(2))
    assert goods(state) == {"bronze": 1, "amber": 2, "gold": 2}
    assert state.rests[4] == Rest("B5", 2)
    assert not act(state, Move("R_B1")).acted, "without a trade nothing turns"


def test_ruling_12_after_three_trades_another_tile_comes() -> None:
    state = tile(stop("R_A2", goods={"silver": 1}), "R_A2", "A3", 2)
    state = act(state, Trade(1))
    assert state.rests[1] == Rest("A3", 3)
    state = put(replace(state, acted=False), goods={"bronze": 1})
    made = events(state, Trade(1), first)
    assert isinstance(made[1], TileReplaced)
    assert not made[1].shuffled
    after = act(state, Trade(1), draw=first)
    assert after.rests[1].tile != "A3"
    assert after.rests[1].trade == 1
    assert sum(after.stock.tiles[0]) == 4
    assert after.stock.old[0][2] == 1


def test_ruling_41_discards_and_the_last_tile_are_shuffled_when_the_next_is_needed() -> None:
    state = stop("R_B3", goods={"bronze": 2, "amber": 1, "gold": 2, "silver": 1, "diamond": 1})
    state = tile(state, "R_B3", "B8", 3)
    none: Deck = (0,) * 8
    laid = {rest.tile for rest in state.rests}
    gone = tuple(int(f"B{i + 1}" not in laid) for i in range(8))
    stock = replace(state.stock, tiles=(state.stock.tiles[0], none), old=(none, gone))
    state = replace(state, stock=stock)
    tiles = set()
    for place in range(6):
        (replaced,) = [
            e for e in events(state, Trade(1), drawing(place)) if isinstance(e, TileReplaced)
        ]
        assert replaced.shuffled
        tiles.add(replaced.tile)
        after = act(state, Trade(1), draw=drawing(place))
        assert sum(after.stock.tiles[1]) == 5
        assert after.stock.old[1] == none
    assert tiles == {f"B{i + 1}" for i in range(8)} - (laid - {"B8"}), "B8 itself may come again"


# --- the storage of seven ---------------------------------------------------------------------


def test_rulings_10_and_31_everything_is_taken_then_discarded_to_exactly_seven() -> None:
    state = stop("S_bronze", coins=6, purse=6, goods={"gold": 3, "silver": 2})
    made = events(state, Buy("bronze", 5))
    assert made[-1] == StorageOverfilled(0, 3)
    state = act(state, Buy("bronze", 5))
    assert state.step == DISCARD
    assert goods(state) == {"bronze": 5, "silver": 2, "gold": 3}
    choices = rules.choices(state, 0)
    assert all(isinstance(choice, Discard) for choice in choices), "before anything else"
    assert {sum(choice.goods.values()) for choice in choices} == {3}
    assert Discard({"bronze": 3}) in choices, "new goods may go too"
    assert Discard({"silver": 1, "gold": 2}) in choices
    assert len(choices) == 9
    assert refused(state, Discard({"gold": 2})) == "wrong_amount"
    assert refused(state, Move("S_silver")) == "wrong_step"
    state = act(state, Discard({"silver": 2, "bronze": 1}))
    assert state.step == TURN
    assert sum(state.players[0].goods) == 7


def test_ruling_31_nobody_discards_at_will() -> None:
    state = stop("S_bronze", goods={"gold": 7})
    assert not offered(state, Discard)
    assert refused(state, Discard({"gold": 1})) == "wrong_step"


def test_a_trade_may_overfill_the_storage_too() -> None:
    """B5: an emerald for a bronze and a silver, seven times at once."""
    state = tile(stop("R_B1", goods={"emerald": 7}), "R_B1", "B5", 3)
    state = act(state, Trade(7), draw=first)
    assert goods(state) == {"bronze": 7, "silver": 7}
    state = act(state, Discard({"bronze": 7}))
    assert goods(state) == {"silver": 7}


# --- the North Gate ---------------------------------------------------------------------------


def rows(state, *names: str):  # type: ignore[no-untyped-def]
    """These abilities face up (the decks are left as they are)."""
    sides = [tuple(n for n in names if n[0] == letter) for letter in "TP"]
    return replace(state, rows=(sides[0], sides[1]))


def test_rulings_15_and_40_a_card_and_or_a_turn_of_the_fountain_in_one_action() -> None:
    state = rows(stop("G_N", goods={"silver": 1, "emerald": 1}), "T1", "T4", "P3", "P5")
    assert offered(state, VisitGate) == [
        VisitGate(None, True),
        VisitGate("T1"),
        VisitGate("T1", True),
        VisitGate("T4"),
        VisitGate("T4", True),
        VisitGate("P3"),
        VisitGate("P3", True),
    ]
    turned = act(state, VisitGate(None, True))
    assert turned.fountain == 1
    assert turned.actions == 1
    both = act(state, VisitGate("T4", True), draw=first)
    assert both.fountain == 1
    assert both.players[0].abilities == ("T4",)
    assert goods(both) == {"silver": 1}
    assert both.actions == 1
    assert refused(both, VisitGate("T1")) == "gate", "no second choice"
    assert refused(state, VisitGate()) == "gate"
    assert refused(state, VisitGate("P5")) == "gate", "no bronze"


def test_ruling_40_the_row_is_filled_after_the_action() -> None:
    state = put(stop("G_N"), goods=dict.fromkeys(("bronze", "amber", "silver", "emerald"), 1))
    name = next(c.ability for c in offered(state, VisitGate) if c.ability)
    made = events(state, VisitGate(name, True), first)
    assert [type(e).__name__ for e in made] == [
        "AbilityBought",
        "FountainTurned",
        "AbilityTurnedUp",
    ]
    after = act(state, VisitGate(name, True), draw=first)
    assert [len(row) for row in after.rows] == [5, 5]
    side = "TP".index(name[0])
    assert sum(after.stock.abilities[side]) == 10
    assert name not in after.rows[side]


def test_an_empty_deck_of_abilities_fills_no_row() -> None:
    state = rows(stop("G_N", goods={"silver": 1}), "T1", "T2")
    none = (0,) * 16
    state = replace(state, stock=replace(state.stock, abilities=(none, none)))
    after = act(state, VisitGate("T1"))
    assert after.rows == (("T2",), ())


def test_the_arrows_do_not_matter_at_the_north_gate() -> None:
    for fountain in range(6):
        state = rows(replace(stop("G_N", goods={"silver": 1}), fountain=fountain), "T1")
        assert VisitGate("T1") in offered(state, VisitGate)
        assert act(state, VisitGate("T1"), draw=first).players[0].goods == parse_wares({})


@pytest.mark.parametrize(
    ("held", "wanted"), [("T7", "T8"), ("T12", "T9"), ("P7", "P8"), ("P8", "P7"), ("P9", "P10")]
)
def test_one_card_of_a_family(held: str, wanted: str) -> None:
    plenty = dict.fromkeys(("bronze", "amber", "silver", "emerald", "gold", "diamond"), 2)
    state = rows(stop("G_N", goods=plenty), wanted, "T1")
    assert VisitGate(wanted) in offered(state, VisitGate)
    state = put(state, abilities=(held,))
    assert refused(state, VisitGate(wanted)) == "gate"
    assert VisitGate("T1") in offered(state, VisitGate)


# --- turns pass -------------------------------------------------------------------------------


def test_ruling_42_a_ruined_players_turns_pass_by_themselves() -> None:
    ruin = {"coins": 0, "debt": 3, "goods": {}}
    state = put(replace(started(3), moves=0), 1, **ruin)
    made = events(state, EndTurn())
    assert [type(e).__name__ for e in made] == ["TurnPassed", "TurnBegan"]
    assert made[1] == TurnBegan(2, 2)
    for changes in (
        {"coins": 1},
        {"debt": 2},
        {"goods": {"bronze": 1}},
        {"abilities": ("T7",)},
        {"abilities": ("T8",)},
    ):
        saved = put(state, 1, **changes)
        assert [type(e) for e in events(saved, EndTurn())] == [TurnBegan], changes
    poor = put(state, 1, abilities=("T9", "P3", "P5", "T13"))
    assert len(events(poor, EndTurn())) == 2


def test_ruling_42_when_all_are_ruined_the_game_ends_and_is_scored() -> None:
    state = replace(started(2), moves=0)
    for seat in range(2):
        state = put(state, seat, coins=0, debt=3 + seat, credit=3 + seat, goods={}, wealth=seat)
    state = act(state, EndTurn())
    assert rules.to_act(state) == ()
    standings = rules.outcome(state)
    assert standings is not None
    assert [s.score for s in standings] == [-3, -3]
    assert [s.rank for s in standings] == [1, 1]


def test_a_major_needs_its_tower() -> None:
    card = major(5, "white")
    state = tower(stop("T_SE", goods={"bronze": 1, "silver": 1}), "T_SE", card)
    assert offered(state, FillOrder) == [FillOrder()]
    assert not offered(put(state, at="T_SW"), FillOrder)
    assert not offered(stop("G_N"), DrawOrders)
    assert count_goods(MAJORS[card].names) == MAJORS[card].goods
