"""Problems of the notification routes."""

from service.http.common_problems import BODY, MATCH
from service.http.problems import Problems
from service.players.problems import ME

PROBLEMS: Problems = {
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
"""Problem codes, each with its status, an example of its detail, and its additional fields."""

ERRORS: dict[str, tuple[str, ...]] = {
    "listNotices": ME,
    "setNotices": (*ME, *BODY, "bad_zone"),
    "notifyByPush": (*ME, *BODY, "bad_address", "bad_subscription", "too_many_ways"),
    "notifyByMail": (
        *(*ME, *BODY, "bad_address", "not_offered", "not_delivered", "too_many_ways"),
        "mail_stopped",
    ),
    "notifyByHook": (*ME, *BODY, "bad_address", "too_many_ways"),
    "removeWay": (*ME, "no_such_way", "invalid_request"),
    "testWay": (*ME, "no_such_way", "not_confirmed", "not_delivered", "invalid_request"),
    "resumeWay": (*ME, "no_such_way", "invalid_request"),
    "muteMatch": (*ME, *MATCH, *BODY),
}
"""Problem codes by operation."""
