"""Replacement for ``hashlib`` in the browser: SHA-256 only."""

from _native import sha256 as _sha256


class sha256:
    """The SHA-256 hash of ``data``, computed on creation; it cannot be updated."""

    def __init__(self, data):
        self._digest = bytes(_sha256(tuple(data)))

    def digest(self):
        return self._digest

    def hexdigest(self):
        return self._digest.hex()
