"""Problem codes of the routes about personal data."""

from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.problems import ProblemTable
from service.players.problems import PLAYER_OPTIONAL, PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "too_many_people": (409, "error.too_many_people", {}),
    "no_such_calendar": (404, "error.no_such_calendar", {}),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "getOwn": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, "invalid_request"),
    "setSeen": (*BODY_PROBLEMS, *PLAYER_REQUIRED, *MATCH_PROBLEMS),
    "setNote": (*BODY_PROBLEMS, *PLAYER_REQUIRED, *MATCH_PROBLEMS),
    "getHistory": PLAYER_REQUIRED,
    "listPeople": PLAYER_REQUIRED,
    "setPerson": (*BODY_PROBLEMS, *PLAYER_REQUIRED, "no_such_person", "too_many_people"),
    "getCalendar": PLAYER_REQUIRED,
    "makeCalendar": PLAYER_REQUIRED,
    "endCalendar": PLAYER_REQUIRED,
    "readCalendar": ("no_such_calendar", "invalid_request"),
    "getFeed": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, "invalid_request"),
    "readFeed": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "invalid_request"),
}
"""Problem codes by operation id."""
