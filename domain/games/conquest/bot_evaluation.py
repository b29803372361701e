"""Position estimates for the bots: turns to the finish, and wealth on arrival.

Rivals are assumed to head straight for the finish. Each turn brings some income, and after the
first finish every good loses one gold per round. Amounts are in gold.
"""

from msgspec import Struct

from domain.games.conquest.board import distances, ground_of
from domain.games.conquest.caravan_stats import last_round, next_bonus, speed, wealth_now
from domain.games.conquest.cards import FORTUNE_CARD, HEALING_CARD, NOMAD_CARD
from domain.games.conquest.equipment import CHEST_VALUE, FIDGET
from domain.games.conquest.state import Player, State

INCOME_PER_TURN = 11
"""Income per turn from tile and card before the first finish, at full prices."""
KEPT_CARD_VALUES = {NOMAD_CARD: 3, HEALING_CARD: 3, FORTUNE_CARD: 2}
"""Approximate value of each kept card."""
MEAN_CARD_GAINS = {"G": 5, "D": 3, "M": 3, "O": 9}
"""Approximate average gain from a card of each tile's deck."""
DEFEAT_PENALTY = 300
"""Penalty for being the first to finish, but behind a rival, while there is time to catch up."""
FINISH_BONUS = 15
"""Bonus for finishing; the round number is added so that a bot does not delay the end for long."""
CAUTIOUS_ROUNDS = 4
"""Number of rounds kept in reserve before the end of the game."""
TOO_LATE_PENALTY = 1_000

MAX_CACHED_DISTANCES = 400
_distance_cache: dict[tuple[str, int], dict[int, int]] = {}


def cached_distances(land: str, cell: int) -> dict[int, int]:
    """Return the number of steps from a cell to each reachable cell, cached."""
    key = land, cell
    found = _distance_cache.get(key)
    if found is None:
        if len(_distance_cache) >= MAX_CACHED_DISTANCES:
            _distance_cache.clear()
        found = _distance_cache[key] = distances(land, cell)
    return found


def turns_between(state: State, player: Player, at: int, to: int) -> int:
    """Return the approximate number of turns from one cell to another with the current load."""
    steps = cached_distances(state.land, to)[at]
    if not steps:
        return 0
    first = speed(player, state.tiles[at], next_bonus(player))
    if steps <= first:
        return 1
    # Speed in tenths of a step, reduced because some turns begin on slow ground.
    each = max(10, 10 * speed(player, "G", 0) - (0 if FIDGET in player.animals else 4))
    return 1 + ((steps - first) * 10 + each - 1) // each


class Rival(Struct, frozen=True):
    """The current situation of another seat.

    ``goods``: amount of silk and spice together; ``turns``: estimated turns to the finish, missed
    ones included; ``at``: its cell.
    """

    wealth: int
    goods: int
    turns: int
    at: int
    finished: bool


def rivals_of(state: State, seat: int) -> list[Rival]:
    """Return the situation of every other seat, in seat order."""
    finish = ground_of(state.land).finish
    found = []
    for other, player in enumerate(state.players):
        if other != seat:
            turns = 0
            if not player.finished:
                turns = turns_between(state, player, player.at, finish) + player.skip
            goods = player.silk + player.spice
            worth = wealth_now(state, player)
            found.append(Rival(worth, goods, turns, player.at, player.finished > 0))
    return found


def rounds_left(state: State) -> int:
    """Return the number of rounds after the current one, as far as is known now."""
    return (last_round(state) or state.patience) - state.round


def _final(worth: int, goods: int, turns: int, first: int) -> int:
    """Estimate the wealth on arrival in ``turns`` turns; the first seat arrives in ``first``."""
    late = max(0, turns - first)
    return (
        worth
        + INCOME_PER_TURN * min(turns, first)
        + INCOME_PER_TURN * late // 2
        - (goods + late // 2) * late
    )


def prospect(state: State, player: Player, at: int, gain: int, rivals: list[Rival]) -> int:
    """Return the estimated lead over the best rival if the seat ends its turn at cell ``at``.

    ``player``: the seat before the turn's gain; ``gain``: that gain in gold. The estimate is the
    best of the direct route and detours via an oasis or a treasure, with penalties for arriving
    too late.
    """
    finish = ground_of(state.land).finish
    worth = wealth_now(state, player) + gain + sum([KEPT_CARD_VALUES[card] for card in player.kept])
    goods = player.silk + player.spice
    left = rounds_left(state)
    if at == finish:
        ahead = _seats_ahead(state, worth, goods, 0, rivals)
        hopeless = ahead < 0 and left > CAUTIOUS_ROUNDS and not state.first_finish
        return ahead - DEFEAT_PENALTY if hopeless else ahead + FINISH_BONUS + state.round
    best = -TOO_LATE_PENALTY
    still = [rival.at for rival in rivals if not rival.finished]
    for target, value in [(at, 0), *targets(state)]:
        turns = player.skip + turns_between(state, player, at, target)
        turns += turns_between(state, player, target, finish)
        if turns > left or (not state.first_finish and turns * 3 // 2 + CAUTIOUS_ROUNDS > left):
            best = max(best, -TOO_LATE_PENALTY - turns)
            continue
        steps = cached_distances(state.land, target)
        if target != at and still and min([steps[rival] for rival in still]) < steps[at]:
            value //= 3  # another seat is nearer
        best = max(best, _seats_ahead(state, worth + value, goods, turns, rivals))
    return best


def _seats_ahead(state: State, worth: int, goods: int, turns: int, rivals: list[Rival]) -> int:
    """Return the estimated final lead over the best rival if the seat finishes in ``turns``."""
    still = [rival.turns for rival in rivals if not rival.finished]
    first = 0 if state.first_finish else min([turns, *still])
    mine = _final(worth, goods, turns, first)
    best = 0
    for rival in rivals:
        if rival.finished:
            theirs = rival.wealth
        else:
            theirs = _final(rival.wealth, rival.goods, rival.turns, first)
        best = max(best, theirs)
    return mine - best


def targets(state: State) -> list[tuple[int, int]]:
    """Return the reachable cells worth a detour, each with its approximate extra gain."""
    found = [(cell, CHEST_VALUE) for cell in state.treasure]
    gain = 2 * state.silk + MEAN_CARD_GAINS["O"] - INCOME_PER_TURN
    if gain > 0:
        found += [(cell, gain) for cell, tile in enumerate(state.tiles) if tile == "O"]
    reached = cached_distances(state.land, ground_of(state.land).start)
    return [each for each in found if each[0] in reached]


def gain_at(state: State, cell: int, card: bool = True) -> int:
    """Return the approximate gain from ending a turn on a cell; ``card``: count its card too."""
    tile = state.tiles[cell]
    fair = state.silk / 10
    gain = {"G": state.spice, "D": state.silk, "M": 2, "O": 2 * state.silk}.get(tile, 0)
    if card:
        gain += int(MEAN_CARD_GAINS.get(tile, 0) * fair)
    return gain + (CHEST_VALUE if cell in state.treasure else 0)
