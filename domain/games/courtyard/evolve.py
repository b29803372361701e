"""State transitions of the courtyard game, one per kind of event. Ships to the browser."""

from typing import Any

from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.courtyard import board, events
from domain.games.courtyard.cards import ABILITIES, DECKS, MAJORS, MINORS, TILES_PER_LETTER
from domain.games.courtyard.state import (
    COLOURS,
    DISCARD,
    INCOME,
    LETTERS,
    MINOR,
    OVER,
    TURN,
    Player,
    Rest,
    State,
    Stock,
)
from domain.toolkit.deck import Deck, merge_decks, remove_card


def evolve(state: Any, event: Any) -> Any:
    """Return the state after an event; ``state`` is None before the first event."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)


# --- helpers ----------------------------------------------------------------------------------


def _set(state: State, seat: Seat, **changes: Any) -> State:
    players = [*state.players]
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def _act(state: State) -> State:
    """Return the state with the stop's action used, if it was not yet.

    Buying an ability and turning the fountain at the North Gate are one action.
    """
    if state.acted:
        return state
    return replace(state, acted=True, actions=state.actions - 1)


def _pay(state: State, seat: Seat, good: board.Good, **changes: Any) -> State:
    """Return the state after a player has paid one unit of a good.

    ``changes``: other changes to the player's fields.
    """
    goods = board.minus(state.players[seat].goods, board.count_goods((good,)))
    return _set(state, seat, goods=goods, **changes)


def _swap(state: State, seat: Seat, gave: board.Wares, got: board.Wares, **changes: Any) -> State:
    goods = board.plus(
        board.minus(state.players[seat].goods, board.parse_wares(gave)), board.parse_wares(got)
    )
    return _set(state, seat, goods=goods, **changes)


def _put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _ability_deck(decks: tuple[Deck, Deck], name: str) -> tuple[Deck, Deck]:
    """Return the ability decks without the named card."""
    side = COLOURS.index(name[0])
    one, other = [
        remove_card(deck, DECKS[name[0]].index(name)) if i == side else deck
        for i, deck in enumerate(decks)
    ]
    return one, other


def _all(count: int) -> Deck:
    return (1,) * count


# --- transitions ------------------------------------------------------------------------------


def _laid_out(_state: None, event: events.CourtyardLaidOut) -> State:
    majors = _all(len(MAJORS))
    for card in event.towers:
        majors = remove_card(majors, card)
    abilities = (_all(len(DECKS["T"])), _all(len(DECKS["P"])))
    for name in (*event.turquoise, *event.purple):
        abilities = _ability_deck(abilities, name)
    tiles = {letter: _all(TILES_PER_LETTER) for letter in LETTERS}
    for tile in event.tiles:
        tiles[tile[0]] = remove_card(tiles[tile[0]], int(tile[1:]) - 1)
    none = (0,) * TILES_PER_LETTER
    return State(
        players=(Player(),) * event.seats,
        starter=event.starter,
        seat=event.starter,
        keep_secrets=event.keep_secrets,
        fountain=event.fountain,
        towers=event.towers,
        rows=(event.turquoise, event.purple),
        rests=tuple([Rest(tile) for tile in event.tiles]),
        stalls=board.STOCKS,
        stock=Stock(
            majors, _all(len(MINORS)), (), abilities, (tiles["A"], tiles["B"]), (none, none)
        ),
    )


def _settled(state: State, event: events.PlayerSettled) -> State:
    goods = board.count_goods((event.good,))
    state = _set(state, event.seat, at=event.gate, goods=goods)
    return replace(state, seat=(event.seat + 1) % len(state.players))


def _turn(state: State, event: events.TurnBegan) -> State:
    return replace(
        state,
        seat=event.seat,
        step=TURN,
        turn=event.number,
        round=_round_with(state, event.seat),
        moves=board.MOVES_PER_TURN,
        actions=board.ACTIONS_PER_TURN,
        acted=False,
        die=None,
        rolled=False,
        again=False,
        spent=(),
    )


def _round_with(state: State, seat: Seat) -> int:
    """Return the round in which the seat's next turn begins.

    A turn of the starting player begins a new round.
    """
    return state.round + (seat == state.starter)


def _rolled(state: State, event: events.MoveDieRolled) -> State:
    return replace(state, die=event.result, rolled=True, again=event.again)


def _moved(state: State, event: events.PlayerMoved) -> State:
    state = _set(state, event.seat, at=event.to)
    return replace(state, moves=state.moves - 1, acted=False, die=None, again=False)


def _borrowed(state: State, event: events.MoneyBorrowed) -> State:
    me = state.players[event.seat]
    state = _set(state, event.seat, coins=me.coins + event.coins, debt=me.debt + event.coins)
    return _act(state)


def _repaid(state: State, event: events.DebtRepaid) -> State:
    me = state.players[event.seat]
    return _set(state, event.seat, coins=me.coins - event.coins, debt=me.debt - event.coins)


def _bought(state: State, event: events.GoodsBought) -> State:
    me, at = state.players[event.seat], board.NUMBER[event.good]
    goods = _put(me.goods, at, me.goods[at] + event.units)
    state = _set(state, event.seat, coins=me.coins - event.paid, goods=goods)
    stalls = _put(state.stalls, at, state.stalls[at] - event.units)
    return _act(replace(state, stalls=stalls))


def _restocked(state: State, event: events.StallRestocked) -> State:
    at = board.NUMBER[event.good]
    return replace(state, stalls=_put(state.stalls, at, board.STOCKS[at]))


def _traded(state: State, event: events.GoodsTraded) -> State:
    return _act(_swap(state, event.seat, event.gave, event.got))


def _tile_turned(state: State, event: events.TileTurned) -> State:
    at = board.RESTS.index(event.area)
    rest = replace(state.rests[at], trade=event.trade)
    return replace(state, rests=_put(state.rests, at, rest))


def _tile_replaced(state: State, event: events.TileReplaced) -> State:
    at, side = board.RESTS.index(event.area), LETTERS.index(event.tile[0])
    gone = int(state.rests[at].tile[1:]) - 1
    deck, old = state.stock.tiles[side], state.stock.old[side]
    old = _put(old, gone, old[gone] + 1)
    if event.shuffled:
        deck, old = merge_decks(deck, old), (0,) * len(old)
    stock = replace(
        state.stock,
        tiles=_put(state.stock.tiles, side, remove_card(deck, int(event.tile[1:]) - 1)),
        old=_put(state.stock.old, side, old),
    )
    return replace(state, stock=stock, rests=_put(state.rests, at, Rest(event.tile)))


def _sold(state: State, event: events.GoodsSold) -> State:
    me = state.players[event.seat]
    state = _swap(state, event.seat, event.goods, {}, coins=me.coins + event.earned)
    return _by(state, event.ability)


def _exchanged(state: State, event: events.GoodsExchanged) -> State:
    return _by(_swap(state, event.seat, event.gave, event.got), event.ability)


def _by(state: State, ability: str) -> State:
    """Return the state with the ability spent for this turn or, for "", the stop's action used."""
    return replace(state, spent=(*state.spent, ability)) if ability else _act(state)


