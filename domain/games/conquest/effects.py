"""Effects of moving, stopping and throwing resources away. Ships to the browser.

Card effects are in `encounters`, trades in `market`.
"""

from typing import TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import IllegalMove
from domain.games.conquest import events
from domain.games.conquest.board import FINISH, OASIS, ground_of
from domain.games.conquest.caravan_stats import speed, wealth
from domain.games.conquest.cards import DECK_OF, DECKS, NOMAD_CARD
from domain.games.conquest.commands import Jettison, Move
from domain.games.conquest.encounters import spend_card
from domain.games.conquest.market import camp_good, exchanges, in_city, jettisons, trades
from domain.games.conquest.move_preview import GAINS
from domain.games.conquest.state import (
    CAMP,
    CITY_STEP,
    EXTRA,
    OASIS_STEP,
    State,
    place_of,
    with_more,
)
from domain.games.conquest.turns import tile

_Recorder: TypeAlias = EventRecorder[State, events.Event]


def make_step(recorder: _Recorder, command: Move) -> None:
    """Make a step; end the movement if no further step is possible.

    Raises `IllegalMove` if the step is illegal.
    """
    state = recorder.state
    _check_step(state, command)
    recorder.emit(events.CaravanMoved(state.seat, command.to))
    if state.step == EXTRA:
        _visit(recorder)
    elif state.walked + 1 == state.speed or tile(recorder.state) == FINISH:
        _stop(recorder)  # no steps left, or the finish is reached (rulings 20 and 23)


def end_movement(recorder: _Recorder) -> None:
    """End the movement early, or decline an extra step.

    Raises `IllegalMove` on the tile where the turn began.
    """
    state = recorder.state
    if state.step == EXTRA:
        recorder.emit(events.StepForgone(state.seat))
        return
    if state.players[state.seat].at == state.began:
        raise IllegalMove("back_where_it_began", "refusal.back_where_it_began")
    _stop(recorder)


def _check_step(state: State, command: Move) -> None:
    at = state.players[state.seat].at
    ground = ground_of(state.land)
    left = 1 if state.step == EXTRA else state.speed - state.walked
    if not left:
        raise IllegalMove("no_speed", "refusal.no_speed")
    if command not in ground.moves[at]:
        raise IllegalMove("no_way", "refusal.no_way")
    if left == 1 and ground.cell(command.to) == state.began:
        raise IllegalMove("back_where_it_began", "refusal.back_where_it_began")


def drop_load(recorder: _Recorder, command: Jettison) -> None:
    """Throw resources away before the first step and recompute the speed (ruling 24).

    Raises `IllegalMove` after the first step, or if the amount is not offered.
    """
    state = recorder.state
    if state.walked:
        raise IllegalMove("on_the_way", "refusal.on_the_way")
    player = state.players[state.seat]
    if command not in jettisons(player):
        raise IllegalMove("wrong_amount", "refusal.wrong_amount_drop")
    lighter = with_more(player, command.what, -command.amount)
    now = speed(lighter, tile(state), state.bonus)
    recorder.emit(events.LoadDropped(state.seat, command.what, command.amount, now))


# --- the caravan stops ----------------------------------------------------------------------


def _stop(recorder: _Recorder) -> None:
    """End the movement: set the number of cards to draw, then apply the tile (ruling 3)."""
    state = recorder.state
    deck = DECK_OF.get(tile(state))
    cards = 0 if deck is None else 1
    if NOMAD_CARD in state.players[state.seat].kept:
        spend_card(recorder, state.seat, NOMAD_CARD, lapsed=deck is None)  # ruling 13
        cards *= 2
    recorder.emit(events.CaravanStopped(state.seat, "" if deck is None else DECKS[deck], cards))
    _visit(recorder)


def _visit(recorder: _Recorder) -> None:
    """Apply the tile on which a caravan has stopped: treasure, gain, camp, city, finish."""
    state = recorder.state
    seat, here = state.seat, tile(state)
    at = state.players[seat].at
    if here == FINISH:
        worth = wealth(state.players[seat], state.silk, state.spice)
        recorder.emit(events.FinishReached(seat, state.round, worth))
        return
    if at in state.treasure:
        recorder.emit(events.TreasureTaken(seat, place_of(state, at)))
    if here in GAINS:
        recorder.emit(events.Gained(seat, *GAINS[here]))
    elif here == OASIS:
        recorder.emit(events.ChoiceOffered(seat, OASIS_STEP))
    elif camp_good(state) and trades(state):
        recorder.emit(events.ChoiceOffered(seat, CAMP))
    elif in_city(state) and exchanges(state.players[seat]):
        recorder.emit(events.ChoiceOffered(seat, CITY_STEP))
