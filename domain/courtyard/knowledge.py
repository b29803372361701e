"""What a seat knows of a game in the courtyard, and games that it may be.

All lies open but the minor orders of the deck, those under it, and those another is choosing
from. A seat that put some back does not keep in mind which.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.courtyard.cards import MINORS
from domain.courtyard.state import State
from domain.game import Draw, Seat


class Observation(Struct, frozen=True):
    """What lies open (``table``, a game without the hidden cards), and how many minors lie
    ``above`` in the deck, ``under`` it and in another's hand (``drawn``)."""

    table: State
    above: int
    under: int
    drawn: int


def observe(state: State, seat: Seat) -> Observation:
    """What the seat knows."""
    stock = replace(state.stock, minors=(), under=())
    own = seat == state.seat
    table = replace(state, stock=stock, drawn=state.drawn if own else ())
    above, under = sum(state.stock.minors), len(state.stock.under)
    return Observation(table, above, under, 0 if own else len(state.drawn))


def determinise(seen: Observation, seat: Seat, draw: Draw) -> State:
    """A game in which the seat sees the same; ``draw`` decides what it does not see."""
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
