"""Problem codes of pictures."""

from service.http.common_problems import BODY, MATCH
from service.http.problems import Problems
from service.players.problems import MAYBE, ME

PROBLEMS: Problems = {
    "no_picture": (503, "This picture cannot be drawn now.", {}),
    "no_board": (404, "This game draws no board.", {}),
}

ERRORS: dict[str, tuple[str, ...]] = {
    "drawPreview": (*BODY, "no_such_game", "wrong_seats", "bad_option", "no_picture"),
    "drawInvite": (*ME, *MATCH, "not_open", "invalid_request"),
    "drawPicture": (*MAYBE, *MATCH, "no_such_version", "invalid_request", "no_picture"),
    "drawBoard": (*MAYBE, *MATCH, "no_such_version", "invalid_request", "no_board"),
    "drawGame": ("no_such_game", "invalid_request", "no_board"),
    "drawAnimation": (*MAYBE, *MATCH, "no_such_version", "invalid_request", "no_picture"),
}
"""Problem codes by operation id."""