def _discarded(state: State, event: events.GoodsDiscarded) -> State:
    return replace(_swap(state, event.seat, event.goods, {}), step=TURN)


def _expanded(state: State, event: events.PurseExpanded) -> State:
    return _pay(state, event.seat, event.good, purse=state.players[event.seat].purse + 1)


def _filled(state: State, event: events.PurseFilled) -> State:
    used = (*state.players[event.seat].used, "P3")
    return _pay(
        state, event.seat, event.good, purse=board.LAST_LIMIT, coins=board.LAST_LIMIT, used=used
    )


def _widened(state: State, event: events.CreditWidened) -> State:
    me = state.players[event.seat]
    return _pay(state, event.seat, event.good, credit=me.credit + 1, used=(*me.used, "P5"))


def _ability_bought(state: State, event: events.AbilityBought) -> State:
    me, name = state.players[event.seat], event.ability
    goods = board.minus(me.goods, ABILITIES[name].cost)
    state = _set(state, event.seat, goods=goods, abilities=(*me.abilities, name))
    one, other = [tuple([each for each in row if each != name]) for row in state.rows]
    return _act(replace(state, rows=(one, other)))


def _ability_up(state: State, event: events.AbilityTurnedUp) -> State:
    side = COLOURS.index(event.ability[0])
    rows = _put(state.rows, side, (*state.rows[side], event.ability))
    decks = _ability_deck(state.stock.abilities, event.ability)
    return replace(state, rows=rows, stock=replace(state.stock, abilities=decks))


def _fountain(state: State, event: events.FountainTurned) -> State:
    state = replace(state, fountain=event.position)
    return _act(state) if event.why == "gate" else state


