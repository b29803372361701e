"""Beginner's lesson for Caravansérail; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat
from domain.games.caravanserail.commands import (
    ChooseHome,
    Command,
    Done,
    Load,
    Order,
    SendLooters,
    Wares,
)
from domain.games.caravanserail.events import HomeChosen, ProgrammesRevealed, SeatDone
from domain.games.caravanserail.legal_commands import choices
from domain.games.caravanserail.state import State
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    Step,
    demonstrate_if_legal,
    has_event,
)
from domain.text.i18n import N_

SEED = "34127b59321f3dbaec3bf58e12b0f7ce191c6b73bab970510b419a79fa996d6d"
HOME, TRAIL, OASIS = "D", "DI", "I"


def _plan(to: str, wares: Wares) -> DemonstrateMove:
    """Return a demonstration of a whole programme.

    Caravan 0 goes to ``to``, loaded with the wares; the others stay at home.
    """
    orders: list[Command] = [Order(0, to), Order(1, HOME), Order(2, HOME)]
    plan = (*orders, SendLooters(None), Load(0, wares), Load(1, {}), Load(2, {}))

    def shown(state: State, seat: Seat) -> Any:
        return plan if plan[0] in choices(state, seat) else None

    return shown


def _on_arrival(to: str) -> IsStepDone:
    """Return a check that the learner's caravan 0 was ordered to ``to``, once revealed."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(type(each) is ProgrammesRevealed and each.orders[0][0] == to for each in events)

    return found


LESSON = Lesson(
    SEED,
    6,
    (
        Step(
            N_("Every sheikh lives in a caravanserai. Choose the ringed one, and settle there."),
            has_event(HomeChosen, place=HOME),
            demonstrate_if_legal(choices, ChooseHome(HOME)),
            N_("Three caravans and a band of looters wait in your home."),
        ),
        Step(
            N_(
                "A secret card names the wares that you must bring home. "
                "Hold the cover whenever you want to look."
            ),
        ),
        Step(
            N_("Open your plan: send caravan 1 towards the oasis, load two spices, and seal it."),
            _on_arrival(TRAIL),
            _plan(TRAIL, {"spices": 2}),
            N_("All plans were opened at once, and all caravans moved."),
        ),
        Step(
            N_("Wares change hands at places only, and you are on a trail: you are done."),
            has_event(SeatDone),
            demonstrate_if_legal(choices, Done()),
            N_("The next turn: everybody plans again."),
        ),
        Step(
            N_("A caravan on a trail must go on: let it stop in the oasis, and seal the plan."),
            _on_arrival(OASIS),
            _plan(OASIS, {}),
            N_("Whoever is at an oasis may trade what the caravans there carry."),
        ),
        Step(
            N_("Offers pass in secret from one to one, and promises bind nobody. Be done for now."),
            has_event(SeatDone),
            demonstrate_if_legal(choices, Done()),
            N_("That was a whole turn."),
        ),
        Step(
            N_(
                "Looters rob caravans on trails; places are safe. "
                "Whoever first has all wares of the card at home wins."
            ),
        ),
    ),
    {"business_minutes": 0, "diplomacy": False, "keep_secrets": False},
)
