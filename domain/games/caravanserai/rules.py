"""Rules of Caravanserai, in the order of the rulebook. Ships to the browser.

Numbers in parentheses are sections of the rulebook; "ruling N" refers to the rulings on questions
that it leaves open.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.contract.trait_defaults import keeps_secrets, redact, reveals, take_back, time_limit
from domain.games.caravanserai import events, legal_commands
from domain.games.caravanserai.board import cells_of, lay_tiles, start_goods
from domain.games.caravanserai.commands import (
    COMMANDS,
    Command,
    LayBlock,
    LayCamelDown,
    PlaceCamel,
    SetGood,
    StartAt,
    TakeFrom,
)
from domain.games.caravanserai.events import EVENTS, Event
from domain.games.caravanserai.evolve import evolve
from domain.games.caravanserai.legal_commands import choices, groups
from domain.games.caravanserai.options import Options
from domain.games.caravanserai.pieces import CAMEL, COLOURS, LYING, OUTER, Cell, Colour
from domain.games.caravanserai.scoring import standings
from domain.games.caravanserai.state import FREE, INDEX, STANDING, TAKEN, State, current_step
from domain.games.caravanserai.tell import label, tell
from domain.games.caravanserai.title import TITLE
from domain.games.caravanserai.turns import ROUND_LIMIT, announce_empty_market, begin_next_turn
from domain.games.caravanserai.view import view
from domain.text.i18n import N_

_Recorder: TypeAlias = EventRecorder[State, Event]

# --- 2 Preparation --------------------------------------------------------------------------


def setup(
    options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Set up the board, the market and the standing goods, and draw the first player.

    The market has 6 goods of each colour, 7 by the expert rules. The first player is not drawn if
    the host begins, in a solo game, or in rules version 1, in which seat 0 begins (ruling 27). The
    limit on long games is an option since version 3 (ruling 28).
    """
    expert = options.expert
    each = 7 if expert else 6
    tiles = lay_tiles(seats, draw)
    cells, tile_of = cells_of(seats, tiles)
    market = dict.fromkeys(COLOURS, each)
    recorder: _Recorder = EventRecorder.begin(
        events.BoardLaid(seats, expert, tiles, cells, tile_of, market), evolve
    )
    recorder.emit(events.GoodsSetOut(start_goods(cells, tile_of, each, draw)))
    if version > 1 and seats > 1 and options.begins == "drawn":
        recorder.emit(events.FirstPlayerDrawn(draw(seats)))
    if version > 2 and options.long_games_end:
        recorder.emit(events.RoundLimitSet(ROUND_LIMIT))
    return recorder


# --- whose turn, which step -----------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat to act as a one-element tuple; empty when the game is over."""
    return () if state.ranking is not None else (state.seat,)


