"""Web Push: messages to the service worker of a device, also while no page is open.

A message is encrypted for the device (RFC 8291, by `http_ece`), and the service identifies itself
by a signed token (VAPID, RFC 8292, by `py_vapid`). Its key comes from the settings, or is made at
the first start and stored.
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

from service.notifications.channels import Way
from service.notifications.message import Message
from service.notifications.safe_http import Answer, Outside
from service.settings import BadSetting, Settings
from service.store import Store
from service.store.secret import secret_of

_NAME = "vapid"
_HOUR = 3600
_DAY = 24 * _HOUR
_APPLE = "push.apple.com"


class Subscription(Struct, frozen=True):
    """The keys of a push subscription in base64url: ``p256dh`` public key, ``auth`` secret."""

    p256dh: str
    auth: str


_subscription = msgspec.json.Decoder(Subscription).decode


class Gone(Struct, frozen=True):
    """The withdrawal of a notification.

    ``tag``: the tag of its message; ``waiting``: how many matches still wait for the player.
    """

    tag: str
    waiting: int


class Pusher:
    """Sends messages to push services.

    ``key``: the VAPID key of this service, P-256; ``subject``: the URL or mailto: address where a
    push service can reach the operator.
    """

    def __init__(self, outside: Outside, key: ec.EllipticCurvePrivateKey, subject: str) -> None:
        self._outside = outside
        self._vapid = Vapid02(key)
        self._subject = subject
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = urlsafe_b64encode(point).rstrip(b"=").decode()

    @classmethod
    def of(cls, store: Store, settings: Settings, outside: Outside, now: int) -> "Pusher":
        """Create a pusher with the key of the settings, else with that of the store.

        The store's key is made at the first start.
        """
        public = settings.public_url if settings.public_url.startswith("https:") else ""
        subject = settings.vapid_subject or _origin(public) or "mailto:nobody@example.org"
        return cls(outside, _key(settings.vapid_key or _stored(store, now)), subject)

    async def tell(self, way: Way, message: Message) -> Answer:
        """Send a message for the device to show."""
        shown = {
            "title": message.title,
            "body": message.body,
            "url": message.path,
            "tag": message.tag,
            "waiting": message.waiting,
            "lang": way.language,
        }
        urgency = "low" if message.kind in ("word", "over") else "high"
        return await self._send(way, shown, message.tag, urgency)

    async def withdraw(self, way: Way, gone: Gone) -> Answer:
        """Withdraw a message: replace it if undelivered, close it if shown.

        Does nothing for Apple's devices, which do not tolerate messages that show nothing.
        """
        if (urlsplit(way.address).hostname or "").endswith(_APPLE):
            return Answer(200)
        return await self._send(way, {"gone": gone.tag, "waiting": gone.waiting}, gone.tag, "low")

    async def _send(self, way: Way, what: object, tag: str, urgency: str) -> Answer:
        subscription = _subscription(way.secret)
        body = http_ece.encrypt(
            msgspec.json.encode(what),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decoded(subscription.p256dh),
            auth_secret=decoded(subscription.auth),
            version="aes128gcm",
        )
        headers = {
            **self._vapid.sign({"aud": _origin(way.address), "sub": self._subject}),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_DAY),
            "Urgency": urgency,
            # A later message with the same topic replaces one that the push service still holds.
            "Topic": hashlib.sha256(tag.encode()).hexdigest()[:32],
        }
        pool = self._outside.pool_of_push(way.address)
        return await self._outside.send(way.address, headers, body, player=way.player, pool=pool)


def decoded(text: str) -> bytes:
    """Decode base64url with or without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_subscription(subscription: Subscription) -> bool:
    """Tell whether a message can be encrypted for a subscription."""
    try:
        point = decoded(subscription.p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return len(decoded(subscription.auth)) == 16
    except ValueError:
        return False


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _key(text: str) -> ec.EllipticCurvePrivateKey:
    try:
        number = int.from_bytes(decoded(text), "big")
        return ec.derive_private_key(number, ec.SECP256R1())
    except ValueError:
        raise BadSetting("VAPID_KEY must be 32 bytes of base64url") from None


def _stored(store: Store, now: int) -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    made = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    return secret_of(store, _NAME, now, made).value
