"""Replacement for ``hmac`` in the browser: HMAC-SHA-256 only."""

from _native import sha256

BLOCK = 64


def digest(key, message, _name):
    """Return the HMAC-SHA-256 of a message; the key must not be longer than ``BLOCK`` bytes."""
    padded = tuple(key) + (0,) * (BLOCK - len(key))
    inner = sha256(tuple([byte ^ 0x36 for byte in padded]) + tuple(message))
    return bytes(sha256(tuple([byte ^ 0x5C for byte in padded]) + inner))
