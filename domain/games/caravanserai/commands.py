"""Commands of Caravanserai. Ships to the browser."""

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravanserai.pieces import Cell, Colour


class Command(Struct, frozen=True, tag=True, gc=False):
    """Base class of the game's commands."""


class StartAt(Command, frozen=True):
    """Start the caravan with a camel on a caravanserai cell of an outer tile (3.1)."""

    cell: Cell


class LayBlock(Command, frozen=True):
    """Lay goods of one colour along a path of cells (4.1).

    ``declined``: those cells of the path, in its order, whose standing good has the block's colour
    but is not used and goes back to the market (4.1 b).
    """

    colour: Colour
    path: tuple[Cell, ...]
    declined: tuple[Cell, ...] = ()


class LayCamelDown(Command, frozen=True):
    """Place a lying camel instead of a block (6.1, expert rules)."""

    cell: Cell


class PlaceCamel(Command, frozen=True):
    """End the placement with a camel (4.1)."""

    cell: Cell


class TakeFrom(Command, frozen=True):
    """Choose the opponent who must give the good that the market lacks (4.1 c, ruling 23)."""

    whom: Seat


class SetGood(Command, frozen=True):
    """Set a good from the market on a free caravanserai cell of its colour (4.3)."""

    colour: Colour
    cell: Cell


COMMANDS: tuple[type, ...] = tuple(Command.__subclasses__())
