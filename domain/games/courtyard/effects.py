"""Decisions of the courtyard game: one function for each type of command. Ships to the browser.

Each is only called with a legal command (see `domain.games.courtyard.legal_commands`).
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw
from domain.games.courtyard.board import (
    GOAL_WEALTH,
    GREEN_EFFECT,
    LAST_LIMIT,
    MAX_STORED_GOODS,
    NUMBER,
    RESTS,
    SOUTH,
    TOWERS,
    Goods,
    arrow_effect,
    exchange_goods,
    parse_wares,
    roll_die,
    turn_fountain,
    wares,
    worth,
)
from domain.games.courtyard.cards import DECKS, MAJORS, MINORS, TRADES_PER_TILE
from domain.games.courtyard.commands import (
    Borrow,
    Buy,
    Discard,
    DrawOrders,
    Exchange,
    ExpandPurse,
    FillKept,
    FillOrder,
    FillPurse,
    KeepOrder,
    Move,
    Repay,
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
    AbilityBought,
    AbilityTurnedUp,
    CreditGrown,
    CreditWidened,
    DebtRepaid,
    Event,
    FountainTurned,
    GoodsBought,
    GoodsDiscarded,
    GoodsExchanged,
    GoodsSold,
    GoodsTraded,
    IncomeShared,
    LastTurnsBegan,
    MajorCompleted,
    MinorCompleted,
    MinorKept,
    MinorsDrawn,
    MinorsReturned,
    MoneyBorrowed,
    MoveDieRolled,
    OrderTurnedUp,
    PlayerMoved,
    PurseExpanded,
    PurseFilled,
    StallRestocked,
    StorageOverfilled,
    TileReplaced,
    TileTurned,
)
from domain.games.courtyard.legal_commands import active_player, offered_trade, price
from domain.games.courtyard.state import COLOURS, LETTERS, State
from domain.toolkit.deck import draw_cards, merge_decks
from domain.toolkit.deck import draw_next_card as turn_up

_Course: TypeAlias = EventRecorder[State, Event]
Effect: TypeAlias = Callable[[_Course, Any, Draw], None]


# --- moves ------------------------------------------------------------------------------------


def _roll(course: _Course, command: Roll, draw: Draw) -> None:
    course.emit(MoveDieRolled(course.state.seat, roll_die(draw), False))


def _reroll(course: _Course, command: Reroll, draw: Draw) -> None:
    course.emit(MoveDieRolled(course.state.seat, roll_die(draw), True))


def _move(course: _Course, command: Move, draw: Draw) -> None:
    course.emit(PlayerMoved(course.state.seat, command.to))


# --- money and goods --------------------------------------------------------------------------


def _borrow(course: _Course, command: Borrow, draw: Draw) -> None:
    course.emit(MoneyBorrowed(course.state.seat, command.coins))


def _repay(course: _Course, command: Repay, draw: Draw) -> None:
    course.emit(DebtRepaid(course.state.seat, command.coins))


def _buy(course: _Course, command: Buy, draw: Draw) -> None:
    """Buy goods; restock the stall only if it was emptied (ruling 7)."""
    state, good = course.state, command.good
    paid = price(active_player(state), good, command.units)
    course.emit(GoodsBought(state.seat, good, command.units, paid))
    if not course.state.stalls[NUMBER[good]]:
        course.emit(StallRestocked(good))
    _store(course)


def _trade(course: _Course, command: Trade, draw: Draw) -> None:
    """Trade, then turn the tile; after its third trade another one replaces it (rulings 11, 12)."""
    state = course.state
    area = active_player(state).at
    swap = offered_trade(state, area)
    got = [n * command.times for n in swap.gets]
    got[NUMBER["bronze"]] += command.bronze
    gave = tuple([n * command.times for n in swap.gives])
    course.emit(GoodsTraded(state.seat, area, command.times, wares(gave), wares(tuple(got))))
    rest = state.rests[RESTS.index(area)]
    if rest.trade < TRADES_PER_TILE:
        course.emit(TileTurned(area, rest.trade + 1))
    else:
        course.emit(_next_tile(course.state, area, rest.tile, draw))
    _store(course)


def _next_tile(state: State, area: str, gone: str, draw: Draw) -> TileReplaced:
    """Return the next tile from the deck, or from the discards with the used one (ruling 41)."""
    side = LETTERS.index(gone[0])
    deck = state.stock.tiles[side]
    shuffled = not sum(deck)
    if shuffled:
        done = tuple([int(i == int(gone[1:]) - 1) for i in range(len(deck))])
        deck = merge_decks(state.stock.old[side], done)
    return TileReplaced(area, f"{gone[0]}{turn_up(deck, draw) + 1}", shuffled)


def _sell(course: _Course, command: Sell, draw: Draw) -> None:
    course.emit(_sale(course.state, parse_wares(command.goods), ""))


def _sell_two(course: _Course, command: SellTwo, draw: Draw) -> None:
    course.emit(_sale(course.state, parse_wares(command.goods), "T5"))


def _sale(state: State, goods: Goods, ability: str) -> GoodsSold:
    """Return a sale; coins that do not fit into the purse are lost (ruling 9)."""
    me = active_player(state)
    earned = min(worth(goods), me.purse - me.coins)
    return GoodsSold(state.seat, wares(goods), earned, worth(goods) - earned, ability)


def _exchange(course: _Course, command: Exchange, draw: Draw) -> None:
    course.emit(_like_for_like(course.state, parse_wares(command.goods), ""))


def _swap_two(course: _Course, command: SwapTwo, draw: Draw) -> None:
    course.emit(_like_for_like(course.state, parse_wares(command.goods), "T2"))


def _like_for_like(state: State, goods: Goods, ability: str) -> GoodsExchanged:
    return GoodsExchanged(state.seat, wares(goods), wares(exchange_goods(goods)), ability)


def _store(course: _Course) -> None:
    """Require a discard of the goods beyond the storage's limit (rulings 10 and 31)."""
    excess = sum(active_player(course.state).goods) - MAX_STORED_GOODS
    if excess > 0:
        course.emit(StorageOverfilled(course.state.seat, excess))


