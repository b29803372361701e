"""Problem codes of the picture routes."""

from service.http.problems import ProblemTable

PROBLEMS: ProblemTable = {
    "no_picture": (503, "error.no_picture", {}),
    "no_board": (404, "error.no_board", {}),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "drawPreview": ("no_such_game", "wrong_seats", "bad_option", "no_picture"),
    "drawInvite": ("not_open",),
    "drawPicture": ("no_such_version", "no_picture"),
    "drawBoard": ("no_such_version", "no_board"),
    "drawGame": ("no_such_game", "no_board"),
    "drawAnimation": ("no_such_version", "no_picture"),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""
