"""Request and response bodies of the notification routes."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from service.http.schema import Answer, Body
from service.notifications.triggers import Kind

_Url = Annotated[str, Meta(min_length=8, max_length=1000)]
_Minute = Annotated[int, Meta(ge=0, le=1439, description="Minutes after midnight.")]
_Key = Annotated[str, Meta(min_length=1, max_length=200, description="base64url")]


class PushKeys(Body, frozen=True):
    """The keys of a push subscription, as the browser returns them."""

    p256dh: _Key
    auth: _Key


class PushWay(Body, frozen=True):
    """A push subscription of this device, as the browser returns it.

    ``endpoint``: the URL of the push service; ``keys``: the keys for encrypting messages.
    """

    endpoint: _Url
    keys: PushKeys


class MailWay(Body, frozen=True):
    """An email address to add as a channel."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]


class HookWay(Body, frozen=True):
    """The URL of a chat service's incoming webhook, or of your own webhook."""

    address: _Url


class QuietHours(Body, frozen=True):
    """Quiet hours: a daily period in which only urgent notifications and reminders are sent.

    ``start``, ``end``: local times; ``zone``: an IANA time zone such as "Europe/Paris".
    """

    start: _Minute
    end: _Minute
    zone: Annotated[str, Meta(min_length=1, max_length=64)]


class NoticeWishes(Body, frozen=True):
    """Your notification preferences.

    ``kinds``: the kinds of notifications you want; ``quiet``: your quiet hours, null for none;
    ``language``: the language tag for all your channels; unchanged if null or left out.
    """

    kinds: Annotated[list[Kind], Meta(max_length=12)]
    quiet: QuietHours | None = None
    language: Annotated[str, Meta(min_length=2, max_length=35)] | None = None


class MuteMatch(Body, frozen=True):
    """Whether to mute the notifications of a match."""

    muted: bool


class WayAnswer(Answer, frozen=True):
    """A channel through which you get notifications.

    ``way``: its kind. ``name``: the device for push, the address for email, and otherwise the host.
    ``this``: whether it is the calling device. ``confirmed``: false for an email address until you
    have followed the link in the confirmation email. ``created``: RFC 3339, UTC. ``problem``: the
    HTTP status of the last failure, "0" if there was no response, "refused" if the address is not
    public; left out if the last delivery succeeded. ``paused_until``: the end of the pause after
    repeated failures, in which nothing is sent through the channel (RFC 3339, UTC); left out if it
    is not paused.
    """

    id: str
    way: Literal["push", "mail", "webhook", "discord", "slack", "ntfy", "telegram", "matrix"]
    name: str
    this: bool
    confirmed: bool
    created: str
    problem: str | UnsetType = UNSET
    paused_until: str | UnsetType = UNSET


class NewWayAnswer(Answer, frozen=True):
    """A new channel.

    ``secret``: the key that signs requests to your webhook, shown only in this response; left out
    for chat services. Other fields as in `WayAnswer`.
    """

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
    """Your quiet hours.

    ``start``, ``end``: minutes after local midnight, 0 to 1439; ``zone``: an IANA time zone.
    """

    start: int
    end: int
    zone: str


class WishesAnswer(Answer, frozen=True):
    """Your notification preferences.

    ``kinds``: the kinds of notifications you want; ``quiet``: your quiet hours, null for none.
    """

    kinds: list[Kind]
    quiet: QuietAnswer | None


class OffersAnswer(Answer, frozen=True):
    """The kinds of channels that this service offers.

    ``push``: the service's public key for push subscriptions (VAPID) in base64url; ``mail``,
    ``webhook``: whether email and webhooks are available.
    """

    push: str
    mail: bool
    webhook: bool


class NoticesAnswer(Answer, frozen=True):
    """Your notification settings.

    ``offers``: the kinds of channels you can add; ``ways``: your channels, oldest first;
    ``wishes``: your preferences; ``muted``: the ids of the matches you have muted.
    """

    offers: OffersAnswer
    ways: list[WayAnswer]
    wishes: WishesAnswer
    muted: list[str]


class MuteAnswer(Answer, frozen=True):
    """Whether you have muted the notifications of a match."""

    muted: bool
