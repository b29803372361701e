"""Problem codes of seat recovery, and functions that build some of the problems."""

from domain.text.i18n import N_
from service.http.problems import ApiProblem, ProblemTable

PROBLEMS: ProblemTable = {
    "weak_pin": (422, "error.weak_pin", {"field": "pin"}),
    "no_such_pin": (404, "error.no_such_pin", {}),
    "wrong_pin": (403, "error.wrong_pin", {"field": "pin", "tries_left": 4, "args": {"n": 4}}),
    "pin_locked": (403, "error.pin_locked", {}),
    "no_such_device_code": (404, "error.no_such_device_code", {"field": "code"}),
    "seat_online": (409, "error.seat_online", {}),
    "recovery_rests": (409, "error.recovery_rests", {"args": {"n": 10}}),
    "too_many_moves": (409, "error.too_many_moves", {}),
    "recovery_waits": (409, "error.recovery_waits", {}),
    "recovery_open": (409, "error.recovery_open", {}),
    "no_recovery": (409, "error.no_recovery", {}),
    "own_recovery": (409, "error.own_recovery", {}),
    "already_seated": (409, "error.already_seated", {}),
    "nobody_else": (409, "error.nobody_else", {}),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

_ACTION_PROBLEMS = ("not_your_seat", "imported", "match_full", "version_conflict")

ERRORS: dict[str, tuple[str, ...]] = {
    "getSeatPin": ("not_your_seat", "imported"),
    "setSeatPin": ("not_your_seat", "imported", "nobody_else", "match_over", "weak_pin"),
    "recoverSeat": (
        "match_set_aside",
        "no_such_pin",
        "wrong_pin",
        "pin_locked",
        "not_welcome",
        "match_over",
        "nobody_else",
        "match_full",
        "version_conflict",
        "too_many_moves",
    ),
    "getRecovery": ("not_your_seat",),
    "askRecovery": (
        *_ACTION_PROBLEMS,
        "no_such_device_code",
        "seat_online",
        "recovery_rests",
        "recovery_open",
        "own_recovery",
        "already_seated",
        "nobody_else",
        "nobody_there",
        "no_such_seat",
        "match_over",
        "too_many_votes",
        "key_reused",
    ),
    "answerRecovery": (
        *_ACTION_PROBLEMS,
        "no_recovery",
        "own_recovery",
        "voted",
        "too_many_votes",
        "key_reused",
    ),
    "objectToRecovery": (*_ACTION_PROBLEMS, "no_recovery", "key_reused"),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""


def no_such_pin() -> ApiProblem:
    """Return `ApiProblem` 404 for an unknown seat, or one without a valid PIN."""
    detail = N_("error.no_such_pin")
    return ApiProblem(404, "no_such_pin", detail)


def pin_locked() -> ApiProblem:
    detail = N_("error.pin_locked")
    return ApiProblem(403, "pin_locked", detail)


def wrong_pin(tries_left: int) -> ApiProblem:
    return ApiProblem(
        403,
        "wrong_pin",
        "error.wrong_pin",
        args={"n": tries_left},
        field="pin",
        tries_left=tries_left,
    )
