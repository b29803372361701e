"""Rules of Caravan Conquest; ruling numbers are those of the game's rule notes.

In each round every caravan may move as far as its animals, the ground and its load allow, one step
per command. The tile on which it stops gives something, then a card is drawn; at camps and in
cities the seat trades instead. The wealth of a caravan is fixed when it reaches the finish; the
game ends ten rounds after the round of the first finish. Nothing is hidden: decks have no stored
order (`domain.toolkit.deck`). Ships to the browser.
"""

from typing import TYPE_CHECKING, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.contract.trait_defaults import keeps_secrets, redact, reveals, take_back, time_limit
from domain.games.conquest import commands, events
from domain.games.conquest.caravan_stats import prices
from domain.games.conquest.commands import COMMANDS, Command
from domain.games.conquest.effects import drop_load, end_movement, make_step
from domain.games.conquest.encounters import answer_fortune_teller, apply_answer, draw_card
from domain.games.conquest.equipment import RESOURCES
from domain.games.conquest.events import EVENTS, Event
from domain.games.conquest.evolve import evolve
from domain.games.conquest.generator import MAX_SEED, generate_map
from domain.games.conquest.legal_commands import choices, extra_steps, groups
from domain.games.conquest.maps import PRESETS
from domain.games.conquest.market import exchanges, refit_event, trade_event, trades
from domain.games.conquest.move_preview import OASIS_GAIN
from domain.games.conquest.options import Options, drawn_map
from domain.games.conquest.scoring import standings
from domain.games.conquest.state import CAMP, CITY_STEP, EXTRA, OVER, State
from domain.games.conquest.tell import label, tell
from domain.games.conquest.title import TITLE
from domain.games.conquest.turns import next_turn, open_turn, stay
from domain.games.conquest.view import view

_Recorder: TypeAlias = EventRecorder[State, Event]


# --- the game begins ------------------------------------------------------------------------


def setup(
    options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Set up the map and the caravans, draw the starting seat (ruling 22) and begin its turn.

    The starting gear is an option since rules version 2. Overload slows down the first turn like
    any other (ruling 24).
    """
    recorder: _Recorder = EventRecorder.begin(_map(options, seats, draw), evolve)
    if version > 1:
        recorder.emit(_gear(options))
    starter = draw(seats)
    recorder.emit(events.StarterDrawn(starter))
    recorder.emit(events.RoundOpened(1, *prices(0, 1)))
    open_turn(recorder, starter)
    return recorder


def _gear(options: Options) -> events.StartingGearSet:
    one, other = options.animals  # a list if the options come from a file or the page
    return events.StartingGearSet(
        options.gold, options.spice, options.silk, (one, other), options.caravan
    )


def _map(options: Options, seats: int, draw: Draw) -> events.MapLaid:
    kind, patience = options.map, options.patience
    if kind == "custom":
        plan = drawn_map(options.custom)
        return events.MapLaid(seats, kind, plan.name, 0, plan.rows, plan.treasure, patience)
    if kind == "generated":
        seed = options.seed or 1 + draw(MAX_SEED)
        chart = generate_map(options.size, seed)
        return events.MapLaid(seats, kind, "", seed, chart.rows, chart.treasure, patience)
    chart = PRESETS[kind]
    return events.MapLaid(seats, kind, "", 0, chart.rows, chart.treasure, patience)


# --- whose turn, which choices --------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat to act as a one-element tuple; empty when the game is over."""
    return () if state.step in ("", OVER) else (state.seat,)


def turn(state: State) -> int:
    """Return the number of the current turn; missed turns count."""
    return state.turn


# --- the seat acts --------------------------------------------------------------------------


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Apply a command and everything that follows, up to the next choice of any seat.

    Raises `IllegalMove` if the command is illegal.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "refusal.not_to_act")
    recorder: _Recorder = EventRecorder(state, evolve)
    match state.step, command:
        case "move" | "extra", commands.Move():
            make_step(recorder, command)
        case "move" | "extra", commands.Stop():
            end_movement(recorder)
        case "move", commands.Jettison():
            drop_load(recorder, command)
        case "move", commands.Stay():
            stay(recorder)
        case "oasis", commands.Take(what=what) if what in RESOURCES:
            recorder.emit(events.Gained(seat, what, OASIS_GAIN))
        case "fortune", _:
            answer_fortune_teller(recorder, command)
        case "card", _:
            apply_answer(recorder, command)
        case "camp", commands.Sell() | commands.Buy():
            recorder.emit(trade_event(state, command))
        case "city", commands.Exchange():
            recorder.emit(refit_event(state, command))
        case "camp" | "city", commands.Done():
            recorder.emit(events.MarketLeft(seat))
        case _:
            raise IllegalMove("wrong_step", "refusal.wrong_step")
    _go_on(recorder, draw)
    return recorder


def _go_on(recorder: _Recorder, draw: Draw) -> None:
    """Continue up to the next choice of any seat.

    Leave a camp or city in which nothing is offered, then draw cards, offer extra steps and begin
    the next turn as needed.
    """
    if recorder.state.step == CAMP and not trades(recorder.state):
        recorder.emit(events.MarketLeft(recorder.state.seat))
    if recorder.state.step == CITY_STEP and not exchanges(
        recorder.state.players[recorder.state.seat]
    ):
        recorder.emit(events.MarketLeft(recorder.state.seat))
    while not recorder.state.step:
        state = recorder.state
        if state.cards:
            draw_card(recorder, draw)
        elif state.extra and extra_steps(state):
            recorder.emit(events.ChoiceOffered(state.seat, EXTRA))
        elif state.extra:
            recorder.emit(events.StepForgone(state.seat))
        else:
            next_turn(recorder)


# --- the end --------------------------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings if the game is over, otherwise None."""
    return standings(state)


if TYPE_CHECKING:
    from domain.games.conquest import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
