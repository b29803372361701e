"""Legal commands of Caravane: the secret choices of each seat. Ships to the browser."""

from domain.contract.choice_groups import groups_from_choices
from domain.contract.game import Seat
from domain.games.caravane.board import BAG_VALUES, TOTAL_GOURDS
from domain.games.caravane.commands import Allot, Bid, Command, PackBags, Revise
from domain.games.caravane.state import Racer, State, missing_choice

PACKINGS = tuple(
    (a, b, c) for a in BAG_VALUES for b in BAG_VALUES for c in BAG_VALUES if a != b != c != a
)
"""All ways to assign the three bags to the three stages."""


def choices(state: State, seat: Seat) -> list[Command]:
    """Return all legal secret choices of the seat; none if no choice is due.

    The list itself is secret, as its length reveals the seat's gourds.
    """
    racer = state.racers[seat]
    match missing_choice(state, seat):
        case "allotment":
            return [Allot(n) for n in range(TOTAL_GOURDS - sum(racer.allotted) + 1)]  # ruling 10
        case "bags":
            return [PackBags(bags) for bags in PACKINGS]
        case "bid":
            return _bids(state, racer)
        case "revision":
            return [Revise(n) for n in range(racer.stock + 1)]
        case _:
            return []


groups = groups_from_choices(choices)


def _bids(state: State, racer: Racer) -> list[Command]:
    plain: list[Command] = [Bid(n) for n in range(racer.stock + 1)]
    if state.food and not racer.bag_spent:
        plain += [Bid(n, True) for n in range(racer.stock + 1)]
    return plain
