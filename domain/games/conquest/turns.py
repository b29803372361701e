"""Turns, rounds and the end of the match. Ships to the browser."""

from typing import TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import IllegalMove, Seat
from domain.games.conquest.caravan_stats import last_round, next_bonus, prices, speed
from domain.games.conquest.cards import HEALING_CARD, NOMAD_CARD
from domain.games.conquest.encounters import spend_card
from domain.games.conquest.events import CaravanStayed, Event, RoundOpened, TurnMissed, TurnOpened
from domain.games.conquest.market import jettisons
from domain.games.conquest.scoring import final_ranking
from domain.games.conquest.state import State

_Recorder: TypeAlias = EventRecorder[State, Event]


def tile(state: State) -> str:
    """Return the tile on which the seat to act stands."""
    return state.tiles[state.players[state.seat].at]


def stay(recorder: _Recorder) -> None:
    """Stay for the whole turn with speed 0; the tile has no effect (ruling 4).

    A kept Desert Nomad card lapses. Raises `IllegalMove` if the caravan can move or has moved.
    """
    state = recorder.state
    if state.speed or state.walked:
        raise IllegalMove("can_move", "refusal.can_move")
    if NOMAD_CARD in state.players[state.seat].kept:
        spend_card(recorder, state.seat, NOMAD_CARD, lapsed=True)  # ruling 32
    recorder.emit(CaravanStayed(state.seat))


def next_turn(recorder: _Recorder) -> None:
    """Begin the turn of the next seat, and a new round if due; or end the game.

    Seats at the finish are passed over; a seat that must miss a turn misses it (ruling 27).
    """
    state = recorder.state
    seat = (state.seat + 1) % len(state.players)
    while not all(player.finished for player in state.players):
        if seat == state.starter:
            if _was_last(state):
                break
            number = state.round + 1
            recorder.emit(RoundOpened(number, *prices(state.first_finish, number)))
        player = recorder.state.players[seat]
        if player.skip and not player.finished:
            recorder.emit(TurnMissed(seat))
        elif not player.finished:
            open_turn(recorder, seat)
            return
        state = recorder.state
        seat = (seat + 1) % len(state.players)
    recorder.emit(final_ranking(state))


def _was_last(state: State) -> bool:
    """Return whether the current round is the last (rulings 18 and 39)."""
    return state.round == (last_round(state) or state.patience)


def open_turn(recorder: _Recorder, seat: Seat) -> None:
    """Begin a turn and use a kept Healing Waters card.

    If the caravan has no steps and nothing to throw away, it stays at once.
    """
    player = recorder.state.players[seat]
    bonus = next_bonus(player)
    if bonus:
        spend_card(recorder, seat, HEALING_CARD)
    steps = speed(player, recorder.state.tiles[player.at], bonus)
    recorder.emit(TurnOpened(seat, steps, bonus))
    if not steps and not jettisons(player):
        stay(recorder)
