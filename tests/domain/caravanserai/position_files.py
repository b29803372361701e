"""Position files written from states; the game itself only reads them."""

from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import State, current_step, standing_cells


def dump_position(state: State) -> dict[str, Any]:
    """Return a state as a position file.

    Raises ValueError if the state is not at the start of a turn.
    """
    if current_step(state) != "place" or state.placement.laid:
        raise ValueError("a position file holds a moment at the start of a turn")
    cells = state.board.cells
    return {
        "expert": state.expert,
        "solo": state.solo,
        "cells": [list(cell) for cell in cells],
        "standing": [list(cells[cell][:2]) for cell in standing_cells(state)],
        "market": dict(zip(COLOURS, state.market, strict=True)),
        "players": [
            {
                "camels": player.camels,
                "goods": dict(zip(COLOURS, player.goods, strict=True)),
                "caravan": [
                    [*cells[cell][:2], kind]
                    for cell, kind in zip(player.cells, player.kinds, strict=True)
                ],
            }
            for player in state.players
        ],
        "to_move": state.seat,
    }
