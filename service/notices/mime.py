"""Mails as they leave: headers that no text of a stranger can add to.

Imports Python's own library only, whose versions differ in how they fold headers and in what they
let pass; the tests run this module with each of them.
"""

import re
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

_MOST_LINE_BYTES = 998
"""RFC 5322, 2.1.1."""
_PLAIN = ("list-unsubscribe", "list-unsubscribe-post", "auto-submitted", "message-id", "to")
"""Headers for programs. Python folds long ones into encoded words, which RFC 8058 does not know."""
_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_ADDRESS = re.compile(r"[^\s@\"\\(),:;<>\[\]\x00-\x20\x7f-\U0010ffff]+")
_BREAK = re.compile(rb"\r\n(?![\t ])|\r(?!\n)|(?<!\r)\n|\x00")
_LINE_END = b"\r\n"


class UnsafeHeader(MessageError, ValueError):
    """A header would have become two, or a program could not read it."""


class _Policy(EmailPolicy):
    """Folds headers as mail programs read them, and never writes a line break of a value."""

    def fold(self, name: str, value: Any) -> str:
        return self.fold_binary(name, value).decode("ascii", "surrogateescape")

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name.lower() in _PLAIN:
            if not _PRINTABLE.fullmatch(str(value)):
                raise UnsafeHeader(name)
            folded = f"{name}: {value}".encode() + _LINE_END
        else:
            folded = super().fold_binary(name, value)
        body = folded.removesuffix(_LINE_END)
        if _BREAK.search(body) or max(map(len, body.split(_LINE_END))) > _MOST_LINE_BYTES:
            raise UnsafeHeader(name)
        return folded


POLICY = _Policy(linesep="\r\n", cte_type="7bit")


def new_mail(
    sender: tuple[str, str], to: str, subject: str, headers: Mapping[str, str]
) -> EmailMessage:
    """Begin a mail. ``sender``: name and address; ``to``: a checked address in ASCII; ``subject``:
    any text; ``headers``: for programs, in printable ASCII. `UnsafeHeader` for what is none."""
    mail = EmailMessage(policy=POLICY)
    name, address = sender
    mail["From"] = Address(_one_line(name), *_parts(address))
    mail["To"] = (Address("", *_parts(to)),)
    mail["Subject"] = _one_line(subject)
    for header, value in headers.items():
        if not _PRINTABLE.fullmatch(value):
            raise UnsafeHeader(header)
        mail[header] = value
    return mail


def as_bytes(mail: EmailMessage) -> bytes:
    """The mail as it is sent; `UnsafeHeader` if a header of it would not be one line."""
    return mail.as_bytes(policy=POLICY)


def _parts(address: str) -> tuple[str, str]:
    user, _, domain = address.rpartition("@")
    if "=?" in address or not (_ADDRESS.fullmatch(user) and _ADDRESS.fullmatch(domain)):
        raise UnsafeHeader("address")
    return user, domain


def _one_line(text: str) -> str:
    """Text without line breaks and other control characters, in which nothing reads as an encoded
    word: Python decodes those when a header is set, also to line breaks."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.replace("=?", "= ?").split())