def turn(state: State) -> int:
    """Return the number of the current turn, 0 while caravans are started; skipped turns count."""
    return state.turn


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Apply a command and everything that follows, up to the next choice of any seat.

    Raises `IllegalMove` with the violated rule.
    """
    if state.ranking is not None:
        raise IllegalMove("game_over", "refusal.game_over")
    if seat != state.seat:
        raise IllegalMove("not_your_turn", "refusal.not_your_turn")
    now = current_step(state)
    carry_out = _STEPS[now].get(type(command))
    if carry_out is None:
        raise IllegalMove("wrong_step", _NOW[now])
    return carry_out(state, command)


_NOW = {
    "start": N_("refusal.step_start"),
    "place": N_("refusal.step_place"),
    "take": N_("refusal.step_take"),
    "set": N_("refusal.step_set"),
}


# --- 3.1 Placement of caravans --------------------------------------------------------------


def _start_at(state: State, command: StartAt) -> _Recorder:
    cell = command.cell
    _, _, colour, zone = state.board.cells[legal_commands.check_cell(state.board, cell)]
    if zone != OUTER:
        raise IllegalMove("not_outer", "refusal.not_outer")
    if colour is None:
        raise IllegalMove("not_a_caravanserai", "refusal.not_a_caravanserai")
    if state.ground[cell] == TAKEN:
        raise IllegalMove("occupied", "refusal.one_piece_per_cell")
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(events.CaravanStarted(state.seat, cell))
    if state.market[INDEX[colour]]:
        _take_from_market(recorder, state.seat, colour, cell)
    if recorder.state.seat == state.first:
        begin_next_turn(recorder)
    return recorder


# --- 4.1 Placement --------------------------------------------------------------------------


def _lay_block(state: State, command: LayBlock) -> _Recorder:
    colour, path = command.colour, command.path
    if colour not in INDEX:
        raise IllegalMove("unknown_colour", "refusal.unknown_colour", colours=COLOURS)
    if colour == state.placement.colour:
        raise IllegalMove("same_colour", "refusal.same_colour")
    allowed = legal_commands.block_sizes(state)
    if len(path) not in allowed:
        raise IllegalMove("wrong_size", "refusal.wrong_size", sizes=allowed)
    used, returned = legal_commands.resolve_standing_goods(
        state, command, legal_commands.check_path(state, path)
    )
    recorder: _Recorder = EventRecorder(state, evolve)
    for cell in returned:
        recorder.emit(events.GoodReturned(state.seat, str(state.board.colours[cell]), cell))
    why = legal_commands.omission_reason(state.board, colour, path, returned)
    recorder.emit(events.BlockLaid(state.seat, colour, path, used, why == "match", why))
    return recorder


def _lay_camel_down(state: State, command: LayCamelDown) -> _Recorder:
    """Place a lying camel as the next block (6.1, rulings 17 and 18)."""
    cell = command.cell
    if not state.expert:
        raise IllegalMove("not_expert", "refusal.not_expert")
    if state.placement.lying:
        raise IllegalMove("lying_used", "refusal.lying_used")
    if not legal_commands.can_lie_down(state):
        raise IllegalMove("too_few_camels", "refusal.too_few_camels")
    legal_commands.check_camel(state, cell)
    if not legal_commands.can_continue(state.board, state.ground, cell):
        raise IllegalMove("dead_end", "refusal.dead_end")
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(events.CamelLaidDown(state.seat, cell, legal_commands.block_sizes(state)[0]))
    _stop(recorder, cell)
    return recorder


def _place_camel(state: State, command: PlaceCamel) -> _Recorder:
    """Place the camel that ends the placement, which may consist of it alone (ruling 7)."""
    cell = command.cell
    legal_commands.check_camel(state, cell)
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(events.CamelPlaced(state.seat, cell))
    _stop(recorder, cell)
    if recorder.state.missing is None:
        _take_tail_back(recorder)
    return recorder


# --- 4.1 c) Stop on a caravanserai cell -----------------------------------------------------


def _stop(recorder: _Recorder, cell: Cell) -> None:
    """Give the seat to act the goods for its camel on a caravanserai, if ``cell`` is one.

    These are the standing good, if any, and one from the market; if the market lacks the colour,
    one from an opponent, whom the seat must choose if several have it (rulings 9 and 23).
    """
    seat = recorder.state.seat
    colour = recorder.state.board.colours[cell]
    if colour is None:
        return
    if recorder.state.ground[cell] == STANDING:
        recorder.emit(events.GoodsTaken(seat, colour, "standing", cell))
    if recorder.state.market[INDEX[colour]]:
        _take_from_market(recorder, seat, colour, cell)
        return
    holders = legal_commands.seats_with_good(recorder.state, colour)
    if len(holders) == 1:
        recorder.emit(events.GoodsTaken(seat, colour, "opponent", cell, holders[0]))
    elif holders:
        recorder.emit(events.GoodMissed(seat, colour, cell))


def _take_from_market(recorder: _Recorder, seat: Seat, colour: Colour, cell: Cell) -> None:
    recorder.emit(events.GoodsTaken(seat, colour, "market", cell))
    announce_empty_market(recorder)


def _take_from(state: State, command: TakeFrom) -> _Recorder:
    """Take the missing good from the chosen opponent (ruling 23)."""
    whom = command.whom
    colour = state.missing
    assert colour is not None
    if whom not in legal_commands.seats_with_good(state, colour):
        raise IllegalMove("no_such_good", "refusal.no_such_good", colour=colour)
    cell = state.players[state.seat].cells[-1]
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(events.GoodsTaken(state.seat, colour, "opponent", cell, whom))
    if state.placement.closed:
        _take_tail_back(recorder)
    return recorder


# --- 4.2 Count, 4.3 Pieces taken back at the tail -------------------------------------------


def _take_tail_back(recorder: _Recorder) -> None:
    state = recorder.state
    player = state.players[state.seat]
    placed = state.placement
    count = placed.pieces - placed.omitted
    kinds = player.kinds[:count]
    back = tuple(zip(player.cells, kinds, strict=False))
    camels = kinds.count(CAMEL) + kinds.count(LYING)
    to_set = camels * (2 if state.solo else 1)  # ruling 19: two goods per camel in a solo game
    recorder.emit(events.TailReturned(state.seat, placed.pieces, placed.omitted, back, to_set))
    _set_forced_goods(recorder)


def _set_good(state: State, command: SetGood) -> _Recorder:
    colour, cell = command.colour, command.cell
    if colour not in INDEX:
        raise IllegalMove("unknown_colour", "refusal.unknown_colour", colours=COLOURS)
    if not state.market[INDEX[colour]]:
        raise IllegalMove("market_lacks", "refusal.market_lacks", colour=colour)
    if state.board.colours[legal_commands.check_cell(state.board, cell)] != colour:
        raise IllegalMove("wrong_cell", "refusal.wrong_cell", colour=colour)
    if state.ground[cell] != FREE:
        raise IllegalMove("occupied", "refusal.occupied")
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(events.GoodSetOnBoard(state.seat, colour, cell))
    announce_empty_market(recorder)
    _set_forced_goods(recorder)
    return recorder


def _set_forced_goods(recorder: _Recorder) -> None:
    """Set goods while only one command is possible; begin the next turn when none is left to set.

    Goods that cannot be set anywhere are skipped (ruling 11). If the seat has a choice, return.
    """
    while recorder.state.to_set:
        possible = legal_commands.legal_settings(recorder.state)
        forced = next(possible, None)
        if forced is None:
            break
        if next(possible, None) is not None:
            return
        recorder.emit(events.GoodSetOnBoard(recorder.state.seat, forced.colour, forced.cell))
        announce_empty_market(recorder)
    begin_next_turn(recorder)


# --- 5 End of game --------------------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings, best first, or None before the game is over."""
    return standings(state)


# --- the handlers of commands by step -------------------------------------------------------

_STEPS: dict[str, dict[type, Callable[..., _Recorder]]] = {
    "start": {StartAt: _start_at},
    "place": {LayBlock: _lay_block, PlaceCamel: _place_camel, LayCamelDown: _lay_camel_down},
    "take": {TakeFrom: _take_from},
    "set": {SetGood: _set_good},
}


if TYPE_CHECKING:
    from domain.games.caravanserai import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
