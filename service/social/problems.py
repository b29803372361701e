"""Problem codes of the routes about personal data."""

from service.http.problems import ProblemTable

PROBLEMS: ProblemTable = {
    "too_many_people": (409, "error.too_many_people", {}),
    "no_such_calendar": (404, "error.no_such_calendar", {}),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "setPerson": ("no_such_person", "too_many_people"),
    "readCalendar": ("no_such_calendar",),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""
