"""Turns and rounds: who comes next, and how the game ends. Ships to the browser."""

from typing import TypeAlias

from domain.conquest.cards import HEALING_CARD, NOMAD_CARD
from domain.conquest.encounters import spend
from domain.conquest.events import (
    CaravanStayed,
    Event,
    JourneyOver,
    RoundOpened,
    TurnMissed,
    TurnOpened,
)
from domain.conquest.market import jettisons
from domain.conquest.state import State
from domain.conquest.worth import last_round, next_bonus, prices, speed
from domain.course import Course
from domain.game import IllegalMove, Seat

_Course: TypeAlias = Course[State, Event]


def tile(state: State) -> str:
    """The tile on which the seat to act stands."""
    return state.tiles[state.players[state.seat].at]


def stay(course: _Course) -> None:
    """Without speed the caravan stays and nothing happens (ruling 4)."""
    state = course.state
    if state.speed or state.walked:
        raise IllegalMove("can_move", "A caravan that can move has to.")
    if NOMAD_CARD in state.players[state.seat].kept:
        spend(course, state.seat, NOMAD_CARD, lapsed=True)  # ruling 32
    course.happen(CaravanStayed(state.seat))


def next_turn(course: _Course) -> None:
    """The next seat that has not finished; who has to rest misses its turn (ruling 27)."""
    state = course.state
    seat = (state.seat + 1) % len(state.players)
    while not all(player.finished for player in state.players):
        if seat == state.starter:
            if _was_last(state):
                break
            number = state.round + 1
            course.happen(RoundOpened(number, *prices(state.first_finish, number)))
        player = course.state.players[seat]
        if player.skip and not player.finished:
            course.happen(TurnMissed(seat))
        elif not player.finished:
            open_turn(course, seat)
            return
        state = course.state
        seat = (seat + 1) % len(state.players)
    course.happen(_ending(state))


def _was_last(state: State) -> bool:
    """Whether the game ends with this round (rulings 18 and 39)."""
    return state.round == (last_round(state) or state.patience)


def open_turn(course: _Course, seat: Seat) -> None:
    """A turn begins; a caravan that can neither go nor throw anything away has it behind it."""
    player = course.state.players[seat]
    bonus = next_bonus(player)
    if bonus:
        spend(course, seat, HEALING_CARD)
    steps = speed(player, course.state.tiles[player.at], bonus)
    course.happen(TurnOpened(seat, steps, bonus))
    if not steps and not jettisons(player):
        stay(course)


def _ending(state: State) -> JourneyOver:
    """Who is not at the finish has nothing; equal wealth shares a rank (rulings 18, 22, 38).

    Where nobody is there, nobody wins: all share the last place (ruling 39).
    """
    final = tuple([player.wealth if player.finished else 0 for player in state.players])
    if not state.first_finish:
        return JourneyOver((len(final),) * len(final), final)
    ranks = tuple([1 + len([other for other in final if other > mine]) for mine in final])
    return JourneyOver(ranks, final)
