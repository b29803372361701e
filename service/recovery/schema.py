"""Request and answer bodies of seat recovery."""

from typing import Annotated

from msgspec import Meta

from domain.presentation.schemas import RecoveryAnswer
from service.http.schema import Answer, Body, SeatNumber

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
        description="Eight letters and digits; spaces, hyphens and case do not matter.",
    ),
]


class ChooseSeatPin(Body, frozen=True):
    """The new PIN of a seat of yours; null removes it."""

    seat: SeatNumber
    pin: Pin | None


class RecoverBySeatPin(Body, frozen=True):
    """The seat to move to this device. ``table``: code of the table; ``pin``: PIN of the seat."""

    table: TypedCode
    seat: SeatNumber
    pin: Pin


class AskSeatRecovery(Body, frozen=True):
    """A request to move the seat ``about`` to the device that shows ``code``. ``seat`` is yours."""

    seat: SeatNumber
    about: SeatNumber
    code: TypedCode


class AnswerSeatRecovery(Body, frozen=True):
    """The answer of your ``seat`` to a request to move the seat ``about`` to another device.

    ``accept``: true to agree, false to decline; the player who made the request withdraws it by
    declining.
    """

    seat: SeatNumber
    about: SeatNumber
    accept: bool


class ObjectToSeatRecovery(Body, frozen=True):
    """The seat of yours whose recovery you object to."""

    seat: SeatNumber


class SeatPinAnswer(Answer, frozen=True):
    """The PIN status of a seat, visible to its holder only.

    ``chosen``: whether the seat has a PIN; ``table``: the code of the table, which is needed
    together with the PIN; ``tries_left``: wrong tries left for this seat, 0 to 5.
    """

    seat: int
    chosen: bool
    table: str
    tries_left: int


class TableRecoveryAnswer(Answer, frozen=True):
    """The seat recovery status of a match, for players with a seat in it.

    ``table``: the code of the table, to be read out; ``seats``: seats whose players you could let
    back in; ``reason``: a sentence if nobody else plays in the match, else null; ``recovery``: the
    open request, null for none.
    """

    table: str
    seats: list[int]
    reason: str | None
    recovery: RecoveryAnswer | None


class SeatCodeAnswer(Answer, frozen=True):
    """A device code, to be typed or scanned by another player at your table.

    ``url``: the link to open; ``qr``: its QR code as a data URL (SVG). The code is valid for one
    request, until ``expires``.
    """

    code: str
    url: str
    qr: str
    expires: str


class SeatCodeUse(Answer, frozen=True):
    """The match and the seat that this device's code was used for; null while it is unused."""

    match: str | None
    seat: int | None
