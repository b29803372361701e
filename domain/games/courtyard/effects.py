"""Effects of the courtyard game's commands: one function per command type. Ships to the browser.

Each is called only with a legal command; see `domain.games.courtyard.legal_commands`. The rules
handle `Settle` and `EndTurn`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, Seat
from domain.games.courtyard import board, commands, events
from domain.games.courtyard.cards import DECKS, MAJORS, MINORS, TRADES_PER_TILE
from domain.games.courtyard.legal_commands import active_player, offered_trade, price
from domain.games.courtyard.state import COLOURS, LETTERS, State
from domain.toolkit.deck import draw_cards, merge_decks
from domain.toolkit.deck import draw_next_card as turn_up

_Recorder: TypeAlias = EventRecorder[State, events.Event]
Effect: TypeAlias = Callable[[_Recorder, Any, Draw], None]


def _record(event: Callable[[Seat, Any], events.Event], field: str) -> Effect:
    """Return the effect that records an event of the seat with this field of the command."""

    def effect(recorder: _Recorder, command: Any, draw: Draw) -> None:
        recorder.emit(event(recorder.state.seat, getattr(command, field)))

    return effect


# --- moves ------------------------------------------------------------------------------------


def _roll(recorder: _Recorder, command: commands.Roll | commands.Reroll, draw: Draw) -> None:
    again = isinstance(command, commands.Reroll)
    recorder.emit(events.MoveDieRolled(recorder.state.seat, board.roll_die(draw), again))


# --- money and goods --------------------------------------------------------------------------


def _buy(recorder: _Recorder, command: commands.Buy, draw: Draw) -> None:
    """Buy goods; restock the good's stall only if it is now empty (ruling 7)."""
    state, good = recorder.state, command.good
    paid = price(active_player(state), good, command.units)
    recorder.emit(events.GoodsBought(state.seat, good, command.units, paid))
    if not recorder.state.stalls[board.NUMBER[good]]:
        recorder.emit(events.StallRestocked(good))
    _store(recorder)


def _trade(recorder: _Recorder, command: commands.Trade, draw: Draw) -> None:
    """Trade, then turn the tile; after its last trade replace it (rulings 11 and 12)."""
    state = recorder.state
    area = active_player(state).at
    swap = offered_trade(state, area)
    got = [n * command.times for n in swap.gets]
    got[board.NUMBER["bronze"]] += command.bronze
    gave = tuple([n * command.times for n in swap.gives])
    recorder.emit(
        events.GoodsTraded(
            state.seat, area, command.times, board.wares(gave), board.wares(tuple(got))
        )
    )
    rest = state.rests[board.RESTS.index(area)]
    if rest.trade < TRADES_PER_TILE:
        recorder.emit(events.TileTurned(area, rest.trade + 1))
    else:
        recorder.emit(_next_tile(recorder.state, area, rest.tile, draw))
    _store(recorder)


def _next_tile(state: State, area: str, gone: str, draw: Draw) -> events.TileReplaced:
    """Return the event that replaces the tile ``gone`` with one from the deck.

    If the deck is empty, the discards including ``gone`` are shuffled into a new one (ruling 41).
    """
    side = LETTERS.index(gone[0])
    deck = state.stock.tiles[side]
    shuffled = not sum(deck)
    if shuffled:
        done = tuple([int(i == int(gone[1:]) - 1) for i in range(len(deck))])
        deck = merge_decks(state.stock.old[side], done)
    return events.TileReplaced(area, f"{gone[0]}{turn_up(deck, draw) + 1}", shuffled)


def _sell(recorder: _Recorder, command: commands.Sell | commands.SellTwo, draw: Draw) -> None:
    """Sell goods; coins that do not fit into the purse are lost (ruling 9)."""
    me = active_player(recorder.state)
    goods = board.parse_wares(command.goods)
    value = board.worth(goods)
    earned = min(value, me.purse - me.coins)
    ability = "T5" if isinstance(command, commands.SellTwo) else ""
    recorder.emit(
        events.GoodsSold(recorder.state.seat, board.wares(goods), earned, value - earned, ability)
    )


def _exchange(
    recorder: _Recorder, command: commands.Exchange | commands.SwapTwo, draw: Draw
) -> None:
    goods = board.parse_wares(command.goods)
    got = board.wares(board.exchange_goods(goods))
    ability = "T2" if isinstance(command, commands.SwapTwo) else ""
    recorder.emit(events.GoodsExchanged(recorder.state.seat, board.wares(goods), got, ability))


def _store(recorder: _Recorder) -> None:
    """Require a discard if the player has more goods than the storage holds (rulings 10 and 31)."""
    excess = sum(active_player(recorder.state).goods) - board.MAX_STORED_GOODS
    if excess > 0:
        recorder.emit(events.StorageOverfilled(recorder.state.seat, excess))


# --- gates and orders -------------------------------------------------------------------------


