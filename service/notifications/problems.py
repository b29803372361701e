"""Problem codes of the notification routes."""

from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.problems import ProblemTable
from service.players.problems import PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "no_such_way": (404, "You have no such way to be told.", {}),
    "bad_address": (422, "This is no https address.", {"field": "address"}),
    "bad_subscription": (422, "These are no keys of a device.", {"field": "keys"}),
    "bad_zone": (422, "No such time zone is known.", {"field": "quiet"}),
    "too_many_ways": (409, "These are too many ways; take one away first.", {}),
    "not_offered": (409, "This service sends no mails.", {}),
    "mail_stopped": (409, "The owner of this mailbox wants no mails from here.", {}),
    "not_confirmed": (409, "Follow the link in the mail first.", {}),
    "not_delivered": (409, "Nobody answers at this address.", {}),
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
