"""Position files: the state at the start of a turn as JSON values. Not shipped to the browser.

The format is defined by the public contract: ``{expert, solo, cells, standing, market, players,
to_move}``. A colour missing from a map of goods counts as 0; unknown fields are ignored.
"""

from typing import Any

from domain.contract.command_line import CommandFailed
from domain.games.caravanserai.board import board_of
from domain.games.caravanserai.pieces import CAMEL, COLOURS, LYING, ZONES
from domain.games.caravanserai.state import (
    STANDING,
    TAKEN,
    Player,
    State,
    cover_cells,
    empty_ground,
)
from domain.text.i18n import N_

MAX_SEATS = 6


class BadPosition(CommandFailed):
    """Error for an invalid position file; the message names the field."""

    def __init__(self, field: str, reason: str, /, **args: Any) -> None:
        super().__init__(_OF_FIELD, field=field, reason={"key": reason, "args": args})
        self.text_domain = "caravanserai"


_OF_FIELD = N_("error.field")


def load_position(obj: Any) -> State:
    """Return the state described by a position file.

    Raises `BadPosition` if the file is malformed or the position is impossible.
    """
    table = _fields(obj, "position", ("expert", "solo", "cells", "standing", "market", "players"))
    expert, solo = _flag(table, "expert"), _flag(table, "solo")
    board = board_of(_cells(table["cells"]))
    number = {cell[:2]: index for index, cell in enumerate(board.cells)}
    players = _players(table["players"], number)
    if solo and len(players) != 1:
        raise BadPosition("solo", "error.solo_players")
    ground = cover_cells(
        empty_ground(board), _standing(table["standing"], number, board.colours), STANDING
    )
    for player in players:
        if any(ground[cell] == STANDING for cell in player.cells):
            raise BadPosition("standing", "error.good_under_caravan")
        ground = cover_cells(ground, player.cells, TAKEN)
    seat = _non_negative(_fields(obj, "position", ("to_move",))["to_move"], "to_move")
    if seat >= len(players):
        raise BadPosition("to_move", "error.no_such_player")
    if players[seat].kinds[-1] != CAMEL:
        raise BadPosition(f"players[{seat}].caravan", "error.last_piece")
    market = _goods(table["market"], "market")
    return State(board, expert, solo, market, players, ground, seat=seat, turn=seat + 1)


def _fields(obj: Any, name: str, fields: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(obj, dict):
        raise BadPosition(name, "error.not_an_object")
    for field in fields:
        if field not in obj:
            raise BadPosition(field if name == "position" else f"{name}.{field}", "error.missing")
    return obj


def _flag(table: dict[str, Any], field: str) -> bool:
    value = table[field]
    if not isinstance(value, bool):
        raise BadPosition(field, "error.not_true_or_false")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise BadPosition(name, "error.not_a_list")
    return list(value)


def _integer(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadPosition(name, "error.not_a_whole_number")
    return value


def _non_negative(value: Any, name: str) -> int:
    if _integer(value, name) < 0:
        raise BadPosition(name, "error.negative")
    return int(value)


def _row(value: Any, name: str, length: int) -> list[Any]:
    row = _list(value, name)
    if len(row) != length:
        raise BadPosition(name, "error.wrong_length", length=length)
    return row


def _place(row: list[Any], name: str) -> tuple[int, int]:
    return _integer(row[0], name), _integer(row[1], name)


def _one_of(value: Any, name: str, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise BadPosition(name, "error.not_allowed", allowed=allowed)
    return value


def _cells(value: Any) -> tuple[tuple[int, int, str | None, str], ...]:
    cells: dict[tuple[int, int], tuple[int, int, str | None, str]] = {}
    for index, entry in enumerate(_list(value, "cells")):
        name = f"cells[{index}]"
        row = _row(entry, name, 4)
        place = _place(row, name)
        if place in cells:
            raise BadPosition(name, "error.listed_twice")
        colour = None if row[2] is None else _one_of(row[2], name, COLOURS)
        cells[place] = (*place, colour, _one_of(row[3], name, ZONES))
    return tuple(sorted(cells.values(), key=lambda cell: (cell[1], cell[0])))


def _on_board(row: list[Any], name: str, number: dict[Any, int]) -> int:
    place = _place(row, name)
    if place not in number:
        raise BadPosition(name, "error.not_on_board")
    return number[place]


def _standing(
    value: Any, number: dict[Any, int], colours: tuple[str | None, ...]
) -> tuple[int, ...]:
    found: list[int] = []
    for index, entry in enumerate(_list(value, "standing")):
        name = f"standing[{index}]"
        cell = _on_board(_row(entry, name, 2), name, number)
        if colours[cell] is None:
            raise BadPosition(name, "error.good_on_sand")
        if cell in found:
            raise BadPosition(name, "error.listed_twice")
        found.append(cell)
    return tuple(found)


def _goods(value: Any, name: str) -> tuple[int, ...]:
    table = _fields(value, name, ())
    for colour in table:
        _one_of(colour, name, COLOURS)
    return tuple(_non_negative(table.get(colour, 0), f"{name}.{colour}") for colour in COLOURS)


def _players(value: Any, number: dict[Any, int]) -> tuple[Player, ...]:
    rows = _list(value, "players")
    if not 1 <= len(rows) <= MAX_SEATS:
        raise BadPosition("players", "error.players_number", most=MAX_SEATS)
    players = []
    taken: set[int] = set()
    for seat, entry in enumerate(rows):
        name = f"players[{seat}]"
        table = _fields(entry, name, ("camels", "goods", "caravan"))
        camels = _non_negative(table["camels"], f"{name}.camels")
        goods = _goods(table["goods"], f"{name}.goods")
        cells, kinds = [], []
        for index, piece in enumerate(_list(table["caravan"], f"{name}.caravan")):
            where = f"{name}.caravan[{index}]"
            row = _row(piece, where, 3)
            cells.append(_on_board(row, where, number))
            if cells[-1] in taken:
                raise BadPosition(where, "error.cell_taken")
            taken.add(cells[-1])
            kinds.append(_one_of(row[2], where, (CAMEL, LYING, *COLOURS)))
        if not cells:
            raise BadPosition(f"{name}.caravan", "error.empty_caravan")
        players.append(Player(camels, goods, tuple(cells), tuple(kinds)))
    return tuple(players)
