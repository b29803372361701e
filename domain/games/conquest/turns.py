"""Turns, rounds and the end of the game. Ships to the browser."""

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

_Course: TypeAlias = EventRecorder[State, Event]


def tile(state: State) -> str:
    """Return the tile on which the seat to act stands."""
    return state.tiles[state.players[state.seat].at]


def stay(course: _Course) -> None:
    """Stay for the turn without speed, without any effect of the tile (ruling 4)."""
    state = course.state
    if state.speed or state.walked:
        raise IllegalMove("can_move", "A caravan that can move has to.")
    if NOMAD_CARD in state.players[state.seat].kept:
        spend_card(course, state.seat, NOMAD_CARD, lapsed=True)  # ruling 32
    course.emit(CaravanStayed(state.seat))


def next_turn(course: _Course) -> None:
    """Begin the turn of the next seat not at the finish, skipping resting ones (ruling 27)."""
    state = course.state
    seat = (state.seat + 1) % len(state.players)
    while not all(player.finished for player in state.players):
        if seat == state.starter:
            if _was_last(state):
                break
            number = state.round + 1
            course.emit(RoundOpened(number, *prices(state.first_finish, number)))
        player = course.state.players[seat]
        if player.skip and not player.finished:
            course.emit(TurnMissed(seat))
        elif not player.finished:
            open_turn(course, seat)
            return
        state = course.state
        seat = (seat + 1) % len(state.players)
    course.emit(final_ranking(state))


def _was_last(state: State) -> bool:
    """Return whether the game ends with this round (rulings 18 and 39)."""
    return state.round == (last_round(state) or state.patience)


def open_turn(course: _Course, seat: Seat) -> None:
    """Begin a turn; skip it if the caravan can neither move nor throw anything away."""
    player = course.state.players[seat]
    bonus = next_bonus(player)
    if bonus:
        spend_card(course, seat, HEALING_CARD)
    steps = speed(player, course.state.tiles[player.at], bonus)
    course.emit(TurnOpened(seat, steps, bonus))
    if not steps and not jettisons(player):
        stay(course)
