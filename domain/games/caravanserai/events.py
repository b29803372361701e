"""Events of Caravanserai. Ships to the browser."""

from msgspec import Struct

from domain.contract.game import Seat, leaf_classes
from domain.games.caravanserai.pieces import Cell, Colour


class Event(Struct, frozen=True, tag=True, gc=False):
    """Base class of the game's events."""


class SeatEvent(Event, frozen=True):
    """Base class of the events of one seat."""

    seat: Seat


class BoardLaid(Event, frozen=True):
    """The board, the market and the starting reserves were set up.

    ``tiles``: ``(u, v, tile id, rotation)`` in tile-axial coordinates; ``cells``:
    ``(q, r, colour or None, zone)``, sorted by ``(r, q)``; ``tile_of``: for each cell the index of
    its tile; ``market``: number of goods by colour; every seat has ``camels`` camels and
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


class GoodsSetOut(Event, frozen=True):
    """Goods from the market were set on these cells, each on its own colour (2 D)."""

    cells: tuple[Cell, ...]


class FirstPlayerDrawn(SeatEvent, frozen=True):
    """The first player was drawn (3); without this event seat 0 begins."""


class RoundLimitSet(Event, frozen=True):
    """A limit was set on consecutive full rounds without a market change (ruling 28).

    Without this event a match has no such limit.
    """

    rounds: int


class CaravanStarted(SeatEvent, frozen=True):
    """A seat placed its first camel on the board."""

    cell: Cell


class TurnBegan(SeatEvent, frozen=True):
    """A seat's turn began. Turns and rounds are numbered from 1."""

    turn: int
    round: int


class TurnSkipped(SeatEvent, frozen=True):
    """A seat was skipped because it could not place anything (7.2).

    ``why``: "no-camel" or "blocked".
    """

    turn: int
    round: int
    why: str


class GoodReturned(SeatEvent, frozen=True):
    """A standing good on the path of a block went back to the market (4.1 b, ruling 24)."""

    colour: Colour
    cell: Cell


class BlockLaid(SeatEvent, frozen=True):
    """A block was laid. ``used``: the cells whose standing good became part of it.

    ``omitted``: whether the count omits it; ``why``: the reason, with message key ``"why-" + why``.
    """

    colour: Colour
    path: tuple[Cell, ...]
    used: tuple[Cell, ...]
    omitted: bool
    why: str


class CamelLaidDown(SeatEvent, frozen=True):
    """A lying camel was placed instead of a block of ``size`` goods."""

    cell: Cell
    size: int


class CamelPlaced(SeatEvent, frozen=True):
    """The new leading camel was placed, completing the placement."""

    cell: Cell


class GoodsTaken(SeatEvent, frozen=True):
    """A seat took a good into its reserve because its camel is on a caravanserai cell.

    ``source``: "market", "standing" (the good stood on the cell) or "opponent" (given by ``whom``).
    """

    colour: Colour
    source: str
    cell: Cell
    whom: Seat | None = None


class GoodMissed(SeatEvent, frozen=True):
    """The market lacks a colour that several opponents have; the seat must choose an opponent."""

    colour: Colour
    cell: Cell


class TailReturned(SeatEvent, frozen=True):
    """The rearmost ``pieces - omitted`` pieces of the caravan were returned (4.2, 4.3).

    ``pieces`` and ``omitted``: pieces laid this turn and how many of them the count omits;
    ``back``: ``(cell, kind)`` of each returned piece, tail first; ``to_set``: number of goods to
    set on the board for returned camels.
    """

    pieces: int
    omitted: int
    back: tuple[tuple[int, str], ...]
    to_set: int


class GoodSetOnBoard(SeatEvent, frozen=True):
    """A good from the market was set on a caravanserai cell."""

    colour: Colour
    cell: Cell


class MarketEmptied(SeatEvent, frozen=True):
    """The last good left the market: the game ends after turn ``last_turn`` (ruling 13).

    ``seat``: the seat to act at that time.
    """

    last_turn: int


class EndAnnounced(Event, frozen=True):
    """The end was announced: the game ends after ``rounds`` more rounds without a market change.

    A market change cancels it.
    """

    rounds: int


class FinalRoundBegan(Event, frozen=True):
    """The final round began, in which every seat has one last turn."""

    round: int


class GameEnded(Event, frozen=True):
    """The game ended. ``reason``: "market", "camels" (solo), "stuck" or "unchanged" (ruling 28).

    ``ranking``: ``(seat, length of its caravan, pieces in its reserve)``, the winner first.
    """

    reason: str
    ranking: tuple[tuple[int, int, int], ...]


EVENTS = leaf_classes(Event)
