"""State of a game of Caravanserai. Ships to the browser.

Goods are counted in tuples of five, in the order of `COLOURS`. The occupation of the cells is a
string, the *ground*, with a letter for each cell: strings are the most compact collection and among
the fastest to copy with a change and to index, here and in the browser.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravanserai.board import Board
from domain.games.caravanserai.pieces import COLOURS, Cell, Colour

INDEX = {colour: index for index, colour in enumerate(COLOURS)}
FREE, STANDING, TAKEN = ".ox"
"""Occupation of a cell: nothing, a good (always of the cell's colour), a piece of a caravan."""


class Player(Struct, frozen=True, gc=False):
    """A seat's reserve and caravan; ``cells`` and ``kinds`` of the caravan are tail first."""

    camels: int
    goods: tuple[int, ...]
    cells: tuple[Cell, ...] = ()
    kinds: tuple[str, ...] = ()


class Laid(Struct, frozen=True, gc=False):
    """A block, or a lying or leading camel, of the placement in progress."""

    kind: str
    path: tuple[Cell, ...]
    omitted: bool = False
    why: str = ""


class Placement(Struct, frozen=True, gc=False):
    """What the seat to act has laid this turn.

    ``size``: of the last block of the series, 0 before the first; ``colour``: of the last block,
    None if the next may be any; ``way``: the direction (0 to 5) in which to continue, -1 for any;
    ``lying``: whether the lying camel was used; ``closed``: whether the leading camel was placed;
    ``returned``: whether the tail was returned; ``pieces`` and ``omitted`` form the count.
    """

    size: int = 0
    colour: Colour | None = None
    way: int = -1
    lying: bool = False
    closed: bool = False
    pieces: int = 0
    omitted: int = 0
    laid: tuple[Laid, ...] = ()
    returned: bool = False


class State(Struct, frozen=True, gc=False):
    """The state of a game.

    ``ground``: for each cell its occupation (`FREE`, `STANDING`, `TAKEN`), and one more `TAKEN` at
    the end, which the index -1 (off the board) finds; ``first``: the seat that began, with which
    every round begins; ``turn``: 0 while the caravans start; ``last_turn``: 0 until the market runs
    out; ``skips``: turns skipped in this round; ``missing``: the colour that an opponent must
    give; ``to_set``: number of goods still to be set on the board; ``ranking``: as in `GameEnded`.

    ``round_limit``: number of full rounds in a row without a change of the market that end the
    game, 0 for no such end; ``quiet``: number of such rounds before the present one, -1 once the
    market has changed in this round.
    """

    board: Board
    expert: bool
    solo: bool
    market: tuple[int, ...]
    players: tuple[Player, ...]
    ground: str
    seat: Seat = 0
    turn: int = 0
    last_turn: int = 0
    skips: int = 0
    placement: Placement = Placement()
    missing: str | None = None
    to_set: int = 0
    reason: str = ""
    ranking: tuple[tuple[int, int, int], ...] | None = None
    first: int = 0
    round_limit: int = 0
    quiet: int = -1


def empty_ground(board: Board) -> str:
    """Return the ground of an empty board."""
    return FREE * len(board.cells) + TAKEN


def cover_cells(ground: str, cells: Iterable[Cell], what: str) -> str:
    """Return the ground with ``what`` on each of the cells."""
    for cell in cells:
        ground = ground[:cell] + what + ground[cell + 1 :]
    return ground


def standing_cells(state: State) -> list[Cell]:
    """Return the cells on which a good stands, in order."""
    cells = []
    cell = state.ground.find(STANDING)
    while cell >= 0:
        cells.append(cell)
        cell = state.ground.find(STANDING, cell + 1)
    return cells


def add_goods(goods: tuple[int, ...], colour: Colour, number: int) -> tuple[int, ...]:
    """Return the goods with ``number`` more of a colour (fewer if negative)."""
    changed = list(goods)
    changed[INDEX[colour]] += number
    return tuple(changed)


Step: TypeAlias = Literal["start", "place", "take", "set", "over"]


def current_step(state: State) -> Step:
    """Return what the seat to act must do.

    "start" a caravan, "place" blocks and camel, "take" a missing good from an opponent, "set" a
    good on the board; "over" when the game has ended.
    """
    if state.ranking is not None:
        return "over"
    if state.turn == 0:
        return "start"
    if state.missing is not None:
        return "take"
    return "set" if state.to_set else "place"
