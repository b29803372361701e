"""Beginner's lesson for Caravan Conquest; see `domain.match.lesson`. Ships to the browser.

A caravan too heavy to move buys speed, turns silk into gold before prices fall, and arrives first.
"""

from typing import Any

from domain.contract.game import Seat
from domain.games.conquest import events
from domain.games.conquest.commands import Done, Exchange, Sell, Stop
from domain.games.conquest.equipment import DONKEY, EPONA
from domain.games.conquest.legal_commands import choices
from domain.games.conquest.market import amount_held, camp_good
from domain.games.conquest.move_preview import reachable_paths
from domain.games.conquest.state import CAMP, MOVE, State, cell_of
from domain.match import lesson

SEED = "e9bf4a96d1d0017e622dc4f30655e2d9724f0d92ba7b5789ecaf1d5a20082546"
ROWS = ("GGDGPGGMGG", "GDGRGMGGDG", "BCGDGMSGDF", "GGMGRGGDGG", "DGGCGRGGMG")
CITY_PLACE, GRASS_PLACE, SILK_CAMP, FINISH_PLACE = (2, 1), (2, 4), (2, 6), (2, 9)
GOLD = 80
"""The gold at the start, which overloads the caravan by 5."""


def _show_move(place: events.Place) -> lesson.DemonstrateMove:
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


def _on_stop(place: events.Place) -> lesson.IsStepDone:
    """Return a check that the learner's movement ended at a place."""
    ended = lesson.has_event(events.CaravanStopped)

    def found(before: State, emitted: tuple[Any, ...]) -> bool:
        cell = before.players[0].at
        moved = [each.to for each in emitted if hasattr(each, "to")]
        there = moved[-1] if moved else divmod(cell, before.stride)
        return ended(before, emitted) and tuple(there) == place

    return found


def _sell_all(state: State, seat: Seat) -> Any:
    """Return the sale of all silk, or None if the seat is not at a silk camp or has no silk."""
    if state.seat != seat or state.step != CAMP or camp_good(state) != "silk":
        return None
    most = amount_held(state.players[seat], "silk")
    return Sell(most) if most else None


def _show(command: Any) -> lesson.DemonstrateMove:
    """Return a demonstration of a command, or of several that form one move."""
    return lesson.demonstrate_if_legal(choices, command)


LESSON = lesson.Lesson(
    SEED,
    2,
    (
        lesson.step("goal"),
        lesson.step("symbols"),
        lesson.step(
            "load",
            _on_stop(CITY_PLACE),
            _show_move(CITY_PLACE),
            "load_done",
            allows_other_moves=True,
        ),
        lesson.step(
            "exchange",
            lesson.has_event(events.Refitted),
            _show(Exchange(DONKEY, EPONA)),
            "exchange_done",
        ),
        lesson.step(
            "exchange_second",
            lesson.has_event(events.Refitted),
            _show(Exchange(DONKEY, EPONA)),
            "exchange_second_done",
        ),
        lesson.step("leave", lesson.has_event(events.MarketLeft), _show(Done()), "leave_done"),
        lesson.step(
            "stop",
            _on_stop(GRASS_PLACE),
            _show_move(GRASS_PLACE),
            "stop_done",
            allows_other_moves=True,
        ),
        lesson.step(
            "camp", _on_stop(SILK_CAMP), _show_move(SILK_CAMP), "camp_done", allows_other_moves=True
        ),
        lesson.step("sell", lesson.has_event(events.Sold), _sell_all, "sell_done"),
        lesson.step("leave_camp", lesson.has_event(events.MarketLeft), _show(Done())),
        lesson.step(
            "finish",
            lesson.has_event(events.FinishReached),
            _show_move(FINISH_PLACE),
            "finish_done",
            allows_other_moves=True,
        ),
        lesson.step("end"),
    ),
    {
        "map": "custom",
        "size": "standard",
        "seed": 0,
        "custom": {"rows": ROWS, "treasure": (), "name": ""},
        "patience": 60,
        "gold": GOLD,
    },
    questions=(
        lesson.question("ask_goal", ("goal_fastest", "goal_wealth", "goal_gold"), 1, "goal_reason"),
        lesson.question("ask_score", ("score_gold", "score_goods", "score_all"), 2, "score_reason"),
        lesson.question("ask_end", ("end_ten_rounds", "end_at_once", "end_sold"), 0, "end_reason"),
    ),
)
