"""The problem of a failed call, and when a call is worth repeating."""

from frontend.app.core.i18n import t
from frontend.app.core.types import Data

RETRYABLE_STATUSES = (0, 429, 502, 503, 504)
"""HTTP statuses after which the same request is retried (0: no response)."""
RETRY_DELAY_MS = 2000
"""Milliseconds until a read request, or a part of the app, is requested again."""


class Problem:
    """A failed call: HTTP status (0: no response), stable problem code, sentence for the user."""

    def __init__(self, status: int, data: Data) -> None:
        known = data if isinstance(data, dict) else {}
        self.status = status
        self.code = known.get("code", "offline" if status == 0 else "failed")
        self.detail = known.get("detail") or known.get("title") or _default_detail(status)
        # this problem's ``detail`` is written for API clients
        if self.code in ("no_player", "unknown_token"):
            self.detail = t("You're not signed in on this device. Open or join a table first.")
        self.data = known


def _default_detail(status: int) -> str:
    if status == 0:
        return t("No connection.")
    return t("The service could not do that ({status}).", status=status)
