"""Beginner's lesson for Caravan Conquest; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat
from domain.games.conquest.commands import Done, Exchange, Sell, Stop
from domain.games.conquest.equipment import DONKEY, EPONA
from domain.games.conquest.events import CaravanStopped, MarketLeft, Place, Refitted, Sold
from domain.games.conquest.legal_commands import choices
from domain.games.conquest.market import amount_held, camp_good
from domain.games.conquest.move_preview import reachable_paths
from domain.games.conquest.state import CAMP, MOVE, State, cell_of
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    Step,
    demonstrate_if_legal,
    has_event,
)
from domain.text.i18n import N_

SEED = "e9bf4a96d1d0017e622dc4f30655e2d9724f0d92ba7b5789ecaf1d5a20082546"
ROWS = ("GGMGGDGMG", "BGDGSGCGF", "GDGGGMGGG")
DESERT, SILK_CAMP, CITY = (1, 2), (1, 4), (1, 6)


def _show_move(place: Place) -> DemonstrateMove:
    """Return a demonstration that moves to a place step by step and ends the movement there."""

    def shown(state: State, seat: Seat) -> Any:
        if state.seat != seat or state.step != MOVE:
            return None
        cell = cell_of(state, place)
        if state.players[seat].at == cell:
            return Stop()
        path = reachable_paths(state).get(cell)
        if path is None:
            return None
        return (*path, Stop()) if len(path) < state.speed - state.walked else path

    return shown


def _on_stop(place: Place) -> IsStepDone:
    """Return a check that the learner's movement ended at a place."""
    ended = has_event(CaravanStopped)

    def found(before: State, events: tuple[Any, ...]) -> bool:
        cell = before.players[0].at
        moved = [each.to for each in events if hasattr(each, "to")]
        there = moved[-1] if moved else divmod(cell, before.stride)
        return ended(before, events) and tuple(there) == place

    return found


def _sell_all(state: State, seat: Seat) -> Any:
    """Return the sale of all silk, or None if the seat is not at a silk camp or has no silk."""
    if state.seat != seat or state.step != CAMP or camp_good(state) != "silk":
        return None
    most = amount_held(state.players[seat], "silk")
    return Sell(most) if most else None


LESSON = Lesson(
    SEED,
    2,
    (
        Step(
            N_("Your caravan goes three steps a turn. Tap the ringed desert, then “Go and stop”."),
            _on_stop(DESERT),
            _show_move(DESERT),
            N_("Where you stop counts: the desert gave you a silk, and a card."),
            allows_other_moves=True,
        ),
        Step(
            N_("Sand makes slow: you have two steps now. They lead to the silk camp."),
            _on_stop(SILK_CAMP),
            _show_move(SILK_CAMP),
            N_("Trade camps draw no cards. Here a silk is worth 10 gold."),
            allows_other_moves=True,
        ),
        Step(
            N_("Sell all your silk: choose “All”, then sell."),
            has_event(Sold),
            _sell_all,
            N_("Gold buys faster animals."),
        ),
        Step(
            N_("Leave the camp with “Go on”."),
            has_event(MarketLeft),
            demonstrate_if_legal(choices, Done()),
            N_("The bot has made its way, too."),
        ),
        Step(
            N_("Go on to the city, and stop there."),
            _on_stop(CITY),
            _show_move(CITY),
            N_("A city changes animals and caravans, and pays half for the old ones."),
            allows_other_moves=True,
        ),
        Step(
            N_("Change a donkey for Epona, a horse that goes five steps."),
            has_event(Refitted),
            demonstrate_if_legal(choices, Exchange(DONKEY, EPONA)),
            N_("The slower of your two animals counts."),
        ),
        Step(
            N_("So change the other donkey as well."),
            has_event(Refitted),
            demonstrate_if_legal(choices, Exchange(DONKEY, EPONA)),
            N_("Five steps a turn from now on!"),
        ),
        Step(
            N_(
                "The finish lies in the east. Among those who get there the wealthiest wins: "
                "gold, goods and half of what animals cost."
            ),
        ),
    ),
    {
        "map": "custom",
        "size": "standard",
        "seed": 0,
        "custom": {"rows": ROWS, "treasure": (), "name": ""},
        "patience": 60,
    },
)
