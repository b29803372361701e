"""Problem codes of the routes about players and devices."""

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

ERRORS: dict[str, tuple[str, ...]] = {
    "createPlayer": ("bad_name",),
    "setName": ("bad_name",),
    "claimDevice": ("no_such_link", "already_player"),
    "recoverPlayer": ("no_such_code", "already_player"),
    "signOut": ("no_such_device",),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""


def no_player() -> ApiProblem:
    return ApiProblem(
        401,
        "no_player",
        "error.no_player",
        headers={"WWW-Authenticate": 'Bearer realm="caravanserai"'},
    )
