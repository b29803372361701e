"""Problem codes of the routes about players and devices."""

from service.http.common_problems import BODY_PROBLEMS
from service.http.problems import ApiProblem, ProblemTable

PROBLEMS: ProblemTable = {
    "no_player": (401, "Say who you are: POST /api/players first.", {}),
    "unknown_token": (401, "Nobody here has this token.", {}),
    "bad_name": (422, "A name has 1 to 40 visible characters.", {"field": "name"}),
    "no_such_link": (404, "This link was used already or has run out.", {}),
    "no_such_code": (404, "There is no such recovery code.", {"field": "code"}),
    "no_such_device": (404, "You have no such device.", {}),
    "already_player": (
        409,
        "This device plays as Ann.",
        {"present": "Ann", "offered": "Bob"},
    ),
}
"""Problem codes, each with its HTTP status, an example of its detail, and its additional fields."""

PLAYER_REQUIRED = ("no_player", "unknown_token")
"""Problem codes of operations that need an authenticated player."""
PLAYER_OPTIONAL = ("unknown_token",)
"""Problem codes of operations that accept anonymous requests."""

ERRORS: dict[str, tuple[str, ...]] = {
    "createPlayer": (*BODY_PROBLEMS, "bad_name"),
    "whoAmI": PLAYER_REQUIRED,
    "linkDevice": PLAYER_REQUIRED,
    "findAddress": (),
    "claimDevice": (*BODY_PROBLEMS, "no_such_link", "already_player"),
    "makeRecoveryCode": PLAYER_REQUIRED,
    "recoverPlayer": (*BODY_PROBLEMS, "no_such_code", "already_player"),
    "listDevices": PLAYER_REQUIRED,
    "signOut": (*PLAYER_REQUIRED, "no_such_device", "invalid_request"),
    "signOutOthers": PLAYER_REQUIRED,
}
"""Problem codes by operation id."""


def no_player() -> ApiProblem:
    return ApiProblem(
        401,
        "no_player",
        "Say who you are: POST /api/players first.",
        headers={"WWW-Authenticate": 'Bearer realm="caravanserai"'},
    )