def _visit(recorder: _Recorder, command: commands.VisitGate, draw: Draw) -> None:
    """Act at the North Gate, then refill the row of abilities (ruling 40)."""
    seat, name = recorder.state.seat, command.ability
    if name is not None:
        recorder.emit(events.AbilityBought(seat, name))
    if command.turn:
        _turn_fountain(recorder, "gate")
    if name is None:
        return
    deck = recorder.state.stock.abilities[COLOURS.index(name[0])]
    if sum(deck):
        recorder.emit(events.AbilityTurnedUp(DECKS[name[0]][turn_up(deck, draw)]))


def _turn_fountain(recorder: _Recorder, why: str) -> None:
    recorder.emit(
        events.FountainTurned(
            recorder.state.seat, board.turn_fountain(recorder.state.fountain), why
        )
    )


def _fill_order(recorder: _Recorder, command: commands.FillOrder, draw: Draw) -> None:
    """Complete a major order.

    T16 may turn the fountain first; with T3 the arrow always counts as green (rulings 22 and 38).
    """
    if command.turn:
        _turn_fountain(recorder, "ability")
    state = recorder.state
    me = active_player(state)
    card = state.towers[board.TOWERS.index(me.at)]
    assert card is not None
    bonus = (
        board.GREEN_EFFECT if "T3" in me.abilities else board.arrow_effect(state.fountain, me.at)
    )
    recorder.emit(events.MajorCompleted(state.seat, me.at, card, MAJORS[card].value + bonus))


def _draw_orders(recorder: _Recorder, command: commands.DrawOrders, draw: Draw) -> None:
    """Draw two minor orders, or three with T15; returned orders are drawn last, in their order."""
    state = recorder.state
    many = 3 if "T15" in active_player(state).abilities else 2
    cards = draw_cards(state.stock.minors, many, draw)
    cards = (*cards, *state.stock.under[: many - len(cards)])
    recorder.emit(events.MinorsDrawn(state.seat, cards))


def _keep_order(recorder: _Recorder, command: commands.KeepOrder, draw: Draw) -> None:
    """Keep a drawn order, or complete it at once with the effect of the gate's arrow.

    The other drawn orders go under the deck.
    """
    state, seat = recorder.state, recorder.state.seat
    card = state.drawn[command.which]
    others = tuple([each for each in state.drawn if each != card])
    if not command.now:
        recorder.emit(events.MinorKept(seat, card))
        recorder.emit(events.MinorsReturned(seat, others))
        return
    recorder.emit(events.MinorsReturned(seat, others))
    income = MINORS[card].value + board.arrow_effect(state.fountain, board.SOUTH)
    recorder.emit(events.MinorCompleted(seat, card, income, True))


def _fill_kept(recorder: _Recorder, command: commands.FillKept, draw: Draw) -> None:
    """Complete the kept minor order, without the effect of an arrow (ruling 29)."""
    card = active_player(recorder.state).minor
    assert card is not None
    recorder.emit(events.MinorCompleted(recorder.state.seat, card, MINORS[card].value, False))


def _share(recorder: _Recorder, command: commands.Share, draw: Draw) -> None:
    """Split an income and finish the order.

    Begin the last turns if the player has reached `GOAL_WEALTH`, and raise the credit by one if
    possible. After a major order also turn the fountain and refill the tower.
    """
    state = recorder.state
    tower = state.order
    gained = state.income - command.repay - command.save
    recorder.emit(events.IncomeShared(state.seat, command.repay, command.save, gained))
    me = active_player(recorder.state)
    if me.wealth >= board.GOAL_WEALTH and state.trigger is None:
        recorder.emit(events.LastTurnsBegan(state.seat))
    if me.credit < board.LAST_LIMIT:
        recorder.emit(events.CreditGrown(state.seat))
    if not tower:
        return
    _turn_fountain(recorder, "order")
    deck = recorder.state.stock.majors
    if sum(deck):
        recorder.emit(events.OrderTurnedUp(tower, turn_up(deck, draw)))


EFFECTS: dict[type, Effect] = {
    commands.Roll: _roll,
    commands.Reroll: _roll,
    commands.Move: _record(events.PlayerMoved, "to"),
    commands.Borrow: _record(events.MoneyBorrowed, "coins"),
    commands.Repay: _record(events.DebtRepaid, "coins"),
    commands.Buy: _buy,
    commands.Trade: _trade,
    commands.Sell: _sell,
    commands.SellTwo: _sell,
    commands.Exchange: _exchange,
    commands.SwapTwo: _exchange,
    commands.Discard: _record(events.GoodsDiscarded, "goods"),
    commands.ExpandPurse: _record(events.PurseExpanded, "good"),
    commands.FillPurse: _record(events.PurseFilled, "good"),
    commands.WidenCredit: _record(events.CreditWidened, "good"),
    commands.VisitGate: _visit,
    commands.FillOrder: _fill_order,
    commands.DrawOrders: _draw_orders,
    commands.KeepOrder: _keep_order,
    commands.FillKept: _fill_kept,
    commands.Share: _share,
}
