"""Commands of Caravane. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct


class Allot(Struct, frozen=True, tag=True):
    """Allot gourds to stage 1, then to stage 2; stage 3 gets the rest (ruling 10)."""

    gourds: int


class PackBags(Struct, frozen=True, tag=True):
    """Assign one food bag to each of stages 1, 2 and 3, in this order (ruling 12)."""

    bags: tuple[int, ...]


class Bid(Struct, frozen=True, tag=True):
    """Bid gourds and, with ``bag``, also the food bag of this stage."""

    gourds: int
    bag: bool = False


class Revise(Struct, frozen=True, tag=True):
    """Change or confirm a bid without a bag after bags have been announced (ruling 12)."""

    gourds: int


Command: TypeAlias = Allot | PackBags | Bid | Revise
COMMANDS: tuple[type, ...] = (Allot, PackBags, Bid, Revise)
