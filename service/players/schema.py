"""Request and response bodies of the routes about players and devices."""

from typing import Annotated, Literal

from msgspec import Meta

from service.http.schema import Answer, Body, Name, Replace


class NewPlayer(Body, frozen=True):
    """The name of a new player."""

    name: Name


class NewName(Body, frozen=True):
    """The new name of the caller's player."""

    name: Name


class ClaimLink(Body, frozen=True):
    """The code of a device link with which to sign in on this device."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class RecoverPlayer(Body, frozen=True):
    """A recovery code with which to sign in on this device.

    ``code``: spaces, hyphens and upper or lower case do not matter.
    """

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class PlayerAnswer(Answer, frozen=True):
    """The player of the caller."""

    player_id: str
    name: str


class NewPlayerAnswer(Answer, frozen=True):
    """A player and the secret of this device.

    ``token``: the secret, for bearer authentication; shown only in this response.
    """

    player_id: str
    name: str
    token: str


class DeviceLink(Answer, frozen=True):
    """A one-time link for signing in as the same player on another device.

    ``url``: the link, which contains ``code``; ``qr``: its QR code as a data URL (SVG);
    ``expires``: RFC 3339, UTC.
    """

    code: str
    url: str
    qr: str
    expires: str


class AddressAnswer(Answer, frozen=True):
    """The base URL at which others can reach the service."""

    url: str


class RecoveryCode(Answer, frozen=True):
    """A code for signing in as the same player again; it is shown only in this response."""

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

    ``items``: newest first. ``recovery_code``: when the recovery code was created (RFC 3339, UTC),
    null if there is none. ``linked_by``: maps the id of a device to the id of the device whose link
    or recovery code added it, which may be signed out by now. ``revoked``: the credentials that
    this call revoked because they were created by a device that it signed out, or because it is
    unknown which device created them; ``seat_pin`` stands for one or more seat PINs.
    """

    items: list[DeviceAnswer]
    recovery_code: str | None
    linked_by: dict[str, str]
    revoked: tuple[Literal["recovery_code", "calendar", "seat_pin"], ...] = ()
