"""Bodies of requests and answers about notices."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from service.base.schema import Answer, Body
from service.notices.told import Kind

_Url = Annotated[str, Meta(min_length=8, max_length=1000)]
_Minute = Annotated[int, Meta(ge=0, le=1439, description="Minutes after midnight.")]
_Key = Annotated[str, Meta(min_length=1, max_length=200, description="base64url")]


class PushKeys(Body, frozen=True):
    """The keys of a subscription, as the browser gives them."""

    p256dh: _Key
    auth: _Key


class PushWay(Body, frozen=True):
    """A subscription of this device to a push service."""

    endpoint: _Url
    keys: PushKeys


class MailWay(Body, frozen=True):
    """A mail address."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]


class HookWay(Body, frozen=True):
    """The address of a chat's incoming webhook, or one of your own."""

    address: _Url


class QuietHours(Body, frozen=True):
    """The part of each day in which nothing is sent; ``zone``: such as "Europe/Paris"."""

    start: _Minute
    end: _Minute
    zone: Annotated[str, Meta(min_length=1, max_length=64)]


class NoticeWishes(Body, frozen=True):
    """What you want to hear, when not, and in which language (left out: as before)."""

    kinds: Annotated[list[Kind], Meta(max_length=12)]
    quiet: QuietHours | None = None
    language: Annotated[str, Meta(min_length=2, max_length=35)] | None = None


class MuteMatch(Body, frozen=True):
    """Whether to hear nothing of a match."""

    muted: bool


class WayAnswer(Answer, frozen=True):
    """A way to you; ``this``: it is the device that asks. ``problem``: what the other side said
    when it failed last ("0": nothing, "refused": it is not on the public internet).
    ``paused_until``: RFC 3339, UTC; until then nothing is sent by it, because it failed again and
    again; left out for one that is not paused."""

    id: str
    way: Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
    name: str
    this: bool
    confirmed: bool
    created: str
    problem: str | UnsetType = UNSET
    paused_until: str | UnsetType = UNSET


class NewWayAnswer(Answer, frozen=True):
    """A new way; ``secret``: the key that a webhook's messages are signed with, shown only
    here."""

    id: str
    way: str
    name: str
    this: bool
    confirmed: bool
    created: str
    problem: str | UnsetType = UNSET
    paused_until: str | UnsetType = UNSET
    secret: str | UnsetType = UNSET


class QuietAnswer(Answer, frozen=True):
    """As it was asked for."""

    start: int
    end: int
    zone: str


class WishesAnswer(Answer, frozen=True):
    """What you want to hear and when not."""

    kinds: list[Kind]
    quiet: QuietAnswer | None


class OffersAnswer(Answer, frozen=True):
    """What this service has to offer: ``push`` is its public key for subscriptions."""

    push: str
    mail: bool
    webhook: bool


class NoticesAnswer(Answer, frozen=True):
    """How you are told that something happened. ``muted``: matches you want to hear nothing of."""

    offers: OffersAnswer
    ways: list[WayAnswer]
    wishes: WishesAnswer
    muted: list[str]


class MuteAnswer(Answer, frozen=True):
    """Whether you hear nothing of a match."""

    muted: bool
