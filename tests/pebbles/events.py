"""Commands and events of Pebbles."""

from msgspec import Struct


class CloseHand(Struct, frozen=True, tag=True):
    """Hold this many pebbles, 0 to 3."""

    pebbles: int


class TableSwept(Struct, frozen=True, tag=True):
    """The game is set up."""

    seats: int
    rounds: int
    keep_shut: bool


class HandClosed(Struct, frozen=True, tag=True):
    """A seat has closed its hand; the number is None for viewers who may not know it."""

    seat: int
    pebbles: int | None


class HandOpened(Struct, frozen=True, tag=True):
    """A seat has taken its choice back."""

    seat: int


class PebblesCounted(Struct, frozen=True, tag=True):
    """All hands are opened: the points of each seat."""

    scores: tuple[int, ...]
