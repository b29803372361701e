"""Problem codes of matches, the codes each operation may return, and functions that build them."""

from domain.match.losses import losses_of
from domain.match.timeline import Timeline
from domain.text.i18n import N_
from domain.text.msgspec_errors import translate_error
from service.http.examples import EXAMPLE_GAME
from service.http.problems import ApiProblem, ProblemTable

_OPTION, _OPTION_TYPE = EXAMPLE_GAME.bad_option
_BAD_OPTION = {
    "field": _OPTION,
    "args": {
        "field": _OPTION,
        "detail": {
            "key": "schema.expected_got",
            "args": {"wanted": _OPTION_TYPE, "got": "array"},
            "room": "kernel",
        },
    },
}

PROBLEMS: ProblemTable = {
    "not_your_seat": (403, "error.not_your_seat", {}),
    "seat_lost": (403, "error.seat_lost", {}),
    "wrong_invite": (403, "error.wrong_invite", {}),
    "not_welcome": (403, "error.not_welcome", {}),
    "no_such_person": (404, "error.no_such_person", {"field": "seats"}),
    "one_seat": (403, "error.one_seat", {}),
    "too_many_from_here": (403, "error.too_many_from_here", {}),
    "not_your_undo": (403, "error.not_your_undo", {}),
    "no_such_match": (404, "error.no_such_match", {}),
    "match_set_aside": (409, "error.match_set_aside", {}),
    "no_such_version": (404, "error.no_such_version", {"args": {"last": 17}}),
    "no_such_group": (404, "error.no_such_group", {"field": "group"}),
    "version_conflict": (409, "error.version_conflict", {"version": 18}),
    "not_your_turn": (409, "error.not_your_turn", {}),
    "not_started": (409, "error.not_started", {}),
    "match_over": (409, "error.match_over", {}),
    "imported": (409, "error.imported", {}),
    "not_over": (409, "error.not_over", {}),
    "without_you": (409, "error.without_you", {}),
    "not_open": (409, "error.seat_not_open", {}),
    "no_open_seat": (409, "error.no_open_seat", {}),
    "seat_taken": (409, "error.seat_taken", {}),
    "seat_held": (409, "error.seat_held", {}),
    "nobody_there": (409, "error.nobody_there", {}),
    "last_person": (409, "error.last_person", {}),
    "keeps_secrets": (409, "error.keeps_secrets", {}),
    "declined": (409, "error.declined", {"args": {"n": 60}}),
    "nothing_to_undo": (409, "why-nothing", {}),
    "too_many_undos": (409, "error.too_many_undos", {}),
    "match_full": (409, "error.match_full", {}),
    "talk_full": (409, "error.talk_full", {}),
    "proposal_open": (409, "error.proposal_open", {}),
    "no_proposal": (409, "error.no_proposal", {}),
    "own_proposal": (409, "error.own_proposal", {}),
    "no_time_left": (409, "error.no_time_left", {}),
    "no_such_time_zone": (
        422,
        "error.no_such_time_zone",
        {"field": "pace.time_zone", "args": {"zone": "Moon/Tranquility"}},
    ),
    "no_vote": (409, "error.no_vote", {}),
    "voted": (409, "error.voted", {}),
    "too_many_joins": (409, "error.too_many_joins", {}),
    "too_many_votes": (409, "error.too_many_votes", {}),
    "no_lost_seat": (409, "error.no_lost_seat", {}),
    "return_requested": (409, "error.return_requested", {}),
    "return_declined": (409, "error.return_declined", {}),
    "no_return": (409, "error.no_return", {}),
    "own_seat": (409, "error.own_seat", {}),
    "no_plan_now": (409, "error.no_plan_now", {}),
    "your_turn": (409, "error.your_turn", {}),
    "plan_too_long": (422, "error.plan_too_long", {"field": "branches"}),
    "no_days_left": (409, "error.no_days_left", {}),
    "nothing_to_redo": (409, "error.nothing_to_redo", {}),
    "secrets_known": (409, "error.secrets_known", {}),
    "hidden": (409, "error.hidden", {}),
    "illegal_move": (422, EXAMPLE_GAME.refusal[1], {"rule": EXAMPLE_GAME.refusal[0]}),
    "key_reused": (422, "error.key_reused", {}),
    "bad_text": (422, "error.text_empty", {"field": "text"}),
    "no_such_seat": (422, "error.no_such_seat", {}),
    "no_such_game": (404, "error.no_such_game", {"field": "game"}),
    "wrong_seats": (
        422,
        "error.wrong_seats",
        {"field": "seats", "args": {"seats": [1, 2, 3, 4, 5, 6]}},
    ),
    "no_person": (422, "error.no_person", {"field": "seats"}),
    "bad_option": (422, "option.error", _BAD_OPTION),
    "unknown_parameter": (
        400,
        "error.unknown_parameter",
        {"field": "state", "args": {"name": "state"}},
    ),
    "bad_cursor": (422, "error.bad_cursor", {"field": "cursor"}),
    "bad_file": (
        422,
        "file.in_decision",
        {"decision": 7, "args": {"number": 7, "reason": {"key": "file.events_differ", "args": {}}}},
    ),
}
"""Problem codes: HTTP status, example of the detail, additional fields."""

_SEAT_PROBLEMS = ("not_your_seat", "seat_lost")
_ACTION_PROBLEMS = (*_SEAT_PROBLEMS, "version_conflict", "key_reused", "imported", "match_full")

