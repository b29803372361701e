"""Problem codes of seat recovery, and functions that build some of the problems."""

from domain.text.i18n import N_
from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.problems import ApiProblem, ProblemTable
from service.players.problems import PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "weak_pin": (422, "Too many people choose this PIN. Choose another one.", {"field": "pin"}),
    "no_such_pin": (
        404,
        "No seat with a PIN there. Check the table code and the seat, or ask the others at the"
        " table to let you back in.",
        {},
    ),
    "wrong_pin": (403, "Wrong PIN. Tries left: 4.", {"field": "pin", "tries_left": 4}),
    "pin_locked": (
        403,
        "No tries are left for this seat. The others at the table can let you back in.",
        {},
    ),
    "no_such_device_code": (
        404,
        "Unknown code, or it has expired. Ask for a new one on the new device.",
        {"field": "code"},
    ),
    "seat_online": (
        409,
        "A device of this seat is online. If it is not in that person's hands, try again later.",
        {},
    ),
    "recovery_rests": (
        409,
        "This seat was not given to another device just now. Ask again in 10 minutes.",
        {},
    ),
    "too_many_moves": (
        409,
        "This seat has moved to other devices too often. Play on where it is now.",
        {},
    ),
    "recovery_waits": (409, "Wait until you have the seat.", {}),
    "recovery_open": (409, "Somebody is being let back in already.", {}),
    "no_recovery": (409, "Nobody is being let back in there.", {}),
    "own_recovery": (409, "The others let you back in.", {}),
    "already_seated": (409, "This device has a seat here already.", {}),
    "nobody_else": (409, "Nobody else plays here: use your recovery code.", {}),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

_ACTION_PROBLEMS = (
    *BODY_PROBLEMS,
    *PLAYER_REQUIRED,
    *MATCH_PROBLEMS,
    "not_your_seat",
    "imported",
    "match_full",
    "version_conflict",
)

ERRORS: dict[str, tuple[str, ...]] = {
    "getSeatPin": (
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
        "not_your_seat",
        "imported",
        "invalid_request",
    ),
    "setSeatPin": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
        "not_your_seat",
        "imported",
        "nobody_else",
        "match_over",
        "weak_pin",
    ),
    "recoverSeat": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
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
    "getRecovery": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, "not_your_seat", "invalid_request"),
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
    "makeSeatCode": PLAYER_REQUIRED,
    "getSeatCode": PLAYER_REQUIRED,
}
"""Problem codes by operation id."""


def no_such_pin() -> ApiProblem:
    """Return `ApiProblem` 404 for an unknown seat, or one without a valid PIN."""
    detail = N_(
        "No seat with a PIN there. Check the table code and the seat, or ask the others at the"
        " table to let you back in."
    )
    return ApiProblem(404, "no_such_pin", detail)


def pin_locked() -> ApiProblem:
    detail = N_("No tries are left for this seat. The others at the table can let you back in.")
    return ApiProblem(403, "pin_locked", detail)


def wrong_pin(tries_left: int) -> ApiProblem:
    return ApiProblem(
        403,
        "wrong_pin",
        "Wrong PIN. Tries left: {n}.",
        args={"n": tries_left},
        field="pin",
        tries_left=tries_left,
    )
