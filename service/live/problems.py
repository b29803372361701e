"""Problem codes of live updates, and the codes each operation may return."""

from service.http.common_problems import MATCH
from service.http.problems import Problems
from service.players.problems import MAYBE

PROBLEMS: Problems = {
    "too_many_streams": (429, "Too many live streams from here.", {}),
    "streams_full": (503, "All live streams are in use.", {}),
}
"""Problem codes: HTTP status, example of the detail, additional fields."""

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
"""Problem codes that an operation may return, by `operation_id`."""
