"""Effects of commands by phase; each command has exactly one event. Ships to the browser.

Those of the more complex phases are in `planning`, `raids` and `trading`.
"""

from typing import Any

from domain.contract.game import IllegalMove, Seat
from domain.games.caravanserail import planning, raids, trading
from domain.games.caravanserail.commands import ChooseHome, Command, Done, PayTax
from domain.games.caravanserail.events import HomeChosen, SeatDone, TaxPaid
from domain.games.caravanserail.legal_commands import free_homes
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    HOMES,
    MOVEMENT,
    PROGRAMME,
    RAID,
    State,
)


def event_of(state: State, seat: Seat, command: Command) -> Any:
    """Return the event of a command. Raises `IllegalMove` if the command is illegal.

    The seat must be one of those to act.
    """
    return _EFFECTS[state.phase](state, seat, command)


def _choose_home(state: State, seat: Seat, command: Any) -> Any:
    if not isinstance(command, ChooseHome) or command.place not in free_homes(state):
        raise IllegalMove("no_home", "refusal.no_home")
    return HomeChosen(seat, command.place)


def _finish_talk(state: State, seat: Seat, command: Any) -> Any:
    if not isinstance(command, Done):
        raise IllegalMove("wrong_step", "refusal.not_in_diplomacy")
    return SeatDone(seat)


def _pay_tax(state: State, seat: Seat, command: Any) -> Any:
    """Return the payment of one token of the visitor's choice from its caravan (ruling 7)."""
    for debt in state.debts:
        if isinstance(command, PayTax) and (debt.seat, debt.caravan) == (seat, command.caravan):
            if command.ware not in state.sheikhs[seat].loads[command.caravan]:
                raise IllegalMove("no_such_ware", "refusal.no_such_ware")
            return TaxPaid(seat, command.caravan, debt.owner, command.ware)
    raise IllegalMove("no_tax", "refusal.no_tax")


_EFFECTS: dict[str, Any] = {
    HOMES: _choose_home,
    DIPLOMACY: _finish_talk,
    PROGRAMME: planning.decide_step,
    MOVEMENT: _pay_tax,
    RAID: raids.decide_raid,
    BUSINESS: trading.decide_trade,
}