ERRORS: dict[str, tuple[str, ...]] = {
    "previewGame": ("no_such_game", "wrong_seats", "bad_option"),
    "createMatch": (
        "no_such_game",
        "no_such_person",
        "wrong_seats",
        "no_person",
        "bad_option",
        "bad_name",
        "no_such_time_zone",
        "key_reused",
    ),
    # A list of the player's own matches requires a player, a list of public ones does not.
    "listMatches": ("no_player", "unknown_parameter", "bad_cursor"),
    "joinMatch": (
        "wrong_invite",
        "not_welcome",
        "one_seat",
        "too_many_from_here",
        "not_open",
        "no_open_seat",
        "seat_taken",
        "seat_held",
        "too_many_joins",
        "version_conflict",
        "imported",
        "match_full",
        "bad_name",
    ),
    "leaveMatch": (*_ACTION_PROBLEMS, "nobody_there", "last_person", "keeps_secrets", "match_over"),
    "reclaimSeat": (
        "no_lost_seat",
        "return_requested",
        "return_declined",
        "match_over",
        "match_full",
        "version_conflict",
        "key_reused",
        "imported",
    ),
    "answerReturn": (*_ACTION_PROBLEMS, "no_return", "own_seat", "voted"),
    "rematch": (
        "malformed_request",
        "too_large",
        "not_your_seat",
        "not_over",
        "imported",
        "without_you",
    ),
    "getMatch": ("no_such_version", "not_your_seat"),
    "getLayout": ("not_started",),
    "listChoices": ("no_such_group", "not_your_seat", "seat_lost"),
    "listEvents": ("not_your_seat",),
    "reviewMatch": ("not_your_seat",),
    "playCommands": (
        *_ACTION_PROBLEMS,
        "not_your_turn",
        "not_started",
        "match_over",
        "illegal_move",
    ),
    "undoMoves": (
        *_ACTION_PROBLEMS,
        "too_many_undos",
        "nothing_to_undo",
        "no_time_left",
        "proposal_open",
        "declined",
        "no_such_version",
    ),
    "answerProposal": (*_ACTION_PROBLEMS, "no_proposal", "own_proposal"),
    "castVote": (*_ACTION_PROBLEMS, "no_vote", "own_seat", "voted", "too_many_votes"),
    "getPlan": (*_SEAT_PROBLEMS, "imported"),
    "layPlan": (
        *_SEAT_PROBLEMS,
        "imported",
        "no_plan_now",
        "your_turn",
        "plan_too_long",
        "version_conflict",
    ),
    "listPlanChoices": ("no_such_group", "not_your_seat", "seat_lost"),
    "dropPlan": (*_SEAT_PROBLEMS, "imported"),
    "setVacation": ("no_days_left",),
    "sayWords": (*_ACTION_PROBLEMS, "no_such_seat", "talk_full", "bad_text"),
    "redoMoves": (*_ACTION_PROBLEMS, "too_many_undos", "nothing_to_redo", "not_your_undo"),
    "forkMatch": (
        "no_such_version",
        "not_started",
        "match_over",
        "hidden",
        "secrets_known",
        "not_your_seat",
        "wrong_seats",
        "bad_name",
        "key_reused",
    ),
    "importMatch": ("malformed_request", "too_large", "bad_file", "key_reused"),
}
"""Problem codes by operation id, besides those that `service.openapi` derives from the handler."""


def no_such_match() -> ApiProblem:
    """Return `ApiProblem` 404 for a match that does not exist or that the caller may not see.

    Both cases get the same problem, so that callers cannot find out which private matches exist.
    """
    return ApiProblem(404, "no_such_match", "error.no_such_match")


def no_such_group() -> ApiProblem:
    """Return `ApiProblem` 404 for a group of commands that the seat does not have now."""
    return ApiProblem(404, "no_such_group", "error.no_such_group", field="group")


def match_set_aside() -> ApiProblem:
    """Return `ApiProblem` 409 for a match whose log this release cannot fold."""
    return ApiProblem(409, "match_set_aside", "error.match_set_aside")


def version_conflict(version: int) -> ApiProblem:
    """Return `ApiProblem` 409 for an outdated version; ``version``: the match's current version."""
    return ApiProblem(409, "version_conflict", "error.version_conflict", version=version)


def malformed_command(message: str) -> ApiProblem:
    """Return `ApiProblem` 422 ``illegal_move`` for input that is no command of the game.

    ``message``: the error message of msgspec, "" if there is none.
    """
    sentence, args = translate_error(message)
    why = {"key": sentence, "args": args, "room": "kernel"}
    detail = N_("error.malformed_command")
    return ApiProblem(422, "illegal_move", detail, args={"why": why}, rule="malformed")


def not_your_seat() -> ApiProblem:
    return ApiProblem(403, "not_your_seat", "error.not_your_seat")


def seat_not_held(timeline: Timeline, player: str, seat: int | None) -> ApiProblem:
    """Return `ApiProblem` 403 for a seat (None for any seat) that the player does not hold.

    The code is ``seat_lost`` if the player has lost the seat, otherwise ``not_your_seat``.
    """
    lost = losses_of(timeline.latest, player)
    if any(seat in (None, loss.seat) for loss in lost):
        return ApiProblem(403, "seat_lost", "error.seat_lost")
    return not_your_seat()


def imported_match_problem() -> ApiProblem:
    """Return `ApiProblem` 409 for an action in an imported match, which is for review only.

    In a match that was imported unfinished, anyone may have chosen the draws.
    """
    return ApiProblem(409, "imported", "error.imported")
