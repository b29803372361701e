"""The secret programme of a seat: its steps and their legal commands (rulebook, phase 1).

All seats plan at the same time. A programme has seven steps in a fixed order, one event each: an
order for each caravan, the looters, and a load for each caravan. Thus the number of events reveals
only the number of steps taken; a caravan that may not be loaded also has its step, with no wares.
Ships to the browser.
"""

from typing import Any

from domain.contract.game import AmountRange, IllegalMove, Seat
from domain.games.caravanserail import events
from domain.games.caravanserail.board import (
    CARAVAN_CAPACITY,
    CARAVANS_PER_SEAT,
    continuations,
    destination,
    leaves_home,
    trails_without,
)
from domain.games.caravanserail.combinations import amount_range, is_selection
from domain.games.caravanserail.commands import Command, Load, Order, SendLooters
from domain.games.caravanserail.state import PROGRAMME_STEPS, Sheikh, State, board, in_order, minus


def steps_taken(sheikh: Sheikh) -> int:
    """Return the number of programme steps that a seat has taken."""
    return len(sheikh.orders) + (sheikh.looters is not None) + len(sheikh.packed)


def list_commands(state: State, seat: Seat) -> list[Command | AmountRange]:
    """Return the legal commands of the seat's next step; none if its programme is complete."""
    sheikh = state.sheikhs[seat]
    step = steps_taken(sheikh)
    if step < CARAVANS_PER_SEAT:
        return _orders(state, sheikh, step)
    if step == CARAVANS_PER_SEAT:
        return [SendLooters(trail) for trail in (None, *raidable_trails(state, seat))]
    if step < PROGRAMME_STEPS:
        return [_load(sheikh, step - CARAVANS_PER_SEAT - 1)]
    return []


def _orders(state: State, sheikh: Sheikh, caravan: int) -> list[Command | AmountRange]:
    return [Order(caravan, to) for to in continuations(board(state), sheikh.positions[caravan])]


def raidable_trails(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the trails to which the seat may send its looters, once its orders are given.

    Empty in the turn after the looters were used (ruling 8); trails on which one of its caravans
    will be are excluded.
    """
    sheikh = state.sheikhs[seat]
    if state.turn - sheikh.raided == 1:
        return ()
    return trails_without(board(state).trails, sheikh.orders)


def can_load(sheikh: Sheikh, caravan: int) -> bool:
    """Return whether a caravan is at home and ordered to leave (ruling 5)."""
    return leaves_home(sheikh.home, sheikh.positions[caravan], sheikh.orders[caravan])


def _unpacked_wares(sheikh: Sheikh) -> dict[str, int]:
    """Return the treasure without the wares packed so far."""
    left = sheikh.treasure
    for wares in sheikh.packed:
        left = minus(left, wares)
    return left


def _load(sheikh: Sheikh, caravan: int) -> AmountRange:
    most = CARAVAN_CAPACITY if can_load(sheikh, caravan) else 0
    return amount_range(Load(caravan, {}), _unpacked_wares(sheikh), most)


def decide_step(state: State, seat: Seat, command: Any) -> Any:
    """Return the event of the seat's next step. Raises `IllegalMove` if the command is illegal."""
    sheikh = state.sheikhs[seat]
    step = steps_taken(sheikh)
    match command:
        case Order(caravan=caravan, to=to) if step < CARAVANS_PER_SEAT:
            _check_caravan(caravan, step)
            if to not in continuations(board(state), sheikh.positions[caravan]):
                raise IllegalMove("no_way", "refusal.no_way")
            return events.OrderGiven(seat, caravan, to)
        case SendLooters(trail=trail) if step == CARAVANS_PER_SEAT:
            if trail is not None and trail not in raidable_trails(state, seat):
                raise IllegalMove("no_raid", "refusal.no_raid")
            return events.LootersSent(seat, trail or "")
        case Load(caravan=caravan, wares=wares) if CARAVANS_PER_SEAT < step < PROGRAMME_STEPS:
            _check_caravan(caravan, step - CARAVANS_PER_SEAT - 1)
            most = CARAVAN_CAPACITY if can_load(sheikh, caravan) else 0
            if not is_selection(wares, _unpacked_wares(sheikh), most):
                raise IllegalMove("wrong_load", "refusal.wrong_load")
            return events.CaravanLoaded(seat, caravan, in_order(wares))
        case _:
            raise IllegalMove("wrong_step", "refusal.plan_order")


def _check_caravan(caravan: int, due: int) -> None:
    if caravan != due:
        raise IllegalMove("wrong_caravan", "refusal.wrong_caravan", caravan=due + 1)


def take_back(state: State, seat: Seat) -> list[Any]:
    """Return the event that withdraws programme steps, if any were taken, as a list.

    A complete programme is withdrawn as a whole, an incomplete one by its last step.
    """
    done = steps_taken(state.sheikhs[seat])
    if not done:
        return []
    return [events.ProgrammeWithdrawn(seat, 0 if done == PROGRAMME_STEPS else done - 1)]


def reveal_programmes(state: State) -> events.ProgrammesRevealed:
    """Return the event that reveals all programmes, with missing orders filled in (ruling 4)."""
    return events.ProgrammesRevealed(
        tuple([_corrected_orders(state, sheikh) for sheikh in state.sheikhs]),
        tuple([sheikh.looters or "" for sheikh in state.sheikhs]),
    )


def _corrected_orders(state: State, sheikh: Sheikh) -> tuple[str, ...]:
    given = [*sheikh.orders, *[None] * CARAVANS_PER_SEAT]
    return tuple(
        [
            destination(board(state), position, given[caravan])
            for caravan, position in enumerate(sheikh.positions)
        ]
    )