def _discard(course: _Course, command: Discard, draw: Draw) -> None:
    course.emit(GoodsDiscarded(course.state.seat, command.goods))


def _expand(course: _Course, command: ExpandPurse, draw: Draw) -> None:
    course.emit(PurseExpanded(course.state.seat, command.good))


def _fill(course: _Course, command: FillPurse, draw: Draw) -> None:
    course.emit(PurseFilled(course.state.seat, command.good))


def _widen(course: _Course, command: WidenCredit, draw: Draw) -> None:
    course.emit(CreditWidened(course.state.seat, command.good))


# --- gates and orders -------------------------------------------------------------------------


def _visit(course: _Course, command: VisitGate, draw: Draw) -> None:
    """Act at the North Gate; the row of abilities is filled afterwards (ruling 40)."""
    seat, name = course.state.seat, command.ability
    if name is not None:
        course.emit(AbilityBought(seat, name))
    if command.turn:
        _turn_fountain(course, "gate")
    if name is None:
        return
    deck = course.state.stock.abilities[COLOURS.index(name[0])]
    if sum(deck):
        course.emit(AbilityTurnedUp(DECKS[name[0]][turn_up(deck, draw)]))


def _turn_fountain(course: _Course, why: str) -> None:
    course.emit(FountainTurned(course.state.seat, turn_fountain(course.state.fountain), why))


def _fill_order(course: _Course, command: FillOrder, draw: Draw) -> None:
    """Complete a major order; T16 turns before, with T3 the arrow is green (rulings 22 and 38)."""
    if command.turn:
        _turn_fountain(course, "ability")
    state = course.state
    me = active_player(state)
    card = state.towers[TOWERS.index(me.at)]
    assert card is not None
    bonus = GREEN_EFFECT if "T3" in me.abilities else arrow_effect(state.fountain, me.at)
    course.emit(MajorCompleted(state.seat, me.at, card, MAJORS[card].value + bonus))


def _draw_orders(course: _Course, command: DrawOrders, draw: Draw) -> None:
    """Draw two minor orders, or three with T15; those put back come last, in their order."""
    state = course.state
    many = 3 if "T15" in active_player(state).abilities else 2
    cards = draw_cards(state.stock.minors, many, draw)
    cards = (*cards, *state.stock.under[: many - len(cards)])
    course.emit(MinorsDrawn(state.seat, cards))


def _keep_order(course: _Course, command: KeepOrder, draw: Draw) -> None:
    """Keep a drawn order, or complete it at once with the gate's arrow.

    The others go under the deck.
    """
    state, seat = course.state, course.state.seat
    card = state.drawn[command.which]
    others = tuple([each for each in state.drawn if each != card])
    if not command.now:
        course.emit(MinorKept(seat, card))
        course.emit(MinorsReturned(seat, others))
        return
    course.emit(MinorsReturned(seat, others))
    income = MINORS[card].value + arrow_effect(state.fountain, SOUTH)
    course.emit(MinorCompleted(seat, card, income, True))


def _fill_kept(course: _Course, command: FillKept, draw: Draw) -> None:
    """Complete the kept minor order, without an arrow (ruling 29)."""
    card = active_player(course.state).minor
    assert card is not None
    course.emit(MinorCompleted(course.state.seat, card, MINORS[card].value, False))


def _share(course: _Course, command: Share, draw: Draw) -> None:
    """Split an income and finish the order.

    Debt, purse and wealth; credit; and after a major the fountain and the tower.
    """
    state = course.state
    tower = state.order
    gained = state.income - command.repay - command.save
    course.emit(IncomeShared(state.seat, command.repay, command.save, gained))
    me = active_player(course.state)
    if me.wealth >= GOAL_WEALTH and state.trigger is None:
        course.emit(LastTurnsBegan(state.seat))
    if me.credit < LAST_LIMIT:
        course.emit(CreditGrown(state.seat))
    if not tower:
        return
    _turn_fountain(course, "order")
    deck = course.state.stock.majors
    if sum(deck):
        course.emit(OrderTurnedUp(tower, turn_up(deck, draw)))


EFFECTS: dict[type, Effect] = {
    Roll: _roll,
    Reroll: _reroll,
    Move: _move,
    Borrow: _borrow,
    Repay: _repay,
    Buy: _buy,
    Trade: _trade,
    Sell: _sell,
    SellTwo: _sell_two,
    Exchange: _exchange,
    SwapTwo: _swap_two,
    Discard: _discard,
    ExpandPurse: _expand,
    FillPurse: _fill,
    WidenCredit: _widen,
    VisitGate: _visit,
    FillOrder: _fill_order,
    DrawOrders: _draw_orders,
    KeepOrder: _keep_order,
    FillKept: _fill_kept,
    Share: _share,
}
