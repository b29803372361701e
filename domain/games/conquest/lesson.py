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
from domain.text.i18n import N_

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
        lesson.Step(N_("lesson.goal")),
        lesson.Step(N_("lesson.symbols")),
        lesson.Step(
            N_("lesson.load"),
            _on_stop(CITY_PLACE),
            _show_move(CITY_PLACE),
            N_("lesson.load_done"),
            allows_other_moves=True,
        ),
        lesson.Step(
            N_("lesson.exchange"),
            lesson.has_event(events.Refitted),
            _show(Exchange(DONKEY, EPONA)),
            N_("lesson.exchange_done"),
        ),
        lesson.Step(
            N_("lesson.exchange_second"),
            lesson.has_event(events.Refitted),
            _show(Exchange(DONKEY, EPONA)),
            N_("lesson.exchange_second_done"),
        ),
        lesson.Step(
            N_("lesson.leave"),
            lesson.has_event(events.MarketLeft),
            _show(Done()),
            N_("lesson.leave_done"),
        ),
        lesson.Step(
            N_("lesson.stop"),
            _on_stop(GRASS_PLACE),
            _show_move(GRASS_PLACE),
            N_("lesson.stop_done"),
            allows_other_moves=True,
        ),
        lesson.Step(
            N_("lesson.camp"),
            _on_stop(SILK_CAMP),
            _show_move(SILK_CAMP),
            N_("lesson.camp_done"),
            allows_other_moves=True,
        ),
        lesson.Step(
            N_("lesson.sell"), lesson.has_event(events.Sold), _sell_all, N_("lesson.sell_done")
        ),
        lesson.Step(N_("lesson.leave_camp"), lesson.has_event(events.MarketLeft), _show(Done())),
        lesson.Step(
            N_("lesson.finish"),
            lesson.has_event(events.FinishReached),
            _show_move(FINISH_PLACE),
            N_("lesson.finish_done"),
            allows_other_moves=True,
        ),
        lesson.Step(N_("lesson.end")),
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
        lesson.Question(
            N_("lesson.ask_goal"),
            (N_("lesson.goal_fastest"), N_("lesson.goal_wealth"), N_("lesson.goal_gold")),
            1,
            N_("lesson.goal_reason"),
        ),
        lesson.Question(
            N_("lesson.ask_score"),
            (N_("lesson.score_gold"), N_("lesson.score_goods"), N_("lesson.score_all")),
            2,
            N_("lesson.score_reason"),
        ),
        lesson.Question(
            N_("lesson.ask_end"),
            (N_("lesson.end_ten_rounds"), N_("lesson.end_at_once"), N_("lesson.end_sold")),
            0,
            N_("lesson.end_reason"),
        ),
    ),
)
