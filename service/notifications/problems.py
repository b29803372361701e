"""Problem codes of the notification routes."""

from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.problems import ProblemTable
from service.players.problems import PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "no_such_way": (404, "error.no_such_way", {}),
    "bad_address": (422, "error.bad_url", {"field": "address"}),
    "bad_subscription": (422, "error.bad_subscription", {"field": "keys"}),
    "bad_zone": (422, "error.bad_zone", {"field": "quiet"}),
    "too_many_ways": (409, "error.too_many_ways", {}),
    "not_offered": (409, "error.not_offered", {}),
    "mail_stopped": (409, "error.mail_stopped", {}),
    "not_confirmed": (409, "error.not_confirmed", {}),
    "not_delivered": (409, "error.not_delivered.no_answer", {}),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "listNotices": PLAYER_REQUIRED,
    "setNotices": (*PLAYER_REQUIRED, *BODY_PROBLEMS, "bad_zone"),
    "notifyByPush": (
        *PLAYER_REQUIRED,
        *BODY_PROBLEMS,
        "bad_address",
        "bad_subscription",
        "too_many_ways",
    ),
    "notifyByMail": (
        *(
            *PLAYER_REQUIRED,
            *BODY_PROBLEMS,
            "bad_address",
            "not_offered",
            "not_delivered",
            "too_many_ways",
        ),
        "mail_stopped",
    ),
    "notifyByHook": (*PLAYER_REQUIRED, *BODY_PROBLEMS, "bad_address", "too_many_ways"),
    "removeWay": (*PLAYER_REQUIRED, "no_such_way", "invalid_request"),
    "testWay": (
        *PLAYER_REQUIRED,
        "no_such_way",
        "not_confirmed",
        "not_delivered",
        "invalid_request",
    ),
    "resumeWay": (*PLAYER_REQUIRED, "no_such_way", "invalid_request"),
    "muteMatch": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, *BODY_PROBLEMS),
}
"""Problem codes by operation id."""
