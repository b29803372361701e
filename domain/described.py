"""Types of which bytes are made Python's, described to the decoder before threads share them.

msgspec describes a struct when it first meets it, and keeps the description from then on. While
one thread is at it another already finds the unfinished description, and decoding by it ends the
whole process (seen with msgspec 0.22: a worker that was asked for two matches at once right after
its start). So descriptions are made by one thread at a time, and decoding waits for them.
"""

import threading
from typing import Any

import msgspec

DESCRIBING = threading.RLock()
"""Held while anything is described that threads may share."""


def describe(*kinds: Any) -> None:
    """Describes types; returns when any thread may decode them."""
    with DESCRIBING:
        for kind in kinds:
            msgspec.json.Decoder(kind)
