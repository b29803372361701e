"""Problem codes of the routes about players and devices."""

from service.http.common_problems import BODY_PROBLEMS
from service.http.problems import ApiProblem, ProblemTable

PROBLEMS: ProblemTable = {
    "no_player": (401, "error.no_player", {}),
    "unknown_token": (401, "error.unknown_token", {}),
    "bad_name": (422, "error.bad_name", {"field": "name"}),
    "no_such_link": (404, "error.no_such_link", {}),
    "no_such_code": (404, "error.no_such_code", {"field": "code"}),
    "no_such_device": (404, "error.no_such_device", {}),
    "already_player": (
        409,
        "error.already_player",
        {"present": "Ann", "offered": "Bob", "args": {"name": "Ann"}},
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
    "setName": (*BODY_PROBLEMS, *PLAYER_REQUIRED, "bad_name"),
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
        "error.no_player",
        headers={"WWW-Authenticate": 'Bearer realm="caravanserai"'},
    )
