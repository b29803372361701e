"""Thread-safe preparation of msgspec's type information, under one lock.

msgspec builds and caches the type information of a struct on first use. Meanwhile a second thread
can find the unfinished entry, and decoding with it crashes the process (seen with msgspec 0.22 in a
worker that received two requests for matches right after its start). So one thread at a time builds
the information, and decoding waits for it.
"""

import threading
from typing import Any

import msgspec

DECODER_LOCK = threading.RLock()
"""Lock held while type information that threads may share is being built."""


def warm_up(*kinds: Any) -> None:
    """Build msgspec's type information for the given types, so that any thread may decode them."""
    with DECODER_LOCK:
        for kind in kinds:
            msgspec.json.Decoder(kind)
