"""Codes in the links of mails: they follow from a secret of the store, so none is kept."""

import hmac
from base64 import urlsafe_b64encode

from service.notices.mailboxes import mailbox_of
from service.store import Store
from service.store.secret import secret_of

_NAME = "notices"
_MAC_LENGTH = 24
"""Letters of a code that follow the id and a hyphen."""
OBJECT = "object"
"""The purpose of a link by which somebody keeps their seat. Its id is "MATCH.SEAT.VERSION", the
version being that of the request."""


CONFIRM, STOP, ALLOW = "confirm", "stop", "allow"
"""Purposes of codes: of the id of a way the first, of a mailbox the last, the second of either."""


class Codes:
    """The codes of one store."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, store: Store, now: int) -> "Codes":
        """The codes of a store; of several workers that start at once all get the same."""
        return cls(bytes.fromhex(secret_of(store, _NAME, now).value))

    def code(self, way: str, purpose: str) -> str:
        """The code of a way, or of something else with an id, for a purpose."""
        mac = hmac.digest(self._secret, f"{purpose}:{way}".encode(), "sha256")[:18]
        return f"{way}-{urlsafe_b64encode(mac).decode()}"

    def mailbox(self, address: str) -> str:
        """What a mailbox is known by where it is kept: a keyed hash, 32 digits.

        Nobody finds an address in a copy of the database by trying addresses.
        """
        mac = hmac.digest(self._secret, f"mailbox:{mailbox_of(address)}".encode(), "sha256")
        return mac[:16].hex()

    def way(self, code: str, purpose: str) -> str | None:
        """The way or mailbox that a code was made for; None for one that was not."""
        way = code[: -_MAC_LENGTH - 1]
        right = hmac.compare_digest(code.encode(), self.code(way, purpose).encode())
        return way if right else None
