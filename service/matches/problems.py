"""Problem codes of matches, the codes each operation may return, and functions that build them."""

from domain.match import Timeline, losses_of
from domain.text.i18n import N_
from domain.text.msgspec_errors import translate_error
from service.http.common_problems import BODY_PROBLEMS, MATCH_PROBLEMS
from service.http.examples import EXAMPLE_GAME
from service.http.problems import ApiProblem, ProblemTable
from service.players.problems import PLAYER_OPTIONAL, PLAYER_REQUIRED

PROBLEMS: ProblemTable = {
    "not_your_seat": (403, "You do not hold this seat.", {}),
    "seat_lost": (403, "A bot has this seat now: take it back to play on.", {}),
    "wrong_invite": (403, "This invitation is not for this match.", {}),
    "not_welcome": (403, "You cannot sit down at this table.", {}),
    "no_such_person": (404, "You have sat with no such person.", {"field": "seats"}),
    "one_seat": (403, "One seat is yours; the others are for others.", {}),
    "too_many_from_here": (
        403,
        "Others from where you are sit here already; ask the host for the invitation.",
        {},
    ),
    "not_your_undo": (403, "Only the seat that took back may play it again.", {}),
    "no_such_match": (404, "There is no such match.", {}),
    "match_set_aside": (
        409,
        "This match cannot be read and was set aside; others go on.",
        {},
    ),
    "no_such_version": (404, "There are versions 1 to 17.", {}),
    "no_such_group": (404, "The seat has no such choices now.", {"field": "group"}),
    "version_conflict": (409, "The match has moved on.", {"version": 18}),
    "not_your_turn": (409, "It is not this seat's turn.", {}),
    "not_started": (409, "Seats are still open.", {}),
    "match_over": (409, "The match is over.", {}),
    "imported": (409, "An imported match is for review; fork it to play.", {}),
    "not_over": (409, "The match is not over yet.", {}),
    "without_you": (409, "The rematch goes on without you.", {}),
    "not_open": (409, "This match has no such open seat.", {}),
    "no_open_seat": (409, "All seats are taken.", {}),
    "seat_taken": (409, "Somebody else has this seat.", {}),
    "seat_held": (409, "This seat is held for somebody else.", {}),
    "nobody_there": (409, "Nobody sits there.", {}),
    "last_person": (409, "Nobody else plays here.", {}),
    "keeps_secrets": (409, "In a game with secrets a bot takes the seat.", {}),
    "declined": (
        409,
        "This was declined. Ask again after the next move, or in 60 seconds.",
        {},
    ),
    "nothing_to_undo": (409, "There is nothing to take back.", {}),
    "too_many_undos": (
        409,
        "You have taken back too much in this match: play it to the end.",
        {},
    ),
    "match_full": (409, "No more can happen in this match; fork it to play on.", {}),
    "talk_full": (409, "Enough has been said at this table.", {}),
    "proposal_open": (409, "Another take-back is waiting for an answer.", {}),
    "no_proposal": (409, "No take-back is waiting for an answer.", {}),
    "own_proposal": (409, "The others answer this take-back.", {}),
    "no_time_left": (409, "Undoing this would use up the time you have.", {}),
    "no_such_time_zone": (
        422,
        "Unknown time zone: Moon/Tranquility. Use an IANA name such as Europe/Paris, or let"
        " weekends count.",
        {"field": "pace.time_zone"},
    ),
    "no_vote": (409, "Nothing is to be decided about this seat.", {}),
    "voted": (409, "You have said so already.", {}),
    "too_many_joins": (
        409,
        "Too many people have come and gone at this table: a bot can take the seat.",
        {},
    ),
    "too_many_votes": (409, "You have changed your mind too often in this match.", {}),
    "no_lost_seat": (409, "You have lost no seat here that a bot has now.", {}),
    "return_requested": (409, "You have asked the others for your seat already.", {}),
    "return_declined": (409, "The others have decided that the bot keeps the seat.", {}),
    "no_return": (409, "Nobody asks to have this seat back.", {}),
    "own_seat": (409, "The others decide about this seat.", {}),
    "no_plan_now": (409, "Nothing can be planned here now.", {}),
    "your_turn": (409, "It is your turn: play instead of planning.", {}),
    "plan_too_long": (422, "This plan is too long.", {"field": "branches"}),
    "no_days_left": (409, "Your days of vacation for this year are used up.", {}),
    "nothing_to_redo": (409, "There is nothing to play again.", {}),
    "secrets_known": (409, "You have seen what is secret here; play on alone.", {}),
    "hidden": (409, "Parts of this match are hidden from you until it ends.", {}),
    "illegal_move": (422, EXAMPLE_GAME.refusal[1], {"rule": EXAMPLE_GAME.refusal[0]}),
    "key_reused": (422, "This Idempotency-Key came with another body before.", {}),
    "bad_text": (422, "There is nothing to say in that.", {"field": "text"}),
    "no_such_seat": (422, "There is no such seat.", {}),
    "no_such_game": (404, "There is no such game.", {"field": "game"}),
    "wrong_seats": (422, "Seats: one of [1, 2, 3, 4, 5, 6].", {"field": "seats"}),
    "no_person": (422, "At least one seat is a person's.", {"field": "seats"}),
    "bad_option": (422, EXAMPLE_GAME.bad_option[1], {"field": EXAMPLE_GAME.bad_option[0]}),
    "unknown_parameter": (400, "There is no parameter “state” here.", {"field": "state"}),
    "bad_cursor": (422, "This is no cursor of ours.", {"field": "cursor"}),
    "bad_file": (422, "decision 7: the rules give other events", {"decision": 7}),
}
"""Problem codes: HTTP status, example of the detail, additional fields."""

