"""Verifiable random numbers: a commit-and-reveal scheme with HMAC-SHA-256.

A match has a secret 256-bit seed. Draw number ``i`` (counted from 0 over the whole match, undone
decisions included) with ``n`` outcomes is ``HMAC-SHA-256(seed, str(i)) mod n``; the bias is below
n / 2**256. The first event contains the SHA-256 of the seed and the last event the seed itself, so
that the seed cannot be chosen after seeing the moves. A match that keeps secrets after the end has
a second seed, never published: decisions that hide something draw from it, with the same counter.
Ships to the browser, where hashing has a stand-in.
"""

import hashlib
import hmac

from domain.contract.game import Draw
from domain.text.i18n import N_, TranslatableError


def compute_commitment(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 as 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


def draw_number(seed: bytes, index: int, n: int) -> int:
    """Return draw number ``index`` of the seed: an integer from 0 to n-1."""
    digest = hmac.digest(seed, str(index).encode(), "sha256")
    return int.from_bytes(digest, "big") % n


def draws_from_seed(seed: str, first_index: int) -> Draw:
    """Return a `Draw` that yields a seed's draws in order, beginning with ``first_index``.

    ``seed``: hex digits.
    """
    key = bytes.fromhex(seed)
    index = first_index - 1

    def draw(n: int) -> int:
        nonlocal index
        index += 1
        return draw_number(key, index, n)

    return draw


class DrawMismatch(TranslatableError):
    """Error for recorded draws that differ from those the game requests."""

    text_domain = "kernel"


_MISMATCH = N_("file.draw_differs")


class RecordedDraws:
    """A `Draw` that returns recorded numbers and checks each request against the record.

    A call raises `DrawMismatch` if the request differs or no recorded number is left.
    """

    def __init__(self, drawn: tuple[tuple[int, int], ...]) -> None:
        self._remaining = list(reversed(drawn))

    def __call__(self, n: int) -> int:
        if not self._remaining:
            raise DrawMismatch("file.too_few_draws")
        bound, value = self._remaining.pop()
        if bound != n or not 0 <= value < n:
            raise DrawMismatch(_MISMATCH, value=value, bound=bound, n=n)
        return value

    def check_exhausted(self) -> None:
        """Raise `DrawMismatch` if recorded numbers are left over."""
        if self._remaining:
            raise DrawMismatch("file.unused_draws", n=len(self._remaining))
