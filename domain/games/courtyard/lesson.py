"""Beginner's lesson for the courtyard game; see `domain.match.lesson`. Ships to the browser.

A loan pays for the last good of a tower's order, which the fountain's arrow makes dearer.
"""

from typing import Any

from domain.contract.game import Seat
from domain.games.courtyard.commands import Borrow, Buy, EndTurn, FillOrder, Move, Settle, Share
from domain.games.courtyard.events import (
    GoodsBought,
    IncomeShared,
    MoneyBorrowed,
    PlayerMoved,
    TurnBegan,
)
from domain.games.courtyard.legal_commands import choices
from domain.games.courtyard.state import INCOME, State
from domain.match.lesson import (
    DemonstrateMove,
    Lesson,
    Question,
    Step,
    demonstrate_if_legal,
    has_event,
)
from domain.text.i18n import N_

SEED = "b318b24b43c208054026dcecb4b0e70dab50e024d536788ccc8bc7216056a08f"
LOAN = 3


def _complete(state: State, seat: Seat) -> Any:
    """Return the commands that complete the tower's order and repay the loan; None if illegal."""
    share = Share(LOAN, 0)
    if state.step == INCOME:
        return share if share in choices(state, seat) else None
    return (FillOrder(), share) if FillOrder() in choices(state, seat) else None


def _show(command: Any) -> DemonstrateMove:
    """Return a demonstration of a command, or of several that form one move."""
    return demonstrate_if_legal(choices, command)


LESSON = Lesson(
    SEED,
    2,
    (
        Step(N_("lesson.goal")),
        Step(N_("lesson.symbols")),
        Step(N_("lesson.order")),
        Step(N_("lesson.steps")),
        Step(
            N_("lesson.changer"),
            has_event(PlayerMoved, to="M_2"),
            _show(Move("M_2")),
            N_("lesson.changer_done"),
        ),
        Step(
            N_("lesson.borrow"),
            has_event(MoneyBorrowed, coins=LOAN),
            _show(Borrow(LOAN)),
            N_("lesson.borrow_done"),
        ),
        Step(N_("lesson.stall"), has_event(PlayerMoved, to="S_diamond"), _show(Move("S_diamond"))),
        Step(
            N_("lesson.buy"),
            has_event(GoodsBought, good="diamond"),
            _show(Buy("diamond", 1)),
            N_("lesson.buy_done"),
        ),
        Step(
            N_("lesson.end_turn"),
            has_event(TurnBegan, seat=1),
            _show(EndTurn()),
            N_("lesson.turn_done"),
        ),
        Step(
            N_("lesson.tower"),
            has_event(PlayerMoved, to="T_SE"),
            _show(Move("T_SE")),
            N_("lesson.tower_done"),
        ),
        Step(N_("lesson.complete"), has_event(IncomeShared), _complete, N_("lesson.complete_done")),
        Step(N_("lesson.afterwards")),
        Step(N_("lesson.more_points")),
        Step(N_("lesson.end")),
    ),
    {"keep_secrets": False},
    (Settle("G_N", "silver"), Move("S_emerald"), Buy("emerald", 1), Move("G_S"), EndTurn()),
    questions=(
        Question(
            N_("lesson.ask_goal"),
            (N_("lesson.goal_purse"), N_("lesson.goal_points"), N_("lesson.goal_orders")),
            1,
            N_("lesson.goal_reason"),
        ),
        Question(
            N_("lesson.ask_score"),
            (N_("lesson.score_income"), N_("lesson.score_sales"), N_("lesson.score_stops")),
            0,
            N_("lesson.score_reason"),
        ),
        Question(
            N_("lesson.ask_end"),
            (N_("lesson.end_empty_towers"), N_("lesson.end_rounds"), N_("lesson.end_at_wealth")),
            2,
            N_("lesson.end_reason"),
        ),
    ),
)
