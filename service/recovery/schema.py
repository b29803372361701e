"""Bodies of requests and answers about seats whose person lost their device."""

from typing import Annotated

from msgspec import Meta

from domain.answers.shapes import RecoveryAnswer
from service.base.schema import Answer, Body, SeatNumber

__all__ = [
    "AnswerSeatRecovery",
    "AskSeatRecovery",
    "ChooseSeatPin",
    "ObjectToSeatRecovery",
    "RecoverBySeatPin",
    "SeatCodeAnswer",
    "SeatCodeUse",
    "SeatPinAnswer",
    "TableRecoveryAnswer",
]

Pin = Annotated[
    str, Meta(min_length=6, max_length=6, description="Six digits.", examples=["482915"])
]
TypedCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        description="Eight letters and digits; blanks, hyphens and capitals do not matter.",
    ),
]


class ChooseSeatPin(Body, frozen=True):
    """The PIN of a seat of yours; null takes it away."""

    seat: SeatNumber
    pin: Pin | None


class RecoverBySeatPin(Body, frozen=True):
    """The code of the table, the seat and its PIN."""

    table: TypedCode
    seat: SeatNumber
    pin: Pin


class AskSeatRecovery(Body, frozen=True):
    """Let the person of the seat ``about`` back in on the device that shows ``code``; ``seat`` is
    yours."""

    seat: SeatNumber
    about: SeatNumber
    code: TypedCode


class AnswerSeatRecovery(Body, frozen=True):
    """Whether your ``seat`` lets the person of the seat ``about`` back in; who asked withdraws by
    declining."""

    seat: SeatNumber
    about: SeatNumber
    accept: bool


class ObjectToSeatRecovery(Body, frozen=True):
    """The seat of yours that you keep."""

    seat: SeatNumber


class SeatPinAnswer(Answer, frozen=True):
    """Whether the seat has a PIN, to its holder only. ``table``: the code of the table, which is
    needed with it; ``tries_left``: of five, how often a PIN of this seat may still be tried."""

    seat: int
    chosen: bool
    table: str
    tries_left: int


class TableRecoveryAnswer(Answer, frozen=True):
    """What those at the table can do for somebody who lost their device. ``table``: the code of
    the table, to read out; ``seats``: those whose person you could let back in; ``reason``: why
    there are none, a sentence, else null."""

    table: str
    seats: list[int]
    reason: str | None
    recovery: RecoveryAnswer | None


class SeatCodeAnswer(Answer, frozen=True):
    """A code for those at your table: typed, or scanned as ``qr``, a data: address of a picture of
    ``url``. Good for one request until ``expires``."""

    code: str
    url: str
    qr: str
    expires: str


class SeatCodeUse(Answer, frozen=True):
    """The match and the seat for which somebody has used the code of this device; null for none."""

    match: str | None
    seat: int | None
