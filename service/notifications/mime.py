"""MIME messages whose headers are safe from injection.

This module imports only the standard library, so that the tests can run it with every supported
version of Python: versions differ in how they fold headers and in which values they accept.
"""

import re
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

_MAX_LINE_BYTES = 998
"""Maximum bytes of a header line without its line break (RFC 5322, 2.1.1)."""
_UNFOLDED_HEADERS = (
    "list-unsubscribe",
    "list-unsubscribe-post",
    "auto-submitted",
    "message-id",
    "to",
)
"""Headers that are never folded. Python would fold long values into encoded words, which RFC 8058
does not allow."""
_PRINTABLE_PATTERN = re.compile(r"[\x20-\x7e]*")
_ADDRESS_PATTERN = re.compile(r"[^\s@\"\\(),:;<>\[\]\x00-\x20\x7f-\U0010ffff]+")
_BARE_LINE_BREAK = re.compile(rb"\r\n(?![\t ])|\r(?!\n)|(?<!\r)\n|\x00")
_LINE_END = b"\r\n"


class UnsafeHeader(MessageError, ValueError):
    """Error for an invalid header value, which might inject a header or be unreadable."""


class _Policy(EmailPolicy):
    """An email policy that never folds `_UNFOLDED_HEADERS` and rejects unsafe values.

    Values with bare line breaks or null characters and overlong lines raise `UnsafeHeader`.
    """

    def fold(self, name: str, value: Any) -> str:
        return self.fold_binary(name, value).decode("ascii", "surrogateescape")

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name.lower() in _UNFOLDED_HEADERS:
            if not _PRINTABLE_PATTERN.fullmatch(str(value)):
                raise UnsafeHeader(name)
            folded = f"{name}: {value}".encode() + _LINE_END
        else:
            folded = super().fold_binary(name, value)
        body = folded.removesuffix(_LINE_END)
        if _BARE_LINE_BREAK.search(body) or max(map(len, body.split(_LINE_END))) > _MAX_LINE_BYTES:
            raise UnsafeHeader(name)
        return folded


POLICY = _Policy(linesep="\r\n", cte_type="7bit")


def new_mail(
    sender: tuple[str, str], to: str, subject: str, headers: Mapping[str, str]
) -> EmailMessage:
    """Create an email without content.

    ``sender``: name and address; ``to``: a normalised address in ASCII; ``subject``: any text;
    ``headers``: further headers in printable ASCII. Raises `UnsafeHeader` for an invalid address or
    header.
    """
    mail = EmailMessage(policy=POLICY)
    name, address = sender
    mail["From"] = Address(_to_single_line(name), *_split_address(address))
    mail["To"] = (Address("", *_split_address(to)),)
    mail["Subject"] = _to_single_line(subject)
    for header, value in headers.items():
        if not _PRINTABLE_PATTERN.fullmatch(value):
            raise UnsafeHeader(header)
        mail[header] = value
    return mail


def serialize_mail(mail: EmailMessage) -> bytes:
    """Serialise an email; raise `UnsafeHeader` if one of its headers is invalid."""
    return mail.as_bytes(policy=POLICY)


def _split_address(address: str) -> tuple[str, str]:
    user, _, domain = address.rpartition("@")
    if "=?" in address or not (
        _ADDRESS_PATTERN.fullmatch(user) and _ADDRESS_PATTERN.fullmatch(domain)
    ):
        raise UnsafeHeader("address")
    return user, domain


def _to_single_line(text: str) -> str:
    """Replace line breaks and control characters with spaces, and break up encoded words.

    Python decodes encoded words when a header is set, which could produce line breaks.
    """
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.replace("=?", "= ?").split())
