"""A push service for tests.

Receives what RFC 8030 sends, checks the sender (RFC 8292) and decrypts with the keys of the device
(RFC 8291).
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.service.notifications.receivers import Got, Receiver


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def checked(got: Got, public: str, origin: str) -> None:
    """Fail if a push message violates RFC 8030 or is not signed with the service's key."""
    assert got.method == "POST"
    assert got.headers["content-encoding"] == "aes128gcm"
    assert int(got.headers["ttl"]) > 0
    assert got.headers["urgency"] in ("very-low", "low", "normal", "high")
    assert len(got.headers["topic"]) <= 32
    scheme, _, rest = got.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert parts["k"] == public
    assert Vapid02.verify(got.headers["authorization"])
    claims = json.loads(urlsafe_b64decode(parts["t"].split(".")[1] + "=="))
    assert claims["aud"] == origin
    assert claims["sub"].startswith(("mailto:", "https://"))


class Device:
    """A device with a push subscription at a receiver under a path."""

    def __init__(self, taking: Receiver, path: str) -> None:
        self.endpoint = f"{taking.url}{path}"
        self._origin = taking.url
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "endpoint": self.endpoint,
            "keys": {"p256dh": text(point), "auth": text(self._auth)},
        }

    def read(self, got: Got, public: str) -> Any:
        """Decrypt a push message; fail if it is not signed with the service's key."""
        checked(got, public, self._origin)
        plain = http_ece.decrypt(
            got.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"
        )
        return json.loads(plain)
