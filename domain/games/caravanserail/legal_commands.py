"""Seats to act and their legal commands, by phase. Ships to the browser.

Those of the more complex phases are in `planning`, `raids` and `trading`.
"""

from typing import Any

from domain.contract.choice_groups import flatten_options, group_by_type
from domain.contract.game import AmountRange, Group, Seat
from domain.games.caravanserail import planning, raids, trading
from domain.games.caravanserail.board import caravanserais
from domain.games.caravanserail.commands import ChooseHome, Command, Done, PayTax
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    HOMES,
    MOVEMENT,
    PROGRAMME,
    PROGRAMME_STEPS,
    RAID,
    Sheikh,
    State,
    board,
)


def seats_to_act(state: State) -> tuple[int, ...]:
    """Return the seats to act in the current phase."""
    match state.phase:
        case "homes":
            homeless = [seat for seat in state.order if not state.sheikhs[seat].home]
            return tuple(homeless[:1])
        case "movement":
            return tuple(sorted({debt.seat for debt in state.debts}))
        case "raid":
            return tuple(sorted([raid.seat for raid in state.raids]))
        case "over":
            return ()
        case _:
            return tuple(
                [seat for seat, sheikh in enumerate(state.sheikhs) if _awaited(state, sheikh)]
            )


def _awaited(state: State, sheikh: Sheikh) -> bool:
    if state.phase == PROGRAMME:
        return planning.steps_taken(sheikh) < PROGRAMME_STEPS
    return trading.is_active(sheikh)


def choices(state: State, seat: Seat) -> list[Command]:
    """Return all legal commands of the seat; the list itself is secret."""
    return flatten_options(_commands(state, seat))


def groups(state: State, seat: Seat) -> tuple[Group, ...]:
    """Return the seat's legal commands by type, with ranges for commands with ``wares``."""
    return group_by_type(_commands(state, seat))


def _commands(state: State, seat: Seat) -> list[Command | AmountRange]:
    if seat not in seats_to_act(state):
        return []
    return _COMMANDS_BY_PHASE[state.phase](state, seat)  # type: ignore[no-any-return]


def _home_choices(state: State, seat: Seat) -> list[Command]:
    return [ChooseHome(place) for place in free_homes(state)]


def free_homes(state: State) -> list[str]:
    """Return the caravanserais that no seat has chosen as its home."""
    taken = [sheikh.home for sheikh in state.sheikhs]
    return [place for place in caravanserais(board(state)) if place not in taken]


def _done_choice(state: State, seat: Seat) -> list[Command]:
    return [Done()]


def _tax_choices(state: State, seat: Seat) -> list[Command]:
    return [
        PayTax(debt.caravan, ware)
        for debt in state.debts
        if debt.seat == seat
        for ware in state.sheikhs[seat].loads[debt.caravan]
    ]


_COMMANDS_BY_PHASE: dict[str, Any] = {
    HOMES: _home_choices,
    DIPLOMACY: _done_choice,
    PROGRAMME: planning.list_commands,
    MOVEMENT: _tax_choices,
    RAID: raids.list_commands,
    BUSINESS: trading.list_commands,
}
