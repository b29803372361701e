"""Beginner's lesson for Caravansérail; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.games.caravanserail.board import TREASURE
from domain.games.caravanserail.commands import (
    Accept,
    Ask,
    ChooseHome,
    Command,
    Decline,
    Done,
    Draft,
    Give,
    Load,
    Loot,
    Order,
    PayTax,
    SendLooters,
    Wares,
)
from domain.games.caravanserail.events import (
    CaravanUnloaded,
    OfferDeclined,
    OfferMade,
    ProgrammesRevealed,
    SeatDone,
    TaxPaid,
    WaresExchanged,
    WaresLooted,
)
from domain.games.caravanserail.legal_commands import choices
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    demonstrate_if_legal,
    has_event,
    question,
    step,
)

SEED = "12f30b8a865eb01f0bcc24ff9753c7ac659b7b1f34e4bb54462c21c58d315c2d"
HOME, THERE, BACK, HOST, RAIDED = "A", "F", "FA", 3, "DE"
REFUSED, ACCEPTED = 2, 4
"""The bots whose offers are declined and accepted."""
CARGO: Wares = {"salt": 2, "dates": 2}
TAX = PayTax(0, "dates")
LOOT = Loot({"spices": 2})
OFFER = (Draft(0, HOST, TREASURE), Give({"salt": 2}), Ask({"silk": 2}))


def _plan(to: str, trail: str | None = None, wares: Wares | None = None) -> tuple[Command, ...]:
    """Return a whole plan: caravan 0 goes to ``to``, the others stay at home.

    ``trail``: where the looters go, if anywhere; ``wares``: the load of caravan 0.
    """
    orders: list[Command] = [Order(0, to), Order(1, HOME), Order(2, HOME)]
    return (*orders, SendLooters(trail), Load(0, wares or {}), Load(1, {}), Load(2, {}))


def _is_revealed(to: str, trail: str = "") -> IsStepDone:
    """Return a check that the learner's caravan 0 and looters were ordered there, once revealed."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(
            type(each) is ProgrammesRevealed and (each.orders[0][0], each.looters[0]) == (to, trail)
            for each in events
        )

    return found


def _is_loaded(before: Any, events: tuple[Any, ...]) -> bool:
    """Return whether the learner's caravan 0 left with the cargo, once all plans are revealed."""
    left = _is_revealed(HOME + THERE)(before, events)
    return left and dict(before.sheikhs[0].packed[0]) == CARGO


def _show(command: Any) -> DemonstrateMove:
    """Return a demonstration of a command, or of several that form one move."""
    return demonstrate_if_legal(choices, command)


LESSON = Lesson(
    SEED,
    6,
    (
        step("goal"),
        step("load", _is_loaded, _show(_plan(HOME + THERE, None, CARGO)), "loaded"),
        step("nothing_to_trade", has_event(SeatDone), _show(Done()), "notation"),
        step(
            "plan_visit", _is_revealed(THERE, RAIDED), _show(_plan(THERE, RAIDED)), "plans_revealed"
        ),
        step("pay", has_event(TaxPaid), _show(TAX), "paid"),
        step("raid", has_event(WaresLooted), _show(LOOT), "raided"),
        step("trade", has_event(OfferMade), _show(OFFER), "traded"),
        step("done_for_now", has_event(SeatDone), _show(Done()), "next_turn"),
        step("plan_return", _is_revealed(BACK), _show(_plan(BACK)), "on_the_way"),
        step("on_trail", has_event(SeatDone), _show(Done())),
        step("plan_home", has_event(CaravanUnloaded), _show(_plan(HOME)), "scored"),
        step("answer", has_event(OfferDeclined, partner=REFUSED), _show(Decline(REFUSED))),
        step(
            "accept",
            has_event(WaresExchanged, partner=ACCEPTED),
            _show(Accept(ACCEPTED)),
            "accepted",
        ),
        step("win"),
    ),
    {"business_minutes": 0, "diplomacy": False, "keep_secrets": False},
    opening=(ChooseHome(HOME),),
    questions=(
        question("ask_goal", ("goal_most", "goal_card", "goal_raids"), 1, "goal_reason"),
        question("ask_score", ("score_caravans", "score_all", "score_treasure"), 2, "score_reason"),
        question("ask_end", ("end_complete", "end_ten_turns", "end_home"), 0, "end_reason"),
    ),
)
