"""Problem codes of the picture routes."""

from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.problems import ProblemTable
from service.players.problems import PLAYER_OPTIONAL, PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "no_picture": (503, "error.no_picture", {}),
    "no_board": (404, "error.no_board", {}),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "drawPreview": (*BODY_PROBLEMS, "no_such_game", "wrong_seats", "bad_option", "no_picture"),
    "drawInvite": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, "not_open", "invalid_request"),
    "drawPicture": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "no_such_version",
        "invalid_request",
        "no_picture",
    ),
    "drawBoard": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "no_such_version",
        "invalid_request",
        "no_board",
    ),
    "drawGame": ("no_such_game", "invalid_request", "no_board"),
    "drawAnimation": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "no_such_version",
        "invalid_request",
        "no_picture",
    ),
}
"""Problem codes by operation id."""
