"""Final ranking and standings of Caravan Conquest. Ships to the browser."""

from domain.contract.game import Standing
from domain.games.conquest.caravan_stats import equipment
from domain.games.conquest.events import JourneyOver
from domain.games.conquest.state import OVER, State


def final_ranking(state: State) -> JourneyOver:
    """Return the final ranking; seats with equal wealth share a rank (rulings 18, 22, 38).

    A seat that has not reached the finish has a wealth of 0. If no seat has, nobody wins: all share
    the last place (ruling 39).
    """
    final = tuple([player.wealth if player.finished else 0 for player in state.players])
    if not state.first_finish:
        return JourneyOver((len(final),) * len(final), final)
    ranks = tuple([1 + len([other for other in final if other > mine]) for mine in final])
    return JourneyOver(ranks, final)


def standings(state: State) -> tuple[Standing, ...] | None:
    """Return the final standings sorted by rank and seat, or None before the end."""
    if state.step != OVER:
        return None
    unordered = []
    for seat, player in enumerate(state.players):
        detail = {
            "finished": player.finished or None,
            "gold": player.gold,
            "silk": player.silk,
            "spice": player.spice,
            "treasure": player.treasure,
            "equipment": equipment(player),
        }
        unordered.append(Standing(seat, state.ranks[seat], state.scores[seat], detail))
    return tuple(sorted(unordered, key=lambda standing: (standing.rank, standing.seat)))
