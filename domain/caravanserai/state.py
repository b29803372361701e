"""The state of a game of Caravanserai. Ships to the browser.

Goods are counted in tuples of five, in the order of `COLOURS`.
"""

from msgspec import Struct

from domain.caravanserai.board import Board
from domain.caravanserai.events import COLOURS

INDEX = {colour: index for index, colour in enumerate(COLOURS)}


class Player(Struct, frozen=True):
    """A seat's reserve and caravan; ``cells`` and ``kinds`` of the caravan are tail first."""

    camels: int
    goods: tuple[int, ...]
    cells: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()


class Laid(Struct, frozen=True):
    """A block, or a lying or leading camel, of the placement under way."""

    kind: str
    path: tuple[int, ...]
    omitted: bool = False
    why: str = ""


class Placement(Struct, frozen=True):
    """What the seat to act has laid this turn.

    ``size``: that of the last block of the series, 0 before the first; ``colour``: that of the
    last block, None when it may be any; ``way``: the direction (0 to 5) to go on in, -1 when it
    may be any; ``lying``: whether the lying camel was used; ``closed``: whether the leading
    camel was placed; ``pieces`` and ``omitted`` make the count.
    """

    size: int = 0
    colour: str | None = None
    way: int = -1
    lying: bool = False
    closed: bool = False
    pieces: int = 0
    omitted: int = 0
    laid: tuple[Laid, ...] = ()


class State(Struct, frozen=True):
    """One moment of a game.

    ``standing``: cells on which a good stands (always of the cell's colour); ``turn`` is 0
    while the caravans start; ``last_turn`` is 0 until the market runs out; ``skips``: turns
    skipped in this round; ``missing``: the colour an opponent has to give; ``to_set``: goods
    still to be set on the board; ``ranking`` as in `GameEnded`.
    """

    board: Board
    expert: bool
    solo: bool
    market: tuple[int, ...]
    players: tuple[Player, ...]
    standing: tuple[int, ...] = ()
    seat: int = 0
    turn: int = 0
    last_turn: int = 0
    skips: int = 0
    placement: Placement = Placement()
    missing: str | None = None
    to_set: int = 0
    reason: str = ""
    ranking: tuple[tuple[int, int, int], ...] | None = None


def occupied(state: State) -> set[int]:
    """The cells on which a piece of a caravan lies, and -1, which stands for off the board."""
    taken = {-1}
    taken.update(*[player.cells for player in state.players])
    return taken


def more(goods: tuple[int, ...], colour: str, number: int) -> tuple[int, ...]:
    """The goods with ``number`` more of a colour (or fewer, when negative)."""
    changed = list(goods)
    changed[INDEX[colour]] += number
    return tuple(changed)


def step(state: State) -> str:
    """What the seat to act has to do: "start" a caravan, "place" (blocks and camel), "take" a
    missing good from an opponent, "set" a good on the board; "over" when the game has ended."""
    if state.ranking is not None:
        return "over"
    if state.turn == 0:
        return "start"
    if state.missing is not None:
        return "take"
    return "set" if state.to_set else "place"
