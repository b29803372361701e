"""State transitions of Caravanserai, one per kind of event. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.caravanserai import events
from domain.games.caravanserai.board import board_of, direction_after
from domain.games.caravanserai.pieces import CAMEL, COLOURS, LYING, Cell
from domain.games.caravanserai.state import (
    FREE,
    INDEX,
    STANDING,
    TAKEN,
    Laid,
    Placement,
    Player,
    State,
    add_goods,
    cover_cells,
    empty_ground,
)

EMPTY_PLACEMENT = Placement()
"""The placement at the beginning of a turn."""


def _board_laid(_state: State | None, event: events.BoardLaid) -> State:
    player = Player(event.camels, (event.goods_each,) * len(COLOURS))
    board = board_of(event.cells, event.tiles, event.tile_of)
    return State(
        board=board,
        expert=event.expert,
        solo=event.seats == 1,
        market=tuple(event.market.get(colour, 0) for colour in COLOURS),
        players=(player,) * event.seats,
        ground=empty_ground(board),
    )


def _goods_set_out(state: State, event: events.GoodsSetOut) -> State:
    market = list(state.market)
    for cell in event.cells:
        market[INDEX[state.board.colours[cell]]] -= 1  # type: ignore[index]
    ground = cover_cells(state.ground, event.cells, STANDING)
    return replace(state, ground=ground, market=tuple(market))


def _first_player_drawn(state: State, event: events.FirstPlayerDrawn) -> State:
    return replace(state, first=event.seat, seat=event.seat)


def _round_limit_set(state: State, event: events.RoundLimitSet) -> State:
    return replace(state, round_limit=event.rounds)


def _caravan_started(state: State, event: events.CaravanStarted) -> State:
    player = state.players[event.seat]
    started = replace(player, camels=player.camels - 1, cells=(event.cell,), kinds=(CAMEL,))
    following = (event.seat + 1) % len(state.players)
    return replace(
        state,
        players=_with(state, event.seat, started),
        ground=cover_cells(state.ground, (event.cell,), TAKEN),
        seat=following,
    )


def _turn_began(state: State, event: events.TurnBegan | events.TurnSkipped) -> State:
    new_round = event.seat == state.first
    return replace(
        state,
        seat=event.seat,
        turn=event.turn,
        skips=(0 if new_round else state.skips) + isinstance(event, events.TurnSkipped),
        quiet=state.quiet + new_round,
        placement=EMPTY_PLACEMENT,
        to_set=0,
    )


def _good_returned(state: State, event: events.GoodReturned) -> State:
    return replace(
        state,
        market=add_goods(state.market, event.colour, 1),
        quiet=-1,
        ground=cover_cells(state.ground, (event.cell,), FREE),
    )


def _block_laid(state: State, event: events.BlockLaid) -> State:
    player = state.players[event.seat]
    path = event.path
    size = len(path)
    own = size - len(event.used)
    before = state.placement
    laid = Laid(event.colour, path, event.omitted, event.why)
    return replace(
        state,
        players=_with(
            state,
            event.seat,
            Player(
                player.camels,
                add_goods(player.goods, event.colour, -own),
                player.cells + path,
                player.kinds + (event.colour,) * size,
            ),
        ),
        ground=cover_cells(state.ground, path, TAKEN),
        placement=Placement(
            size,
            event.colour,
            direction_after(state.board, player.cells[-1], path),
            before.lying,
            False,
            before.pieces + size,
            before.omitted + size if event.omitted else before.omitted,
            (*before.laid, laid),
        ),
    )


def _camel_laid_down(state: State, event: events.CamelLaidDown) -> State:
    before = state.placement
    return replace(
        state,
        players=_with(state, event.seat, _led(state.players[event.seat], event.cell, LYING)),
        ground=_with_camel(state.ground, event.cell),
        placement=Placement(
            event.size,
            None,
            -1,
            True,
            False,
            before.pieces + 1,
            before.omitted,
            (*before.laid, Laid(LYING, (event.cell,))),
        ),
    )


def _camel_placed(state: State, event: events.CamelPlaced) -> State:
    before = state.placement
    return replace(
        state,
        players=_with(state, event.seat, _led(state.players[event.seat], event.cell, CAMEL)),
        ground=_with_camel(state.ground, event.cell),
        placement=replace(
            before,
            closed=True,
            pieces=before.pieces + 1,
            laid=(*before.laid, Laid(CAMEL, (event.cell,))),
        ),
    )


def _goods_taken(state: State, event: events.GoodsTaken) -> State:
    players = list(state.players)
    taker = players[event.seat]
    players[event.seat] = replace(taker, goods=add_goods(taker.goods, event.colour, 1))
    if event.source == "standing":
        ground = cover_cells(state.ground, (event.cell,), TAKEN)
        return replace(state, players=tuple(players), ground=ground)
    if event.whom is None:
        market = add_goods(state.market, event.colour, -1)
        return replace(state, players=tuple(players), market=market, quiet=-1)
    giver = players[event.whom]
    players[event.whom] = replace(giver, goods=add_goods(giver.goods, event.colour, -1))
    return replace(state, players=tuple(players), missing=None)


def _good_missed(state: State, event: events.GoodMissed) -> State:
    return replace(state, missing=event.colour)


def _tail_returned(state: State, event: events.TailReturned) -> State:
    player = state.players[event.seat]
    goods = list(player.goods)
    camels = player.camels
    for _, kind in event.back:
        if kind in INDEX:
            goods[INDEX[kind]] += 1
        else:
            camels += 1
    count = len(event.back)
    kept = Player(camels, tuple(goods), player.cells[count:], player.kinds[count:])
    return replace(
        state,
        players=_with(state, event.seat, kept),
        ground=cover_cells(state.ground, player.cells[:count], FREE),
        placement=replace(state.placement, returned=True),
        to_set=event.to_set,
    )


def _good_set(state: State, event: events.GoodSetOnBoard) -> State:
    return replace(
        state,
        market=add_goods(state.market, event.colour, -1),
        quiet=-1,
        ground=cover_cells(state.ground, (event.cell,), STANDING),
        to_set=state.to_set - 1,
    )


def _market_emptied(state: State, event: events.MarketEmptied) -> State:
    return replace(state, last_turn=event.last_turn)


def _game_ended(state: State, event: events.GameEnded) -> State:
    return replace(state, reason=event.reason, ranking=event.ranking, to_set=0)


def _with(state: State, seat: Seat, player: Player) -> tuple[Player, ...]:
    players = list(state.players)
    players[seat] = player
    return tuple(players)


def _led(player: Player, cell: Cell, kind: str) -> Player:
    return Player(player.camels - 1, player.goods, (*player.cells, cell), (*player.kinds, kind))


def _with_camel(ground: str, cell: Cell) -> str:
    """Return the ground with a camel; a standing good remains until `GoodsTaken` removes it."""
    return ground if ground[cell] == STANDING else cover_cells(ground, (cell,), TAKEN)


_CHANGES: dict[type, Callable[..., State]] = {
    events.BoardLaid: _board_laid,
    events.GoodsSetOut: _goods_set_out,
    events.FirstPlayerDrawn: _first_player_drawn,
    events.RoundLimitSet: _round_limit_set,
    events.CaravanStarted: _caravan_started,
    events.TurnBegan: _turn_began,
    events.TurnSkipped: _turn_began,
    events.GoodReturned: _good_returned,
    events.BlockLaid: _block_laid,
    events.CamelLaidDown: _camel_laid_down,
    events.CamelPlaced: _camel_placed,
    events.GoodsTaken: _goods_taken,
    events.GoodMissed: _good_missed,
    events.TailReturned: _tail_returned,
    events.GoodSetOnBoard: _good_set,
    events.MarketEmptied: _market_emptied,
    events.GameEnded: _game_ended,
}


def evolve(state: Any, event: Any) -> Any:
    """Return the state after an event; ``state`` is None before `BoardLaid`."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)
