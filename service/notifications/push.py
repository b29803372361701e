"""Web Push: messages to the service worker of a device, even while no page is open.

A message is encrypted for the device (RFC 8291, by `http_ece`), and the service identifies itself
with a signed token (VAPID, RFC 8292, by `py_vapid`). The signing key comes from the settings, or is
created at the first start and stored.
"""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct
from py_vapid import Vapid02

from service.notifications.channels import Channel
from service.notifications.message import Message
from service.notifications.safe_http import DeliveryResult, SafeHttpClient
from service.settings import InvalidSetting, Settings
from service.store import Store
from service.store.secret import load_secret

_SECRET_NAME = "vapid"
_HOUR_S = 3600
_DAY_S = 24 * _HOUR_S
_APPLE_HOST = "push.apple.com"


class Subscription(Struct, frozen=True):
    """The keys of a push subscription, both in base64url.

    ``p256dh``: the public key of the device; ``auth``: its authentication secret.
    """

    p256dh: str
    auth: str


_decode_subscription = msgspec.json.Decoder(Subscription).decode


class PushWithdrawal(Struct, frozen=True):
    """The withdrawal of a push message.

    ``tag``: the tag of the message; ``waiting``: the number of matches that still wait for the
    player.
    """

    tag: str
    waiting: int


class PushSender:
    """Sender of messages to push services.

    ``key``: the VAPID key of this service, on the curve P-256; ``subject``: a URL or mailto:
    address at which a push service can reach the operator.
    """

    def __init__(
        self, http_client: SafeHttpClient, key: ec.EllipticCurvePrivateKey, subject: str
    ) -> None:
        self._http_client = http_client
        self._vapid = Vapid02(key)
        self._subject = subject
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = urlsafe_b64encode(point).rstrip(b"=").decode()

    @classmethod
    def load(
        cls, store: Store, settings: Settings, http_client: SafeHttpClient, now: int
    ) -> "PushSender":
        """Create a sender with the key from the settings or, without one, from the store.

        The store's key is created at the first start; ``now``: milliseconds since 1970 UTC. Raises
        `InvalidSetting` if VAPID_KEY is invalid.
        """
        public = settings.public_url if settings.public_url.startswith("https:") else ""
        subject = settings.vapid_subject or _origin(public) or "mailto:nobody@example.org"
        return cls(
            http_client,
            _parse_private_key(settings.vapid_key or _load_or_create_key(store, now)),
            subject,
        )

    async def send_message(self, channel: Channel, message: Message) -> DeliveryResult:
        """Send a message that the device shows as a notification."""
        shown = {
            "title": message.title,
            "body": message.body,
            "url": message.path,
            "tag": message.tag,
            "waiting": message.waiting,
            "lang": channel.language,
        }
        urgency = "low" if message.kind in ("word", "over") else "high"
        return await self._post(channel, shown, message.tag, urgency)

    async def withdraw(self, channel: Channel, withdrawal: PushWithdrawal) -> DeliveryResult:
        """Withdraw a message: replace it if it is undelivered, close it if it is shown.

        For Apple's push service, does nothing and returns success: Apple revokes subscriptions that
        receive messages without showing a notification.
        """
        if (urlsplit(channel.address).hostname or "").endswith(_APPLE_HOST):
            return DeliveryResult(200)
        return await self._post(
            channel, {"gone": withdrawal.tag, "waiting": withdrawal.waiting}, withdrawal.tag, "low"
        )

    async def _post(
        self, channel: Channel, payload: object, tag: str, urgency: str
    ) -> DeliveryResult:
        subscription = _decode_subscription(channel.secret)
        body = http_ece.encrypt(
            msgspec.json.encode(payload),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode_base64url(subscription.p256dh),
            auth_secret=decode_base64url(subscription.auth),
            version="aes128gcm",
        )
        headers = {
            **self._vapid.sign({"aud": _origin(channel.address), "sub": self._subject}),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_DAY_S),
            "Urgency": urgency,
            # A new message replaces one with the same topic that is still at the push service.
            "Topic": hashlib.sha256(tag.encode()).hexdigest()[:32],
        }
        pool = self._http_client.push_pool(channel.address)
        return await self._http_client.send(
            channel.address, headers, body, player=channel.player, pool=pool
        )


def decode_base64url(text: str) -> bytes:
    """Decode base64url with or without padding; raise ValueError if it is invalid."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_subscription(subscription: Subscription) -> bool:
    """Return whether the keys of a subscription are valid, so that messages can be encrypted."""
    try:
        point = decode_base64url(subscription.p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return len(decode_base64url(subscription.auth)) == 16
    except ValueError:
        return False


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _parse_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    try:
        number = int.from_bytes(decode_base64url(text), "big")
        return ec.derive_private_key(number, ec.SECP256R1())
    except ValueError:
        raise InvalidSetting("VAPID_KEY must be 32 bytes of base64url") from None


def _load_or_create_key(store: Store, now: int) -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    made = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    return load_secret(store, _SECRET_NAME, now, made).value
