"""Request and answer bodies of the routes about players and devices."""

from typing import Annotated, Literal

from msgspec import Meta

from service.http.schema import Answer, Body, Name, Replace


class NewPlayer(Body, frozen=True):
    """The name of a new player."""

    name: Name


class ClaimLink(Body, frozen=True):
    """The code of a device link to use on this device."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class RecoverPlayer(Body, frozen=True):
    """A recovery code; spaces, hyphens and upper or lower case do not matter."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class PlayerAnswer(Answer, frozen=True):
    """The player of the caller."""

    player_id: str
    name: str


class NewPlayerAnswer(Answer, frozen=True):
    """A player and the secret of this device.

    ``token``: the secret, for bearer authentication; shown only in this answer.
    """

    player_id: str
    name: str
    token: str


class DeviceLink(Answer, frozen=True):
    """A one-time link to sign in as the same player on another device.

    ``qr``: a data: URL with its QR code (SVG); ``expires``: RFC 3339, UTC.
    """

    code: str
    url: str
    qr: str
    expires: str


class AddressAnswer(Answer, frozen=True):
    """The base address at which others can reach the service."""

    url: str


class RecoveryCode(Answer, frozen=True):
    """A code to sign in as the same player again; shown only in this answer."""

    code: str


class DeviceAnswer(Answer, frozen=True):
    """A device of the caller.

    ``created``: RFC 3339, UTC; ``last_seen``: the day of its last request (YYYY-MM-DD, UTC), null
    if unknown; ``this``: whether it is the calling device.
    """

    id: str
    name: str
    created: str
    last_seen: str | None
    this: bool


class DevicesAnswer(Answer, frozen=True):
    """The devices of the caller.

    ``items``: newest first. ``recovery_code``: when the recovery code was made (RFC 3339, UTC),
    null without one. ``linked_by``: maps the id of a device to that of the device whose link or
    recovery code added it, which may be signed out by now. ``revoked``: what was revoked because
    a device that this call signed out had made it; ``seat_pin``: the PINs of some seats.
    """

    items: list[DeviceAnswer]
    recovery_code: str | None
    linked_by: dict[str, str]
    revoked: tuple[Literal["recovery_code", "calendar", "seat_pin"], ...] = ()
