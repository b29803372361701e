"""Problem codes of live updates, and the codes each operation may return."""

from service.http.common_problems import MATCH_PROBLEMS
from service.http.problems import ProblemTable
from service.players.problems import PLAYER_OPTIONAL

PROBLEMS: ProblemTable = {
    "too_many_streams": (429, "error.too_many_streams", {}),
    "streams_full": (503, "error.streams_full", {}),
}
"""Problem codes: HTTP status, example of the detail, additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "followMatch": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "invalid_request",
        "too_many_streams",
        "streams_full",
    ),
    "reportPresence": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "invalid_request"),
}
"""Problem codes that an operation may return, by `operation_id`."""
