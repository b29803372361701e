"""What can go wrong with live updates."""

from service.base.errors import MATCH
from service.base.problems import Problems
from service.players.problems import MAYBE

PROBLEMS: Problems = {
    "too_many_streams": (429, "Too many live streams from here.", {}),
    "streams_full": (503, "All live streams are in use.", {}),
}
"""Codes, each with its status, an example of its detail, and fields of its own."""

ERRORS: dict[str, tuple[str, ...]] = {
    "followMatch": (
        *MAYBE,
        *MATCH,
        "invalid_request",
        "too_many_streams",
        "streams_full",
    ),
    "reportPresence": (*MAYBE, *MATCH, "invalid_request"),
}
"""What can go wrong, by operation."""
