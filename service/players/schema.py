"""Bodies of requests and answers about players and their devices."""

from typing import Annotated, Literal

from msgspec import Meta

from service.base.schema import Answer, Body, Name, Replace


class NewPlayer(Body, frozen=True):
    """Who sits at this device."""

    name: Name


class ClaimLink(Body, frozen=True):
    """The code of a device link."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class RecoverPlayer(Body, frozen=True):
    """A recovery code; blanks, hyphens and capitals do not matter."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    replace: Replace = False


class PlayerAnswer(Answer, frozen=True):
    """A player, as they see themselves."""

    player_id: str
    name: str


class NewPlayerAnswer(Answer, frozen=True):
    """A player and the secret of this device; it is shown only here."""

    player_id: str
    name: str
    token: str


class DeviceLink(Answer, frozen=True):
    """A one-time link to become the same player on another device; ``qr``: a data: address of
    its picture."""

    code: str
    url: str
    qr: str
    expires: str


class AddressAnswer(Answer, frozen=True):
    """Where others reach the service."""

    url: str


class RecoveryCode(Answer, frozen=True):
    """A code to become the same player again; it is shown only here."""

    code: str


class DeviceAnswer(Answer, frozen=True):
    """A device of the caller's; ``this``: the one that asks. ``last_seen`` is a day."""

    id: str
    name: str
    created: str
    last_seen: str | None
    this: bool


class DevicesAnswer(Answer, frozen=True):
    """Where a player is signed in, and when their recovery code was made. ``linked_by``: by the id
    of a device, that of the device whose link or recovery code it came by, which may be signed out
    by now. ``revoked``: what ended together with devices that this call signed out, because one of
    them had made it; ``seat_pin``: the PINs of some seats."""

    items: list[DeviceAnswer]
    recovery_code: str | None
    linked_by: dict[str, str]
    revoked: tuple[Literal["recovery_code", "calendar", "seat_pin"], ...] = ()
