"""State of a match of Caravanserai. Ships to the browser.

Numbers of goods are tuples of five, in the order of `COLOURS`. The contents of the cells are a
string, the *ground*, with a character per cell: strings are compact, and fast to index and to copy
with a change, both on the server and in the browser.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravanserai.board import Board
from domain.games.caravanserai.pieces import COLOURS, Cell, Colour

INDEX = {colour: index for index, colour in enumerate(COLOURS)}
FREE, STANDING, TAKEN = ".ox"
"""Contents of a cell: nothing, a good (always of the cell's colour), a piece of a caravan."""


class Player(Struct, frozen=True, gc=False):
    """A seat's reserve and caravan.

    ``camels`` and ``goods``: the reserve; ``cells`` and ``kinds``: the caravan's pieces, tail
    first.
    """

    camels: int
    goods: tuple[int, ...]
    cells: tuple[Cell, ...] = ()
    kinds: tuple[str, ...] = ()


class Laid(Struct, frozen=True, gc=False):
    """A part of the placement in progress: a block, a lying camel or the leading camel.

    ``kind``: a colour, "camel" or "lying"; ``omitted`` and ``why``: as in `BlockLaid`.
    """

    kind: str
    path: tuple[Cell, ...]
    omitted: bool = False
    why: str = ""


class Placement(Struct, frozen=True, gc=False):
    """The pieces that the seat to act has laid this turn.

    ``size``: the size of the last block, 0 before the first; ``colour``: the colour of the last
    block, None if the next may have any; ``way``: the direction (0 to 5) in which to continue, -1
    for any; ``lying``: whether the lying camel was used; ``closed``: whether the leading camel was
    placed; ``pieces`` and ``omitted``: number of pieces laid, and of those that the count omits;
    ``laid``: the parts laid, in order; ``returned``: whether the tail was returned.
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
    """The state of a match.

    ``ground``: the contents of each cell (`FREE`, `STANDING`, `TAKEN`), followed by a `TAKEN` that
    the index -1 (off the board) finds; ``first``: the seat with which every round begins;
    ``turn``: 0 while caravans are started; ``last_turn``: 0 until the market is empty; ``skips``:
    number of turns skipped in this round; ``missing``: the colour that an opponent must give, or
    None; ``to_set``: number of goods still to be set on the board; ``reason`` and ``ranking``: as
    in `GameEnded`, "" and None before the end.

    ``round_limit``: number of consecutive full rounds without a market change that end the game, 0
    for no limit; ``quiet``: number of such rounds before the current one, -1 once the market has
    changed in the current round.
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
    """Return the cells on which a good stands, in ascending order."""
    cells = []
    cell = state.ground.find(STANDING)
    while cell >= 0:
        cells.append(cell)
        cell = state.ground.find(STANDING, cell + 1)
    return cells


def add_goods(goods: tuple[int, ...], colour: Colour, number: int) -> tuple[int, ...]:
    """Return the goods with ``number`` added to one colour; ``number`` may be negative."""
    changed = list(goods)
    changed[INDEX[colour]] += number
    return tuple(changed)


Step: TypeAlias = Literal["start", "place", "take", "set", "over"]


def current_step(state: State) -> Step:
    """Return what the seat to act must do.

    "start": start its caravan; "place": lay blocks or place a camel; "take": choose an opponent to
    give the missing good; "set": set a good on the board; "over": the game is over.
    """
    if state.ranking is not None:
        return "over"
    if state.turn == 0:
        return "start"
    if state.missing is not None:
        return "take"
    return "set" if state.to_set else "place"
