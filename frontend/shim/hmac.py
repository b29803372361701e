"""Stands in for ``hmac``: HMAC-SHA-256, nothing else."""

from _native import sha256

BLOCK = 64


def digest(key, message, _name):
    """The keyed hash of a message; the key is no longer than a block."""
    padded = tuple(key) + (0,) * (BLOCK - len(key))
    inner = sha256(tuple([byte ^ 0x36 for byte in padded]) + tuple(message))
    return bytes(sha256(tuple([byte ^ 0x5C for byte in padded]) + inner))