_SEAT_PROBLEMS = ("not_your_seat", "seat_lost")
_ACTION_PROBLEMS = (
    *BODY_PROBLEMS,
    *PLAYER_REQUIRED,
    *MATCH_PROBLEMS,
    *_SEAT_PROBLEMS,
    "version_conflict",
    "key_reused",
    "imported",
    "match_full",
)

ERRORS: dict[str, tuple[str, ...]] = {
    "listGames": (),
    "previewGame": (*BODY_PROBLEMS, "no_such_game", "wrong_seats", "bad_option"),
    "createMatch": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        "no_such_game",
        "no_such_person",
        "wrong_seats",
        "no_person",
        "bad_option",
        "bad_name",
        "no_such_time_zone",
        "key_reused",
    ),
    "listMatches": (*PLAYER_REQUIRED, "unknown_parameter", "invalid_request", "bad_cursor"),
    "joinMatch": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
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
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
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
    "hideMatch": (*BODY_PROBLEMS, *PLAYER_REQUIRED, *MATCH_PROBLEMS),
    "rematch": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
        "not_your_seat",
        "not_over",
        "imported",
        "without_you",
    ),
    "getMatch": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "no_such_version",
        "not_your_seat",
        "invalid_request",
    ),
    "getLayout": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "not_started", "invalid_request"),
    "listChoices": (
        *PLAYER_OPTIONAL,
        *MATCH_PROBLEMS,
        "no_such_group",
        "not_your_seat",
        "seat_lost",
        "invalid_request",
    ),
    "listEvents": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "not_your_seat", "invalid_request"),
    "reviewMatch": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "not_your_seat", "invalid_request"),
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
    "getPlan": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, *_SEAT_PROBLEMS, "imported", "invalid_request"),
    "layPlan": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
        *_SEAT_PROBLEMS,
        "imported",
        "no_plan_now",
        "your_turn",
        "plan_too_long",
        "version_conflict",
    ),
    "listPlanChoices": (
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
        "no_such_group",
        "not_your_seat",
        "seat_lost",
        "invalid_request",
    ),
    "dropPlan": (*PLAYER_REQUIRED, *MATCH_PROBLEMS, *_SEAT_PROBLEMS, "imported", "invalid_request"),
    "getVacation": PLAYER_REQUIRED,
    "setVacation": (*BODY_PROBLEMS, *PLAYER_REQUIRED, "no_days_left"),
    "sayWords": (*_ACTION_PROBLEMS, "no_such_seat", "talk_full", "bad_text"),
    "redoMoves": (*_ACTION_PROBLEMS, "too_many_undos", "nothing_to_redo", "not_your_undo"),
    "forkMatch": (
        *BODY_PROBLEMS,
        *PLAYER_REQUIRED,
        *MATCH_PROBLEMS,
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
    "exportMatch": (*PLAYER_OPTIONAL, *MATCH_PROBLEMS, "invalid_request"),
    "importMatch": (*BODY_PROBLEMS, *PLAYER_REQUIRED, "bad_file", "key_reused"),
    "listKeys": (),
}
"""Problem codes that an operation may return, by `operation_id`."""


def no_such_match() -> ApiProblem:
    """Return `ApiProblem` 404 for a match that does not exist or that the caller may not see.

    Both cases get the same problem, so that callers cannot find out which private matches exist.
    """
    return ApiProblem(404, "no_such_match", "There is no such match.")


def no_such_group() -> ApiProblem:
    """Return `ApiProblem` 404 for a group of commands that the seat does not have now."""
    return ApiProblem(404, "no_such_group", "The seat has no such choices now.", field="group")


def match_set_aside() -> ApiProblem:
    """Return `ApiProblem` 409 for a match whose log this release cannot fold."""
    return ApiProblem(
        409, "match_set_aside", "This match cannot be read and was set aside; others go on."
    )


def version_conflict(version: int) -> ApiProblem:
    """Return `ApiProblem` 409 for an outdated version; ``version``: the match's current version."""
    return ApiProblem(409, "version_conflict", "The match has moved on.", version=version)


def malformed_command(message: str) -> ApiProblem:
    """Return `ApiProblem` 422 ``illegal_move`` for input that is no command of the game.

    ``message``: the error message of msgspec, "" if there is none.
    """
    sentence, args = translate_error(message)
    why = {"key": sentence, "args": args, "room": "kernel"}
    detail = N_("This is no command: {why}")
    return ApiProblem(422, "illegal_move", detail, args={"why": why}, rule="malformed")


def not_your_seat() -> ApiProblem:
    return ApiProblem(403, "not_your_seat", "You do not hold this seat.")


def seat_not_held(timeline: Timeline, player: str, seat: int | None) -> ApiProblem:
    """Return `ApiProblem` 403 for a seat (None for any seat) that the player does not hold.

    The code is ``seat_lost`` if the player has lost the seat, otherwise ``not_your_seat``.
    """
    lost = losses_of(timeline.latest, player)
    if any(seat in (None, loss.seat) for loss in lost):
        return ApiProblem(403, "seat_lost", "A bot has this seat now: take it back to play on.")
    return not_your_seat()


def imported_match_problem() -> ApiProblem:
    """Return `ApiProblem` 409 for an action in an imported match, which is for review only.

    In a match that was imported unfinished, anyone may have chosen the draws.
    """
    return ApiProblem(409, "imported", "An imported match is for review; fork it to play.")
