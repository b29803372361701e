"""Problems of the routes about players and devices."""

from service.http.common_problems import BODY
from service.http.problems import Fault, Problems

PROBLEMS: Problems = {
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
"""Problem codes, each with its status, an example of its detail, and its additional fields."""

ME = ("no_player", "unknown_token")
"""Problem codes of operations that need a player."""
MAYBE = ("unknown_token",)
"""Problem codes of operations that accept anonymous requests."""

ERRORS: dict[str, tuple[str, ...]] = {
    "createPlayer": (*BODY, "bad_name"),
    "whoAmI": ME,
    "linkDevice": ME,
    "findAddress": (),
    "claimDevice": (*BODY, "no_such_link", "already_player"),
    "makeRecoveryCode": ME,
    "recoverPlayer": (*BODY, "no_such_code", "already_player"),
    "listDevices": ME,
    "signOut": (*ME, "no_such_device", "invalid_request"),
    "signOutOthers": ME,
}
"""Problem codes by operation."""


def who_are_you() -> Fault:
    return Fault(
        401,
        "no_player",
        "Say who you are: POST /api/players first.",
        headers={"WWW-Authenticate": 'Bearer realm="caravanserai"'},
    )
