"""Final scoring: lengths, tie-breaks and the levels of the solo game. Ships to the browser."""

from domain.contract.game import Standing
from domain.games.caravanserai.state import Player, State

LEVELS = (
    (45, "Chief of the 5 tribes"),
    (40, "Tribal chief"),
    (35, "Xiansheng"),
    (30, "Great camel driver"),
    (25, "Camel driver"),
)
"""Minimum length and name of each level of the solo game, best first (6.2)."""


def solo_level(length: int) -> str | None:
    """Return the solo level for a caravan's length, or None below the lowest (ruling 19)."""
    for least, name in LEVELS:
        if length >= least:
            return name
    return None


def count_reserve(player: Player) -> int:
    """Return the number of pieces in a reserve: camels and goods."""
    return player.camels + sum(player.goods)


def rank_players(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return ``(seat, length, reserve)`` for each seat, the winner first (5).

    The longest caravan wins; ties are broken by the larger reserve, then by the later place in the
    turn order of the final round (ruling 15), so no two seats tie.
    """
    seats = len(state.players)
    scores = []
    for place in range(seats):
        seat = (state.first + place) % seats
        player = state.players[seat]
        scores.append((len(player.cells), count_reserve(player), place, seat))
    scores.sort(reverse=True)
    return tuple((seat, length, reserve) for length, reserve, _, seat in scores)


def standings(state: State) -> tuple[Standing, ...] | None:
    """Return the final standings, best first, or None before the game is over."""
    if state.ranking is None:
        return None
    found = []
    for place, (seat, length, reserve) in enumerate(state.ranking):
        detail = {"length": length, "reserve": reserve}
        if state.solo:
            found.append(Standing(seat, 1, length, {**detail, "level": solo_level(length)}))
        else:
            found.append(Standing(seat, place + 1, length, detail))
    return tuple(found)
