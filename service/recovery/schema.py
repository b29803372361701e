"""Request and response bodies of the recovery routes."""

from typing import Annotated

from msgspec import Meta

from domain.presentation.schemas import RecoveryAnswer
from service.http.schema import Answer, Body, SeatNumber

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
    """The new PIN of one of your seats.

    ``pin``: null removes the current PIN.
    """

    seat: SeatNumber
    pin: Pin | None


class RecoverBySeatPin(Body, frozen=True):
    """The seat to move to this device.

    ``table``: the table code; ``pin``: the PIN of the seat.
    """

    table: TypedCode
    seat: SeatNumber
    pin: Pin


class AskSeatRecovery(Body, frozen=True):
    """A request to move a seat to another device.

    ``seat``: your seat; ``about``: the seat to move; ``code``: the code that the other device
    shows.
    """

    seat: SeatNumber
    about: SeatNumber
    code: TypedCode


class AnswerSeatRecovery(Body, frozen=True):
    """Your answer to a request to move a seat to another device.

    ``seat``: your seat; ``about``: the seat to be moved; ``accept``: true to agree, false to
    decline. If you made the request, declining withdraws it.
    """

    seat: SeatNumber
    about: SeatNumber
    accept: bool


class ObjectToSeatRecovery(Body, frozen=True):
    """An objection to the recovery of your seat."""

    seat: SeatNumber


class SeatPinAnswer(Answer, frozen=True):
    """The PIN status of a seat, which only its holder can see.

    ``chosen``: whether the seat has a PIN; ``table``: the table code, which is needed in addition
    to the PIN; ``tries_left``: the number of wrong tries left for the seat, 0 to 5.
    """

    seat: int
    chosen: bool
    table: str
    tries_left: int


class TableRecoveryAnswer(Answer, frozen=True):
    """The seat recovery status of a match, for players with a seat in it.

    ``table``: the table code, in a form suitable for reading out; ``seats``: the seats whose
    players you could let back in; ``reason``: a sentence that explains why there are none if nobody
    else plays in the match, otherwise null; ``recovery``: the open request, null if there is none.
    """

    table: str
    seats: list[int]
    reason: str | None
    recovery: RecoveryAnswer | None


class SeatCodeAnswer(Answer, frozen=True):
    """A device code, to be typed or scanned by another player at your table.

    ``url``: the link for the other player to open; ``qr``: its QR code as a data URL (SVG);
    ``expires``: when the code expires (RFC 3339, UTC). The code is valid for one request.
    """

    code: str
    url: str
    qr: str
    expires: str


class SeatCodeUse(Answer, frozen=True):
    """The match and seat for which this device's code was used; both are null if it is unused."""

    match: str | None
    seat: int | None
