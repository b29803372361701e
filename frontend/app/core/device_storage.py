"""Reads from the device's storage that are repeated while it is busy."""

from collections.abc import Callable
from typing import Any

from frontend.app.core.dom import after

RETRY_DELAYS_MS = (1000, 2000, 4000, 8000)


def read_with_retries(
    read: Callable[[Callable[[bool, Any], object]], object],
    on_result: Callable[[bool, Any], object],
) -> None:
    """Call ``read(callback)`` until it succeeds, at most once more for each of `RETRY_DELAYS_MS`.

    ``on_result(safe, found)`` is called after each attempt; ``safe``: whether it succeeded.
    """
    delays_ms = [*RETRY_DELAYS_MS]

    def on_attempt(safe: bool, found: Any) -> None:
        if not safe and delays_ms:
            after(delays_ms.pop(0), lambda: read(on_attempt))
        on_result(safe, found)

    read(on_attempt)
