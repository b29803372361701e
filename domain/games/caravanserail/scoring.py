"""Victory and final standings of Caravansérail. Ships to the browser."""

from domain.contract.game import Seat, Standing
from domain.games.caravanserail.state import OVER, Sheikh, State, holds


def is_complete(sheikh: Sheikh) -> bool:
    """Return whether a seat's treasure holds at least the wares of its card (ruling 1)."""
    return holds(sheikh.treasure, sheikh.goal)


def standings(state: State) -> tuple[Standing, ...] | None:
    """Return the final standings sorted by rank and seat, or None before the end.

    Winners share rank 1; all other seats share the next rank. ``score``: number of tokens of the
    seat's card in its treasure, 0 for all but the winners with ``keep_secrets``; ``detail``: the
    number of tokens that the card requires.
    """
    if state.phase != OVER:
        return None
    unordered = [_standing(state, seat) for seat in range(len(state.sheikhs))]
    return tuple(sorted(unordered, key=lambda standing: (standing.rank, standing.seat)))


def _standing(state: State, seat: Seat) -> Standing:
    sheikh = state.sheikhs[seat]
    won = seat in state.winners
    gathered = [min(n, sheikh.treasure.get(ware, 0)) for ware, n in sheikh.goal.items()]
    score = sum(gathered) if won or not state.keep_secrets else 0
    return Standing(
        seat, 1 if won else 1 + len(state.winners), score, {"needed": sum(sheikh.goal.values())}
    )