def _major(state: State, event: events.MajorCompleted) -> State:
    me = state.players[event.seat]
    goods = board.minus(me.goods, MAJORS[event.card].goods)
    state = _set(state, event.seat, goods=goods, majors=(*me.majors, event.card))
    towers = _put(state.towers, board.TOWERS.index(event.tower), None)
    state = replace(state, towers=towers, step=INCOME, income=event.income, order=event.tower)
    return _act(state)


def _order_up(state: State, event: events.OrderTurnedUp) -> State:
    stock = replace(state.stock, majors=remove_card(state.stock.majors, event.card))
    towers = _put(state.towers, board.TOWERS.index(event.tower), event.card)
    return replace(state, towers=towers, stock=stock)


def _without_minors(stock: Stock, cards: tuple[int, ...]) -> Stock:
    """Return the stock without these minors, taken from the deck, then from the returned ones."""
    minors, under = stock.minors, stock.under
    for card in cards:
        if sum(minors):
            minors = remove_card(minors, card)
        else:
            under = under[1:]
    return replace(stock, minors=minors, under=under)


def _drawn(state: State, event: Any) -> State:
    stock = _without_minors(state.stock, event.cards)
    return _act(replace(state, stock=stock, drawn=event.cards, step=MINOR))


def _kept(state: State, event: events.MinorKept) -> State:
    return replace(_set(state, event.seat, minor=event.card), step=TURN)


def _returned(state: State, event: Any) -> State:
    stock = replace(state.stock, under=(*state.stock.under, *event.cards))
    return replace(state, stock=stock, drawn=())


def _minor(state: State, event: events.MinorCompleted) -> State:
    me = state.players[event.seat]
    goods = board.minus(me.goods, MINORS[event.card].goods)
    minors = (*me.minors, event.card)
    state = _set(state, event.seat, goods=goods, minors=minors, minor=None)
    return replace(state, step=INCOME, income=event.income, order="")


def _shared(state: State, event: events.IncomeShared) -> State:
    me = state.players[event.seat]
    state = _set(
        state,
        event.seat,
        debt=me.debt - event.repaid,
        coins=me.coins + event.saved,
        wealth=me.wealth + event.gained,
    )
    return replace(state, step=TURN, income=0, order="")


def _credit(state: State, event: events.CreditGrown) -> State:
    return _set(state, event.seat, credit=state.players[event.seat].credit + 1)


def _scoring_minor(state: State, event: events.ScoringMinorDrawn) -> State:
    return replace(state, stock=_without_minors(state.stock, (event.card,)))


def _scored(state: State, event: events.GameScored) -> State:
    return replace(
        state, step=OVER, moves=0, actions=0, die=None, scores=event.scores, ranks=event.ranks
    )


_CHANGES: dict[type, Any] = {
    events.CourtyardLaidOut: _laid_out,
    events.IdleExchangesBarred: lambda state, _event: replace(state, idle_exchanges=False),
    events.RoundLimitSet: lambda state, event: replace(state, round_limit=event.rounds),
    events.PlayerSettled: _settled,
    events.TurnBegan: _turn,
    events.TurnPassed: lambda state, event: replace(state, round=_round_with(state, event.seat)),
    events.MoveDieRolled: _rolled,
    events.PlayerMoved: _moved,
    events.MoneyBorrowed: _borrowed,
    events.DebtRepaid: _repaid,
    events.GoodsBought: _bought,
    events.StallRestocked: _restocked,
    events.GoodsTraded: _traded,
    events.TileTurned: _tile_turned,
    events.TileReplaced: _tile_replaced,
    events.GoodsSold: _sold,
    events.GoodsExchanged: _exchanged,
    events.StorageOverfilled: lambda state, _event: replace(state, step=DISCARD),
    events.GoodsDiscarded: _discarded,
    events.PurseExpanded: _expanded,
    events.PurseFilled: _filled,
    events.CreditWidened: _widened,
    events.AbilityBought: _ability_bought,
    events.AbilityTurnedUp: _ability_up,
    events.FountainTurned: _fountain,
    events.MajorCompleted: _major,
    events.OrderTurnedUp: _order_up,
    events.MinorsDrawn: _drawn,
    events.MinorKept: _kept,
    events.MinorsReturned: _returned,
    events.MinorCompleted: _minor,
    events.IncomeShared: _shared,
    events.CreditGrown: _credit,
    events.LastTurnsBegan: lambda state, event: replace(state, trigger=event.seat),
    events.ScoringMinorDrawn: _scoring_minor,
    events.GameScored: _scored,
}
