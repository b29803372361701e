"""Commands of Caravane. Ships to the browser."""

from msgspec import Struct


class Command(Struct, frozen=True, tag=True):
    """Base class of the game's commands."""


class Allot(Command, frozen=True):
    """Allot gourds to stage 1, then to stage 2; stage 3 gets the rest (ruling 10)."""

    gourds: int


class PackBags(Command, frozen=True):
    """Assign one food bag to each of stages 1, 2 and 3, in this order (ruling 12)."""

    bags: tuple[int, ...]


class Bid(Command, frozen=True):
    """Bid gourds and, with ``bag``, also the food bag of this stage."""

    gourds: int
    bag: bool = False


class Revise(Command, frozen=True):
    """Change or confirm a bid without a bag after bags have been announced (ruling 12)."""

    gourds: int


COMMANDS: tuple[type, ...] = tuple(Command.__subclasses__())
