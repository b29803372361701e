"""Beginner's lesson for Caravane; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.games.caravane.commands import Bid
from domain.games.caravane.events import BidsRevealed, PalaceRewarded
from domain.games.caravane.legal_commands import choices
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    Question,
    Step,
    demonstrate_if_legal,
)
from domain.text.i18n import N_

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
        Step(N_("lesson.start")),
        Step(N_("lesson.first_bid"), _bid(3), _show(Bid(3)), N_("lesson.first_bid_done")),
        Step(N_("lesson.ties")),
        Step(N_("lesson.gourd"), _bid(0), _show(Bid(0)), N_("lesson.gourd_done")),
        Step(N_("lesson.bale"), _bid(3), _show(Bid(3)), N_("lesson.bale_done")),
        Step(N_("lesson.palaces")),
        Step(
            N_("lesson.own_bids"),
            _is_rewarded,
            None,
            N_("lesson.own_bids_done"),
            allows_other_moves=True,
        ),
        Step(N_("lesson.end")),
    ),
    {"split": False, "food": False, "keep_secrets": False},
    questions=(
        Question(
            N_("lesson.ask_goal"),
            (N_("lesson.goal_first"), N_("lesson.goal_water"), N_("lesson.goal_silk")),
            2,
            N_("lesson.goal_reason"),
        ),
        Question(
            N_("lesson.ask_score"),
            (N_("lesson.score_stops"), N_("lesson.score_bids"), N_("lesson.score_squares")),
            0,
            N_("lesson.score_reason"),
        ),
        Question(
            N_("lesson.ask_end"),
            (N_("lesson.end_first"), N_("lesson.end_last"), N_("lesson.end_gourds")),
            1,
            N_("lesson.end_reason"),
        ),
    ),
)
