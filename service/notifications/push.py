"""Web Push: messages to the service worker of a device, also while no page is open.

A message is encrypted for the device (RFC 8291, by `http_ece`), and the service identifies itself
by a signed token (VAPID, RFC 8292, by `py_vapid`). Its key comes from the settings, or is created
at the first start and stored.
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
    """The keys of a push subscription in base64url: ``p256dh`` public key, ``auth`` secret."""

    p256dh: str
    auth: str


_decode_subscription = msgspec.json.Decoder(Subscription).decode


class PushWithdrawal(Struct, frozen=True):
    """The withdrawal of a notification.

    ``tag``: the tag of its message; ``waiting``: how many matches still wait for the player.
    """

    tag: str
    waiting: int


class PushSender:
    """Sends messages to push services.

    ``key``: the VAPID key of this service, P-256; ``subject``: the URL or mailto: address where a
    push service can reach the operator.
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
        """Create a sender with the key of the settings, else with that of the store.

        The store's key is created at the first start.
        """
        public = settings.public_url if settings.public_url.startswith("https:") else ""
        subject = settings.vapid_subject or _origin(public) or "mailto:nobody@example.org"
        return cls(
            http_client,
            _parse_private_key(settings.vapid_key or _load_or_create_key(store, now)),
            subject,
        )

    async def send_message(self, channel: Channel, message: Message) -> DeliveryResult:
        """Send a message for the device to show."""
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
        """Withdraw a message: replace it if undelivered, close it if shown.

        Does nothing for Apple's devices, which do not tolerate messages that show nothing.
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
            # A later message with the same topic replaces one that the push service still holds.
            "Topic": hashlib.sha256(tag.encode()).hexdigest()[:32],
        }
        pool = self._http_client.push_pool(channel.address)
        return await self._http_client.send(
            channel.address, headers, body, player=channel.player, pool=pool
        )


def decode_base64url(text: str) -> bytes:
    """Decode base64url with or without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_subscription(subscription: Subscription) -> bool:
    """Return whether a message can be encrypted for a subscription."""
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
