"""Raids (rulebook, phase 3; rulings 9 to 11). Ships to the browser.

Looters wait on a trail, choose a caravan without seeing its load, and take wares from it.
"""

from typing import Any, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import AmountRange, IllegalMove, Seat
from domain.games.caravanserail import events
from domain.games.caravanserail.board import MAX_LOOT, trail_of
from domain.games.caravanserail.combinations import amount_range, is_selection
from domain.games.caravanserail.commands import ChooseCaravan, Command, Loot
from domain.games.caravanserail.state import Raid, State, board, in_order, raid_of

_Recorder: TypeAlias = EventRecorder[State, events.Event]


def begin_raids(recorder: _Recorder) -> None:
    """Determine which looters clash, miss or begin a raid; search caravans that need no choice."""
    bands: dict[str, list[int]] = {}
    for seat, (_, trail) in enumerate(recorder.state.revealed):
        if trail:
            bands.setdefault(trail, []).append(seat)
    for trail in board(recorder.state).trails:
        raiders = bands.get(trail, [])
        if len(raiders) > 1:
            recorder.emit(events.LootersClashed(trail, tuple(raiders)))
        elif raiders:
            found = caravans_on(recorder.state, trail)
            recorder.emit((events.RaidBegun if found else events.RaidMissed)(raiders[0], trail))
    _search_lone_caravans(recorder)


def _search_lone_caravans(recorder: _Recorder) -> None:
    """Search each caravan that is the only one on a raided trail, without a choice (ruling 11)."""
    for raid in recorder.state.raids:
        found = caravans_on(recorder.state, raid.trail)
        if raid.victim is None and len(found) == 1:
            recorder.emit(_search(recorder.state, raid, *found[0]))


def _search(state: State, raid: Raid, victim: Seat, caravan: int) -> events.CaravanSearched:
    return events.CaravanSearched(raid.seat, victim, caravan, state.sheikhs[victim].loads[caravan])


def caravans_on(state: State, trail: str) -> list[tuple[int, int]]:
    """Return ``(seat, caravan)`` of all caravans on a trail, in either direction."""
    return [
        (seat, caravan)
        for seat, sheikh in enumerate(state.sheikhs)
        for caravan, position in enumerate(sheikh.positions)
        if trail_of(position) == trail
    ]


def list_commands(state: State, seat: Seat) -> list[Command | AmountRange]:
    """Return the commands to choose a caravan or, once one is chosen, to loot it."""
    raid = raid_of(state, seat)
    if raid.victim is None or raid.caravan is None:
        return [ChooseCaravan(*found) for found in caravans_on(state, raid.trail)]
    loads = state.sheikhs[raid.victim].loads
    return [amount_range(Loot({}), loads[raid.caravan], MAX_LOOT)]


def decide_raid(state: State, seat: Seat, command: Any) -> Any:
    """Return the event of a command. Raises `IllegalMove` if the command is illegal."""
    raid = raid_of(state, seat)
    match command:
        case ChooseCaravan(victim=victim, caravan=caravan) if raid.victim is None:
            if (victim, caravan) not in caravans_on(state, raid.trail):
                raise IllegalMove("no_caravan", "refusal.no_caravan")
            return _search(state, raid, victim, caravan)
        case Loot(wares=wares) if raid.victim is not None and raid.caravan is not None:
            if not is_selection(wares, state.sheikhs[raid.victim].loads[raid.caravan], MAX_LOOT):
                raise IllegalMove("wrong_loot", "refusal.wrong_loot")
            return events.WaresLooted(seat, raid.victim, raid.caravan, in_order(wares))
        case _:
            raise IllegalMove("wrong_step", "refusal.loot_order")
