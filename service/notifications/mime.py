"""MIME messages with headers that are safe from injection.

This module imports the standard library only: versions of Python differ in how they fold headers
and in what they accept, and the tests run it with each of them.
"""

import re
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

_MAX_LINE_BYTES = 998
"""Maximum length of a header line without its line break (RFC 5322, 2.1.1)."""
_UNFOLDED_HEADERS = (
    "list-unsubscribe",
    "list-unsubscribe-post",
    "auto-submitted",
    "message-id",
    "to",
)
"""Headers that are not folded. Python would fold long ones into encoded words, which RFC 8058 does
not allow."""
_PRINTABLE_PATTERN = re.compile(r"[\x20-\x7e]*")
_ADDRESS_PATTERN = re.compile(r"[^\s@\"\\(),:;<>\[\]\x00-\x20\x7f-\U0010ffff]+")
_BARE_LINE_BREAK = re.compile(rb"\r\n(?![\t ])|\r(?!\n)|(?<!\r)\n|\x00")
_LINE_END = b"\r\n"


class UnsafeHeader(MessageError, ValueError):
    """A header value is invalid: it would add another header, or programs could not read it."""


class _Policy(EmailPolicy):
    """A policy that leaves the headers in `_UNFOLDED_HEADERS` unfolded and rejects line breaks
    in values."""

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
    """Create a mail without content.

    ``sender``: name and address; ``to``: a checked address in ASCII; ``subject``: any text;
    ``headers``: further headers in printable ASCII. Raises `UnsafeHeader` for invalid ones.
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
    """Serialise a mail; `UnsafeHeader` if one of its headers is invalid."""
    return mail.as_bytes(policy=POLICY)


def _split_address(address: str) -> tuple[str, str]:
    user, _, domain = address.rpartition("@")
    if "=?" in address or not (
        _ADDRESS_PATTERN.fullmatch(user) and _ADDRESS_PATTERN.fullmatch(domain)
    ):
        raise UnsafeHeader("address")
    return user, domain


def _to_single_line(text: str) -> str:
    """Replace line breaks and control characters by spaces, and break up encoded words.

    Python decodes encoded words when a header is set, which could produce line breaks.
    """
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.replace("=?", "= ?").split())
