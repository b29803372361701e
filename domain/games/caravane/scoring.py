"""Final ranking of Caravane (ruling 14). Ships to the browser."""

from domain.contract.game import Standing
from domain.games.caravane.state import OVER, State


def rank_seats(state: State) -> tuple[int, ...]:
    """Return the rank of each seat: by bales, then by place at the third palace, then shared."""
    merits = [(racer.bales, -racer.place) for racer in state.racers]
    return tuple(1 + len([other for other in merits if other > mine]) for mine in merits)


def standings(state: State) -> tuple[Standing, ...] | None:
    """Return the final standings sorted by rank and seat, or None before the end of the race."""
    if state.phase != OVER:
        return None
    unordered = [
        Standing(seat, state.ranks[seat], racer.bales, {"palace": racer.place})
        for seat, racer in enumerate(state.racers)
    ]
    return tuple(sorted(unordered, key=lambda standing: (standing.rank, standing.seat)))
