"""Web Push: messages to the service worker of a device, also while no page is open.

A message is encrypted for the device (RFC 8291, by `http_ece`) and the service says who it is by
a signed token (RFC 8292, by `py_vapid`). Its key comes from the settings or is made at the first
start and kept.
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

from service.notices.message import Message
from service.notices.outside import Answer, Outside
from service.notices.ways import Way
from service.settings import BadSetting, Settings
from service.store import Store
from service.store.secret import secret_of

_NAME = "vapid"
_HOUR = 3600
_DAY = 24 * _HOUR
_APPLE = "push.apple.com"


class Subscription(Struct, frozen=True):
    """What a device gave to be reached: its key and the secret of its subscription, base64url."""

    p256dh: str
    auth: str


_subscription = msgspec.json.Decoder(Subscription).decode


class Gone(Struct, frozen=True):
    """A notice is to be withdrawn. ``tag``: which; ``waiting``: tables that still wait."""

    tag: str
    waiting: int


class Pusher:
    """Sends to push services. ``key``: the service's own, P-256; ``subject``: whom a push
    service writes to when something is wrong."""

    def __init__(self, outside: Outside, key: ec.EllipticCurvePrivateKey, subject: str) -> None:
        self._outside = outside
        self._vapid = Vapid02(key)
        self._subject = subject
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = urlsafe_b64encode(point).rstrip(b"=").decode()

    @classmethod
    def of(cls, store: Store, settings: Settings, outside: Outside, now: int) -> "Pusher":
        """With the key of the settings, or of the store, which makes one at the first start."""
        public = settings.public_url if settings.public_url.startswith("https:") else ""
        subject = settings.vapid_subject or _origin(public) or "mailto:nobody@example.org"
        return cls(outside, _key(settings.vapid_key or _stored(store, now)), subject)

    async def tell(self, way: Way, message: Message) -> Answer:
        """Sends a message that the device shows."""
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
        """Takes a message back: one that is not delivered yet is replaced, one that is shown
        closed. Apple's devices take a message that shows nothing amiss, so they get none."""
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
            # A later message of the same takes the place of one that still waits at the service.
            "Topic": hashlib.sha256(tag.encode()).hexdigest()[:32],
        }
        pool = self._outside.pool_of_push(way.address)
        return await self._outside.send(way.address, headers, body, player=way.player, pool=pool)


def decoded(text: str) -> bytes:
    """base64url with or without its padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_subscription(subscription: Subscription) -> bool:
    """Whether a message can be encrypted for it."""
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
