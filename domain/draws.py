"""Chance that anyone can check afterwards.

A match has a secret 256-bit seed. Draw number ``i`` (counted from 0 over the whole stream,
undone decisions included) with ``n`` outcomes is ``HMAC-SHA-256(seed, str(i)) mod n``; the bias
is below n / 2**256. The SHA-256 of the seed stands in the first event, the seed itself in the
last, so nobody could choose the seed after seeing the moves. A match that keeps its secrets after
the end has a second seed: a decision of which something is hidden draws from that one, with the
same counter, and it is never published. Ships to the browser, where hashing has a stand-in.
"""

import hashlib
import hmac
from typing import Any

from domain.game import Draw
from domain.words import N_, Explained


def commitment(seed: bytes) -> str:
    """The published hash of a seed: 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


def number(seed: bytes, index: int, n: int) -> int:
    """Draw number ``index`` of the seed: 0..n-1."""
    digest = hmac.digest(seed, str(index).encode(), "sha256")
    return int.from_bytes(digest, "big") % n


def seeded(seed: str, first: int) -> Draw:
    """The draws of a seed (64 hex digits) from number ``first`` on, one after the other."""
    key = bytes.fromhex(seed)
    index = first - 1

    def draw(n: int) -> int:
        nonlocal index
        index += 1
        return number(key, index, n)

    return draw


class WrongDraw(Explained):
    """A recorded draw does not fit the game that asks for it."""

    room = "kernel"

    def __init__(self, reason: str, /, **args: Any) -> None:
        super().__init__(reason, args)


_OTHER = N_("recorded {value} of {bound}, the game draws one of {n}")


class Replay:
    """A `Draw` that gives recorded numbers again, and insists that the same are asked for."""

    def __init__(self, drawn: tuple[tuple[int, int], ...]) -> None:
        self._left = list(reversed(drawn))

    def __call__(self, n: int) -> int:
        if not self._left:
            raise WrongDraw("the game draws more numbers than were recorded")
        bound, value = self._left.pop()
        if bound != n or not 0 <= value < n:
            raise WrongDraw(_OTHER, value=value, bound=bound, n=n)
        return value

    def finish(self) -> None:
        """Raises `WrongDraw` when recorded numbers were left over."""
        if self._left:
            raise WrongDraw("{n} recorded draws were never asked for", n=len(self._left))
