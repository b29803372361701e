"""Problem codes of the notification routes."""

from service.http.problems import ProblemTable

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
    "setNotices": ("bad_zone",),
    "notifyByPush": ("bad_address", "bad_subscription", "too_many_ways"),
    "notifyByMail": (
        "bad_address",
        "not_offered",
        "not_delivered",
        "too_many_ways",
        "mail_stopped",
    ),
    "notifyByHook": ("bad_address", "too_many_ways"),
    "removeWay": ("no_such_way",),
    "testWay": ("no_such_way", "not_confirmed", "not_delivered"),
    "resumeWay": ("no_such_way",),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""
