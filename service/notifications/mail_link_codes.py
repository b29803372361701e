"""Codes in the links of mails: signed with a secret of the store, so they need not be stored."""

import hmac
from base64 import urlsafe_b64encode

from service.notifications.mailboxes import mailbox_of_address
from service.store import Store
from service.store.secret import load_secret

_SECRET_NAME = "notices"
_MAC_CHARS = 24
"""Length of the signature in a code, in characters; it follows the id and a hyphen."""
OBJECT_PURPOSE = "object"
"""The purpose of a link to object to a seat recovery. Its id is "MATCH.SEAT.VERSION" with the
version of the request."""


CONFIRM_PURPOSE, STOP_PURPOSE, ALLOW_PURPOSE = "confirm", "stop", "allow"
"""Purposes of codes: confirm a mail channel (by its id), stop mails (by the hash of the mailbox,
in older mails by the id of the channel), allow them again (by the hash)."""


class MailLinkCodes:
    """Makes and checks the codes of one store. ``secret``: the signing key."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def load(cls, store: Store, now: int) -> "MailLinkCodes":
        """Return the codes of a store; workers that start at once all get the same secret."""
        return cls(bytes.fromhex(load_secret(store, _SECRET_NAME, now).value))

    def make_code(self, way: str, purpose: str) -> str:
        """Make the code of an id for a purpose: the id, a hyphen and a signature."""
        mac = hmac.digest(self._secret, f"{purpose}:{way}".encode(), "sha256")[:18]
        return f"{way}-{urlsafe_b64encode(mac).decode()}"

    def mailbox_hash(self, address: str) -> str:
        """Return the keyed hash under which the mailbox of an address is stored: 32 hex digits.

        The key prevents guessing addresses from a copy of the database.
        """
        mac = hmac.digest(self._secret, f"mailbox:{mailbox_of_address(address)}".encode(), "sha256")
        return mac[:16].hex()

    def read_code(self, code: str, purpose: str) -> str | None:
        """Return the id that a code was made for; None if the code is invalid."""
        code_id = code[: -_MAC_CHARS - 1]
        right = hmac.compare_digest(code.encode(), self.make_code(code_id, purpose).encode())
        return code_id if right else None
