"""Problems of the routes about personal data."""

from service.http.common_problems import BODY, MATCH
from service.http.problems import Problems
from service.players.problems import MAYBE, ME

PROBLEMS: Problems = {
    "too_many_people": (409, "You have muted or blocked very many people already.", {}),
    "no_such_calendar": (404, "This calendar has another address now.", {}),
}
"""Problem codes, each with its status, an example of its detail, and its additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "getOwn": (*ME, *MATCH, "invalid_request"),
    "setSeen": (*BODY, *ME, *MATCH),
    "setNote": (*BODY, *ME, *MATCH),
    "getHistory": ME,
    "listPeople": ME,
    "setPerson": (*BODY, *ME, "no_such_person", "too_many_people"),
    "getCalendar": ME,
    "makeCalendar": ME,
    "endCalendar": ME,
    "readCalendar": ("no_such_calendar", "invalid_request"),
    "getFeed": (*ME, *MATCH, "invalid_request"),
    "readFeed": (*MAYBE, *MATCH, "invalid_request"),
}
"""Problem codes by operation."""
