"""Commands and events of Pebbles."""

from msgspec import Struct


class CloseHand(Struct, frozen=True, tag=True):
    """Hold so many pebbles, 0 to 3."""

    pebbles: int


class TableSwept(Struct, frozen=True, tag=True):
    """The game is laid out."""

    seats: int
    rounds: int
    keep_shut: bool


class HandClosed(Struct, frozen=True, tag=True):
    """A seat holds something; None for who may not know what."""

    seat: int
    pebbles: int | None


class HandOpened(Struct, frozen=True, tag=True):
    """A seat has thought again."""

    seat: int


class PebblesCounted(Struct, frozen=True, tag=True):
    """All hands are shut and opened: what each seat gets."""

    scores: tuple[int, ...]
