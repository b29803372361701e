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
    demonstrate_if_legal,
    has_event,
    question,
    step,
)

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
        step("goal"),
        step("symbols"),
        step("order"),
        step("steps"),
        step("changer", has_event(PlayerMoved, to="M_2"), _show(Move("M_2")), "changer_done"),
        step("borrow", has_event(MoneyBorrowed, coins=LOAN), _show(Borrow(LOAN)), "borrow_done"),
        step("stall", has_event(PlayerMoved, to="S_diamond"), _show(Move("S_diamond"))),
        step("buy", has_event(GoodsBought, good="diamond"), _show(Buy("diamond", 1)), "buy_done"),
        step("end_turn", has_event(TurnBegan, seat=1), _show(EndTurn()), "turn_done"),
        step("tower", has_event(PlayerMoved, to="T_SE"), _show(Move("T_SE")), "tower_done"),
        step("complete", has_event(IncomeShared), _complete, "complete_done"),
        step("afterwards"),
        step("more_points"),
        step("end"),
    ),
    {"keep_secrets": False},
    (Settle("G_N", "silver"), Move("S_emerald"), Buy("emerald", 1), Move("G_S"), EndTurn()),
    questions=(
        question("ask_goal", ("goal_purse", "goal_points", "goal_orders"), 1, "goal_reason"),
        question("ask_score", ("score_income", "score_sales", "score_stops"), 0, "score_reason"),
        question("ask_end", ("end_empty_towers", "end_rounds", "end_at_wealth"), 2, "end_reason"),
    ),
)
