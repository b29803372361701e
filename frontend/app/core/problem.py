"""Problems of failed API calls, and which of them are worth retrying."""

from frontend.app.core.dom import toast
from frontend.app.core.i18n import t
from frontend.app.core.types import Data

RETRYABLE_STATUSES = (0, 429, 502, 503, 504)
"""HTTP statuses after which a request is retried (0: no response)."""
RETRY_DELAY_MS = 2000
"""Milliseconds until a failed read request, or a failed load of a part of the app, is retried."""


class Problem:
    """A failed API call.

    ``status``: the HTTP status (0: no response); ``code``: the stable problem code; ``detail``: a
    message for the user; ``data``: the response body, or {} if it is not an object.
    """

    def __init__(self, status: int, data: Data) -> None:
        known = data if isinstance(data, dict) else {}
        self.status = status
        self.code = known.get("code", "offline" if status == 0 else "failed")
        self.detail = known.get("detail") or known.get("title") or _default_detail(status)
        # The service's ``detail`` for these codes is written for API clients.
        if self.code in ("no_player", "unknown_token"):
            self.detail = t("error.not_signed_in")
        self.data = known


def show_problem(problem: Problem) -> None:
    """Show the message of a problem as a toast."""
    toast(problem.detail)


def _default_detail(status: int) -> str:
    if status == 0:
        return t("error.no_connection")
    return t("error.server", status=status)
