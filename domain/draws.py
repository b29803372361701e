"""Chance that anyone can check afterwards.

A match has a secret 256-bit seed. Draw number ``i`` (counted from 0 over the whole stream,
undone decisions included) with ``n`` outcomes is ``HMAC-SHA-256(seed, str(i)) mod n``; the bias
is below n / 2**256. The SHA-256 of the seed stands in the first event, the seed itself in the
last, so nobody could choose the seed after seeing the moves.
"""

import hashlib
import hmac


def commitment(seed: bytes) -> str:
    """The published hash of a seed: 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


def number(seed: bytes, index: int, n: int) -> int:
    """Draw number ``index`` of the seed: 0..n-1."""
    digest = hmac.digest(seed, str(index).encode(), "sha256")
    return int.from_bytes(digest, "big") % n


class Recorder:
    """A `Draw` that takes its numbers from a seed and writes down each as ``(n, value)``."""

    def __init__(self, seed: bytes, first: int) -> None:
        self._seed = seed
        self._next = first
        self.drawn: list[tuple[int, int]] = []

    def __call__(self, n: int) -> int:
        value = number(self._seed, self._next, n)
        self._next += 1
        self.drawn.append((n, value))
        return value


class WrongDraw(Exception):
    """A recorded draw does not fit the game that asks for it."""


class Replay:
    """A `Draw` that gives recorded numbers again, and insists that the same are asked for."""

    def __init__(self, drawn: tuple[tuple[int, int], ...]) -> None:
        self._left = list(reversed(drawn))

    def __call__(self, n: int) -> int:
        if not self._left:
            raise WrongDraw("the game draws more numbers than were recorded")
        bound, value = self._left.pop()
        if bound != n or not 0 <= value < n:
            raise WrongDraw(f"recorded {value} of {bound}, the game draws one of {n}")
        return value

    def finish(self) -> None:
        """Raises `WrongDraw` when recorded numbers were left over."""
        if self._left:
            raise WrongDraw(f"{len(self._left)} recorded draws were never asked for")
