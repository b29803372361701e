"""Commands of Caravane. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct


class Allot(Struct, frozen=True, tag=True):
    """Set gourds aside for the seat's next stage (ruling 10); the third gets the rest."""

    gourds: int


class PackBags(Struct, frozen=True, tag=True):
    """Put one food bag on each level: the bags of stages 1, 2 and 3 (ruling 12)."""

    bags: tuple[int, ...]


class Bid(Struct, frozen=True, tag=True):
    """Bid gourds, and with ``bag`` the food bag of this stage too."""

    gourds: int
    bag: bool = False


class Revise(Struct, frozen=True, tag=True):
    """Choose the final gourds once bags are announced, for a seat that bid no bag (ruling 12)."""

    gourds: int


Command: TypeAlias = Allot | PackBags | Bid | Revise
COMMANDS: tuple[type, ...] = (Allot, PackBags, Bid, Revise)
