"""Problem codes shared by all API modules, and those of the health checks."""

from service.http.problems import ProblemTable

PROBLEMS: ProblemTable = {
    "malformed_request": (400, "error.malformed_request", {}),
    "bad_host": (400, "error.bad_host", {}),
    "duplicate_header": (400, "error.duplicate_header", {}),
    "foreign_origin": (403, "error.foreign_origin", {}),
    "too_large": (413, "http.detail.413", {}),
    "not_json": (415, "error.not_json", {}),
    "unknown_host": (421, "error.unknown_host", {}),
    "invalid_request": (
        422,
        "schema.expected_got",
        {"field": "seat", "args": {"wanted": "int", "got": "str"}},
    ),
    "too_many_requests": (429, "error.too_many_requests", {}),
    "unavailable": (503, "error.unavailable", {}),
    "stopping": (503, "error.stopping", {}),
    "not_ready": (503, "error.not_ready.database", {}),
}
"""Problem codes: HTTP status, example of ``detail``, additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "isAlive": ("stopping",),
    "isReady": ("not_ready", "stopping"),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""
