"""Beginner's lesson for Caravane; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.games.caravane.commands import Bid
from domain.games.caravane.events import BidsRevealed, PalaceRewarded
from domain.games.caravane.legal_commands import choices
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    demonstrate_if_legal,
    question,
    step,
)

SEED = "9f8b9e18359031eea6a0c03612ff416f73f04cf4396c6c51333a4e1d279e43f8"


def _bid(gourds: int) -> IsStepDone:
    """Return a check that a bid of this many gourds by the learner was revealed."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(type(each) is BidsRevealed and each.gourds[0] == gourds for each in events)

    return found


def _is_rewarded(_before: Any, events: tuple[Any, ...]) -> bool:
    """Return whether all camels have reached the palace and got their silk."""
    return any(type(each) is PalaceRewarded for each in events)


def _show(command: Any) -> DemonstrateMove:
    """Return a demonstration of a command, or of several that form one move."""
    return demonstrate_if_legal(choices, command)


LESSON = Lesson(
    SEED,
    3,
    (
        step("start"),
        step("first_bid", _bid(3), _show(Bid(3)), "first_bid_done"),
        step("ties"),
        step("gourd", _bid(0), _show(Bid(0)), "gourd_done"),
        step("bale", _bid(3), _show(Bid(3)), "bale_done"),
        step("palaces"),
        step("own_bids", _is_rewarded, None, "own_bids_done", allows_other_moves=True),
        step("end"),
    ),
    {"split": False, "food": False, "keep_secrets": False},
    questions=(
        question("ask_goal", ("goal_first", "goal_water", "goal_silk"), 2, "goal_reason"),
        question("ask_score", ("score_stops", "score_bids", "score_squares"), 0, "score_reason"),
        question("ask_end", ("end_first", "end_last", "end_gourds"), 1, "end_reason"),
    ),
)
