"""View of Caravanserai, the same for all viewers. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat, Viewer
from domain.games.caravanserai.board import Board
from domain.games.caravanserai.legal_commands import block_sizes, can_lie_down
from domain.games.caravanserai.pieces import COLOURS, Cell
from domain.games.caravanserai.scoring import count_reserve, solo_level
from domain.games.caravanserai.state import Player, State, current_step, standing_cells
from domain.games.caravanserai.turns import rounds_left

_MAX_CACHED_LAYOUTS = 128
_layouts: dict[int, tuple[Board, dict[str, Any]]] = {}
"""Cache by the ``id`` of a board; it keeps the board alive so that its ``id`` is not reused."""


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON values; nothing is hidden from any viewer.

    Fields beyond the public contract: ``names``: cell names; ``tiles``: ``[u, v, id, rotation]``;
    ``tile_of``: the tile index of each cell; ``step``: "start", "place", "take", "set" or "over";
    ``ending``: whether the market has run out; ``first``: the seat with which every round begins;
    ``round_limit``: number of consecutive rounds without a market change that end the game, or
    None; ``rounds_left``: number of rounds until then, including the current one, once that end is
    announced, otherwise None. The ``caravan`` of the seat to act includes the pieces laid this
    turn.
    """
    board = state.board
    seats = len(state.players)
    return {
        **_layout(board),
        "standing": [list(board.cells[cell][:2]) for cell in standing_cells(state)],
        "market": _by_colour(state.market),
        "players": [_player(state, seat, player) for seat, player in enumerate(state.players)],
        "placement": _placement(state),
        "final_round": state.last_turn > 0 and state.turn > state.last_turn - seats,
        "ending": state.last_turn > 0,
        "expert": state.expert,
        "solo": state.solo,
        "first": state.first,
        "turn": state.turn,
        "round": (state.turn + seats - 1) // seats,
        "to_move": None if state.ranking is not None else state.seat,
        "step": current_step(state),
        "missing": state.missing,
        "to_set": state.to_set,
        "reason": state.reason,
        "level": solo_level(len(state.players[0].cells)) if state.solo else None,
        "round_limit": state.round_limit or None,
        "rounds_left": rounds_left(state),
    }


def _layout(board: Board) -> dict[str, Any]:
    """Return the board's part of the view, cached; callers must not modify the lists.

    The cache is keyed by identity: comparing boards would take longer than building the lists.
    """
    known = _layouts.get(id(board))
    if known is None or known[0] is not board:
        if len(_layouts) >= _MAX_CACHED_LAYOUTS:
            _layouts.clear()
        lists = {
            "cells": [list(cell) for cell in board.cells],
            "names": list(board.names),
            "tiles": [list(tile) for tile in board.tiles],
            "tile_of": list(board.tile_of),
        }
        known = _layouts[id(board)] = board, lists
    return known[1]


def _by_colour(goods: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(COLOURS, goods, strict=True))


def _player(state: State, seat: Seat, player: Player) -> dict[str, Any]:
    return {
        "seat": seat,
        "camels": player.camels,
        "goods": _by_colour(player.goods),
        "caravan": _pieces(state, player.cells, player.kinds),
        "length": len(player.cells),
        "reserve": count_reserve(player),
    }


def _pieces(state: State, cells: tuple[Cell, ...], kinds: tuple[str, ...]) -> list[list[Any]]:
    board = state.board
    return [[*board.cells[cell][:2], kind] for cell, kind in zip(cells, kinds, strict=True)]


def _placement(state: State) -> dict[str, Any] | None:
    """Return the pieces laid this turn, their count, and the pieces to be returned for them.

    ``cells``: ``[q, r, kind]`` in the order laid; ``blocks``: each block, lying camel or leading
    camel, with whether it is omitted and why (message key ``"why-" + why``); ``count``: the count
    so far; ``count_with_camel`` and ``gives_back``: the count and the returned pieces if the
    leading camel comes next, or has been placed; ``sizes``: allowed sizes of the next block. Return
    None while caravans are started and after the game is over.
    """
    if state.turn == 0 or state.ranking is not None:
        return None
    placed = state.placement
    player = state.players[state.seat]
    count = placed.pieces - placed.omitted
    whole = count if placed.closed else count + 1
    cells = [(cell, laid.kind) for laid in placed.laid for cell in laid.path]
    return {
        "seat": state.seat,
        "cells": _pieces(state, tuple([c for c, _ in cells]), tuple([k for _, k in cells])),
        "blocks": [
            {
                "kind": laid.kind,
                "size": len(laid.path),
                "cells": list(laid.path),
                "omitted": laid.omitted,
                "why": laid.why,
            }
            for laid in placed.laid
        ],
        "pieces": placed.pieces,
        "omitted": placed.omitted,
        "count": count,
        "count_with_camel": whole,
        "gives_back": []
        if placed.returned
        else _pieces(state, player.cells[:whole], player.kinds[:whole]),
        "sizes": [] if placed.closed else list(block_sizes(state)),
        "may_lie_down": not placed.closed and can_lie_down(state),
        "lying_used": placed.lying,
        "closed": placed.closed,
    }
