"""Problem codes shared by all API modules, and those of the health checks."""

from service.http.problems import ProblemTable

PROBLEMS: ProblemTable = {
    "malformed_request": (400, "The body is not valid JSON.", {}),
    "bad_host": (400, "The Host header is no name and port.", {}),
    "duplicate_header": (400, "Host, Origin and Sec-Fetch-Site may be sent once.", {}),
    "foreign_origin": (403, "Another site's page may not do this.", {}),
    "too_large": (413, "Entity is too large", {}),
    "not_json": (415, "The body must be application/json.", {}),
    "unknown_host": (421, "Under this name: only once ALLOWED_HOSTS names it.", {}),
    "invalid_request": (422, "Expected `int`, got `str`", {"field": "seat"}),
    "too_many_requests": (429, "Too many requests", {}),
    "unavailable": (503, "The database cannot be used now; try again in a moment.", {}),
    "stopping": (503, "This worker is stopping.", {}),
    "not_ready": (503, "The database does not answer.", {}),
}
"""Problem codes: HTTP status, example of ``detail``, additional fields."""

MATCH_PROBLEMS = ("no_such_match", "match_set_aside")
"""Problem codes that any request about a match may return; see `service.matches.problems`."""

BODY_PROBLEMS = ("malformed_request", "too_large", "invalid_request")

ERRORS: dict[str, tuple[str, ...]] = {
    "isAlive": ("stopping",),
    "isReady": ("invalid_request", "not_ready", "stopping"),
}
"""Problem codes that an operation may return, by operation id."""
