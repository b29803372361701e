"""Events of Caravanserai. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravanserai.pieces import Cell, Colour


class BoardLaid(Struct, frozen=True, tag=True, gc=False):
    """The board, the market and the starting sets are laid out.

    ``tiles``: ``(u, v, tile id, rotation)`` in tile-axial coordinates; ``cells``:
    ``(q, r, colour or None, zone)``, sorted by ``(r, q)``; ``tile_of``: for each cell the index
    of its tile; ``market``: goods by colour; every seat has ``camels`` camels and
    ``goods_each`` goods of each colour.
    """

    seats: int
    expert: bool
    tiles: tuple[tuple[int, int, int, int], ...]
    cells: tuple[tuple[int, int, str | None, str], ...]
    tile_of: tuple[int, ...]
    market: dict[str, int]
    camels: int = 8
    goods_each: int = 3


class GoodsSetOut(Struct, frozen=True, tag=True, gc=False):
    """Market goods stand on these cells, each on its own colour (2 D)."""

    cells: tuple[Cell, ...]


class FirstPlayerDrawn(Struct, frozen=True, tag=True, gc=False):
    """The first player was drawn (3); without this event seat 0 begins."""

    seat: Seat


class RoundLimitSet(Struct, frozen=True, tag=True, gc=False):
    """The number of full rounds without a change of the market that end the game (ruling 28).

    A game without this event has no such end.
    """

    rounds: int


class CaravanStarted(Struct, frozen=True, tag=True, gc=False):
    """A seat's first camel was placed on the board; the next seat follows."""

    seat: Seat
    cell: Cell


class TurnBegan(Struct, frozen=True, tag=True, gc=False):
    """A seat's turn began. Turns and rounds count from 1."""

    seat: Seat
    turn: int
    round: int


class TurnSkipped(Struct, frozen=True, tag=True, gc=False):
    """A seat was skipped because it cannot place anything (7.2).

    ``why``: "no-camel" or "blocked".
    """

    seat: Seat
    turn: int
    round: int
    why: str


class GoodReturned(Struct, frozen=True, tag=True, gc=False):
    """A standing good in the way of a block goes back to the market (4.1 b, ruling 24)."""

    seat: Seat
    colour: Colour
    cell: Cell


class BlockLaid(Struct, frozen=True, tag=True, gc=False):
    """A block was laid. ``used``: cells whose standing good became part of it.

    ``why``: the reason for which it is omitted from the count or counts: a key ``"why-" + why`` of
    the texts.
    """

    seat: Seat
    colour: Colour
    path: tuple[Cell, ...]
    used: tuple[Cell, ...]
    omitted: bool
    why: str


class CamelLaidDown(Struct, frozen=True, tag=True, gc=False):
    """A lying camel was placed as a block of ``size`` goods."""

    seat: Seat
    cell: Cell
    size: int


class CamelPlaced(Struct, frozen=True, tag=True, gc=False):
    """The new leading camel was placed, which completes the placement."""

    seat: Seat
    cell: Cell


class GoodsTaken(Struct, frozen=True, tag=True, gc=False):
    """A seat took a good into its reserve for a camel on a caravanserai cell.

    ``source``: "market", "standing" (it stood on the cell) or "opponent" (``whom``).
    """

    seat: Seat
    colour: Colour
    source: str
    cell: Cell
    whom: Seat | None = None


class GoodMissed(Struct, frozen=True, tag=True, gc=False):
    """The market lacks the colour and several opponents have it: the seat must choose one."""

    seat: Seat
    colour: Colour
    cell: Cell


class TailReturned(Struct, frozen=True, tag=True, gc=False):
    """The tail of the caravan was returned: ``pieces - omitted`` pieces (4.2, 4.3).

    ``back``: ``(cell, kind)`` of each, tail first; ``to_set``: number of goods to set for the
    camels.
    """

    seat: Seat
    pieces: int
    omitted: int
    back: tuple[tuple[int, str], ...]
    to_set: int


class GoodSetOnBoard(Struct, frozen=True, tag=True, gc=False):
    """A market good was set on a caravanserai cell."""

    seat: Seat
    colour: Colour
    cell: Cell


class MarketEmptied(Struct, frozen=True, tag=True, gc=False):
    """A seat took the last market good: the game ends after turn ``last_turn`` (ruling 13)."""

    seat: Seat
    last_turn: int


class EndAnnounced(Struct, frozen=True, tag=True, gc=False):
    """The market has not changed for a long time: the game ends after ``rounds`` more such rounds.

    A change of the market cancels it.
    """

    rounds: int


class FinalRoundBegan(Struct, frozen=True, tag=True, gc=False):
    """The final round began: every seat plays once more."""

    round: int


class GameEnded(Struct, frozen=True, tag=True, gc=False):
    """The game ended. ``reason``: "market", "camels" (solo), "stuck" or "unchanged" (ruling 28).

    ``ranking``: ``(seat, length of the caravan, pieces in reserve)``, the winner first.
    """

    reason: str
    ranking: tuple[tuple[int, int, int], ...]


Event: TypeAlias = (
    BoardLaid
    | GoodsSetOut
    | FirstPlayerDrawn
    | RoundLimitSet
    | CaravanStarted
    | TurnBegan
    | TurnSkipped
    | GoodReturned
    | BlockLaid
    | CamelLaidDown
    | CamelPlaced
    | GoodsTaken
    | GoodMissed
    | TailReturned
    | GoodSetOnBoard
    | MarketEmptied
    | EndAnnounced
    | FinalRoundBegan
    | GameEnded
)
EVENTS: tuple[type, ...] = (
    BoardLaid,
    GoodsSetOut,
    FirstPlayerDrawn,
    RoundLimitSet,
    CaravanStarted,
    TurnBegan,
    TurnSkipped,
    GoodReturned,
    BlockLaid,
    CamelLaidDown,
    CamelPlaced,
    GoodsTaken,
    GoodMissed,
    TailReturned,
    GoodSetOnBoard,
    MarketEmptied,
    EndAnnounced,
    FinalRoundBegan,
    GameEnded,
)
