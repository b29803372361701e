"""Information states of the courtyard game and their determinisation.

Everything is public except which minor orders are in the deck, under it, and drawn by another seat.
The information state does not include which orders the seat itself has returned.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Draw, Seat
from domain.games.courtyard.cards import MINORS
from domain.games.courtyard.state import State


class Observation(Struct, frozen=True):
    """The information state of a seat.

    ``table``: the state without hidden cards; ``above``, ``under`` and ``drawn``: number of minor
    orders in the deck, under it, and drawn by another seat.
    """

    table: State
    above: int
    under: int
    drawn: int


def observe(state: State, seat: Seat) -> Observation:
    """Return the seat's information state."""
    stock = replace(state.stock, minors=(), under=())
    own = seat == state.seat
    table = replace(state, stock=stock, drawn=state.drawn if own else ())
    above, under = sum(state.stock.minors), len(state.stock.under)
    return Observation(table, above, under, 0 if own else len(state.drawn))


def determinise(seen: Observation, seat: Seat, draw: Draw) -> State:
    """Return a state consistent with an information state; hidden cards are drawn at random."""
    table = seen.table
    known = [card for player in table.players for card in player.minors]
    known += [player.minor for player in table.players if player.minor is not None]
    known += table.drawn
    left = [card for card in range(len(MINORS)) if card not in known]
    drawn = tuple([left.pop(draw(len(left))) for _ in range(seen.drawn)])
    under = tuple([left.pop(draw(len(left))) for _ in range(seen.under)])
    above = [left.pop(draw(len(left))) for _ in range(seen.above)]
    minors = tuple([int(card in above) for card in range(len(MINORS))])
    stock = replace(table.stock, minors=minors, under=under)
    return replace(table, stock=stock, drawn=drawn or table.drawn)
