"""Beginner's lesson for the courtyard game; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat
from domain.games.courtyard.commands import Buy, DrawOrders, KeepOrder, Move, Settle, Share
from domain.games.courtyard.events import (
    GoodsBought,
    IncomeShared,
    MinorsDrawn,
    PlayerMoved,
    PlayerSettled,
)
from domain.games.courtyard.legal_commands import choices
from domain.games.courtyard.state import State
from domain.match.lesson import Lesson, Step, demonstrate_if_legal, has_event
from domain.text.i18n import N_

SEED = "11a88159be650d02be1a7319c4104cf74a6329c9ab1e2d2e89f779351506b81f"


def _complete(state: State, seat: Seat) -> Any:
    """Return the commands that complete a drawn order and turn its whole income into wealth.

    Return None if no drawn order can be completed.
    """
    commands = choices(state, seat)
    if Share(0, 0) in commands:
        return Share(0, 0)
    found = [each for each in commands if isinstance(each, KeepOrder) and each.now]
    return (found[0], Share(0, 0)) if found else None


LESSON = Lesson(
    SEED,
    2,
    (
        Step(
            N_("You begin at a gate with one good. Choose the north gate and silver."),
            has_event(PlayerSettled, gate="G_N", good="silver"),
            demonstrate_if_legal(choices, Settle("G_N", "silver")),
            N_("There you stand, with two dirhams in your purse."),
        ),
        Step(
            N_("A turn has two moves, each of up to three steps. Go to the emerald stall."),
            has_event(PlayerMoved, to="S_emerald"),
            demonstrate_if_legal(choices, Move("S_emerald")),
            N_("After a move you may do what its place offers."),
        ),
        Step(
            N_("Buy an emerald for your two dirhams."),
            has_event(GoodsBought, good="emerald"),
            demonstrate_if_legal(choices, Buy("emerald", 1)),
            N_("A silver and an emerald: somebody may want just these."),
        ),
        Step(
            N_("Go through the middle to the south gate: orders are drawn there."),
            has_event(PlayerMoved, to="G_S"),
            demonstrate_if_legal(choices, Move("G_S")),
            N_("Three steps, past a pavilion."),
        ),
        Step(
            N_("Draw two minor orders. Only you will see them."),
            has_event(MinorsDrawn),
            demonstrate_if_legal(choices, DrawOrders()),
            N_("You keep one, and may complete it if you have its goods."),
        ),
        Step(
            N_("Open your secret, complete the ringed order at once, and leave all to wealth."),
            has_event(IncomeShared),
            _complete,
            N_("Orders make rich; large ones hang on the towers."),
        ),
        Step(
            N_("Whoever has a wealth of 32 brings on the last round. End your turn when you like."),
        ),
    ),
    {"keep_secrets": False},
)
