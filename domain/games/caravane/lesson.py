"""Beginner's lesson for Caravane; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat
from domain.games.caravane.commands import Bid
from domain.games.caravane.events import BidsRevealed, CamelArrived
from domain.games.caravane.legal_commands import choices
from domain.match.lesson import IsStepDone, Lesson, Step, demonstrate_if_legal, has_event
from domain.text.i18n import N_

SEED = "9f8b9e18359031eea6a0c03612ff416f73f04cf4396c6c51333a4e1d279e43f8"


def _bid(gourds: int) -> IsStepDone:
    """Return a check that a bid of this many gourds by the learner was revealed."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(type(each) is BidsRevealed and each.gourds[0] == gourds for each in events)

    return found


def _steady(state: Any, seat: Seat) -> Any:
    """Return a bid of three gourds, or of all if there are fewer; None if no bid is due."""
    found = [each for each in choices(state, seat) if isinstance(each, Bid) and each.gourds < 4]
    return found[-1] if found else None


LESSON = Lesson(
    SEED,
    3,
    (
        Step(
            N_(
                "Three camels race to the first palace, and camels drink: "
                "for this stage you have 15 gourds of water."
            ),
        ),
        Step(
            N_("Every round all bid gourds in secret. Open your own, choose 3, and bid."),
            _bid(3),
            demonstrate_if_legal(choices, Bid(3)),
            N_("Of three camels the highest bid goes three squares, the next two, the last one."),
        ),
        Step(
            N_("One square ahead lies a full gourd, so be the last: bid 0."),
            _bid(0),
            demonstrate_if_legal(choices, Bid(0)),
            N_("You stopped on it and got two gourds. Squares that you pass do nothing."),
        ),
        Step(
            N_("Three squares ahead lies a bale of silk: bid 3 again to get there."),
            _bid(3),
            demonstrate_if_legal(choices, Bid(3)),
            N_("The bale is yours. Who has most bales after three stages wins."),
        ),
        Step(
            N_(
                "Most bales are at the palaces: the first number there is for whoever comes first. "
                "Gourds that are left then are lost."
            ),
        ),
        Step(
            N_("Bid as you like until your camel is at the palace."),
            has_event(CamelArrived),
            _steady,
            N_("You have arrived. Two longer stages follow in a whole race."),
            allows_other_moves=True,
        ),
    ),
    {"split": False, "food": False, "keep_secrets": False},
)
