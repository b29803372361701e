"""Problem codes of live updates, and the codes each operation may return."""

from service.http.problems import ProblemTable

PROBLEMS: ProblemTable = {
    "too_many_streams": (429, "error.too_many_streams", {}),
    "streams_full": (503, "error.streams_full", {}),
}
"""Problem codes: HTTP status, example of the detail, additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "followMatch": ("too_many_streams", "streams_full"),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""
