"""Codes in email links, which are signed with a secret of the store and so need not be stored."""

import hmac
from base64 import urlsafe_b64encode

from service.notifications.mailboxes import mailbox_of_address
from service.store import Store
from service.store.secret import load_secret

_SECRET_NAME = "notices"
_MAC_CHARS = 24
"""Number of characters of the signature at the end of a code, after the id and a hyphen."""
OBJECT_PURPOSE = "object"
"""Purpose of the link for objecting to a seat recovery. Its codes are made for the id
"MATCH.SEAT.VERSION" with the version of the recovery request."""


CONFIRM_PURPOSE, STOP_PURPOSE, ALLOW_PURPOSE = "confirm", "stop", "allow"
"""Purposes of codes: confirm an email channel (by its id), stop emails (by the hash of the mailbox,
or in older emails by the id of the channel), and allow them again (by the hash of the mailbox)."""


class MailLinkCodes:
    """Maker and checker of the codes of one store. ``secret``: the signing key."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def load(cls, store: Store, now: int) -> "MailLinkCodes":
        """Return the codes of a store, creating its secret if there is none yet.

        Workers that start at the same time get the same secret. ``now``: milliseconds since 1970
        UTC.
        """
        return cls(bytes.fromhex(load_secret(store, _SECRET_NAME, now).value))

    def make_code(self, way: str, purpose: str) -> str:
        """Make the code for an id and a purpose: the id, a hyphen and a signature of both.

        ``way``: the id, such as that of a channel or the hash of a mailbox.
        """
        mac = hmac.digest(self._secret, f"{purpose}:{way}".encode(), "sha256")[:18]
        return f"{way}-{urlsafe_b64encode(mac).decode()}"

    def mailbox_hash(self, address: str) -> str:
        """Return the keyed hash that identifies the mailbox of an address: 32 hex digits.

        The key prevents anyone with a copy of the database from testing guessed addresses.
        """
        mac = hmac.digest(self._secret, f"mailbox:{mailbox_of_address(address)}".encode(), "sha256")
        return mac[:16].hex()

    def read_code(self, code: str, purpose: str) -> str | None:
        """Return the id that a code was made for; None if the code is invalid."""
        code_id = code[: -_MAC_CHARS - 1]
        right = hmac.compare_digest(code.encode(), self.make_code(code_id, purpose).encode())
        return code_id if right else None
