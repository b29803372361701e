"""Legal commands of Caravan Conquest for each kind of choice. Ships to the browser."""

from domain.contract.choice_groups import groups_from_choices
from domain.contract.game import Seat
from domain.games.conquest.board import ground_of
from domain.games.conquest.commands import Command, Heed, Ignore, Move, Stay, Stop, Take
from domain.games.conquest.encounters import list_answers
from domain.games.conquest.equipment import RESOURCES
from domain.games.conquest.market import DONE, exchanges, jettisons, trades
from domain.games.conquest.state import State, place_of

STOP = Stop()


def choices(state: State, seat: Seat) -> list[Command]:
    """Return all legal commands of the seat in a fixed order; none if it is not to act."""
    if seat != state.seat:
        return []
    match state.step:
        case "move":
            return _moves(state)
        case "oasis":
            return [Take(what) for what in RESOURCES]
        case "fortune":
            return [Ignore(), Heed()]
        case "card":
            return list_answers(state)
        case "extra":
            return [STOP, *extra_steps(state)]
        case "camp":
            return [DONE, *trades(state)]
        case "city":
            return [DONE, *exchanges(state.players[seat])]
        case _:
            return []


groups = groups_from_choices(choices)


def _moves(state: State) -> list[Command]:
    """Return the legal commands of a movement: steps and, after the first step, stopping.

    Before the first step the seat may also jettison resources or, with speed 0, stay.
    """
    player = state.players[state.seat]
    left = state.speed - state.walked
    moves = ground_of(state.land).moves[player.at]
    found: list[Command] = []
    if left > 1:
        found += moves
    elif left == 1:  # a turn must not end where it began (rulings 5 and 23)
        began = place_of(state, state.began)
        found += [move for move in moves if move.to != began]
    if state.walked:
        if player.at != state.began:
            found.append(STOP)
        return found
    return [*found, *([] if left else [Stay()]), *jettisons(player)]


def extra_steps(state: State) -> list[Move]:
    """Return the possible extra steps; none may lead to where the turn began (ruling 25)."""
    began = place_of(state, state.began)
    moves = ground_of(state.land).moves[state.players[state.seat].at]
    return [move for move in moves if move.to != began]
