"""Load, speed and wealth of a caravan. Ships to the browser."""

from domain.games.conquest.cards import HEALING_CARD
from domain.games.conquest.equipment import (
    CAPACITIES,
    CHEST_VALUE,
    COUNTDOWN_ROUNDS,
    OVERLOAD_PER_STEP,
    PRICES,
    SILK,
    SLOW,
    SPEEDS,
    SPICE,
    resale_price,
)
from domain.games.conquest.state import Player, State

HEALING_STEPS = 2
"""Steps added by Healing Waters, regardless of load and ground (ruling 26)."""


def load(player: Player) -> int:
    """Return the load: one for each unit of gold, silk and spice and for each chest."""
    return player.gold + player.silk + player.spice + player.treasure


def overload_steps(player: Player) -> int:
    """Return the number of steps lost because the load exceeds the capacity."""
    over = load(player) - CAPACITIES[player.caravan]
    return 1 + over // OVERLOAD_PER_STEP if over > 0 else 0


def team_speed(player: Player, tile: str) -> int:
    """Return the speed of the slower animal on a turn begun on ``tile`` (rulings 1 and 2)."""
    one, other = player.animals
    first = SPEEDS[one] - SLOW[one].get(tile, 0)
    second = SPEEDS[other] - SLOW[other].get(tile, 0)
    return min(first, second)


def speed(player: Player, tile: str, bonus: int) -> int:
    """Return the number of steps of a turn begun on ``tile``, bonus included.

    Overload reduces the animals' speed to 0 at most (rulings 1, 2, 4, 26).
    """
    return max(0, team_speed(player, tile) - overload_steps(player)) + bonus


def next_bonus(player: Player) -> int:
    """Return the number of steps that a kept Healing Waters card adds to the next turn."""
    return HEALING_STEPS if HEALING_CARD in player.kept else 0


def prices(first_finish: int, number: int) -> tuple[int, int]:
    """Return the prices of silk and spice in round ``number`` (ruling 36).

    ``first_finish``: the round of the first finisher, or 0 if there is none yet.
    """
    fallen = number - first_finish if first_finish else 0
    return max(0, PRICES[SILK] - fallen), max(0, PRICES[SPICE] - fallen)


def price(state: State, good: str) -> int:
    """Return the current price of a good."""
    return state.silk if good == SILK else state.spice


def last_round(state: State) -> int:
    """Return the number of the last round, or 0 before the first finish (ruling 18)."""
    return state.first_finish + COUNTDOWN_ROUNDS if state.first_finish else 0


def equipment(player: Player) -> int:
    """Return the total resale price of the animals and the caravan."""
    one, other = player.animals
    return resale_price(one) + resale_price(other) + resale_price(player.caravan)


def wealth(player: Player, silk: int, spice: int) -> int:
    """Return the total wealth at these prices (ruling 19)."""
    goods = player.silk * silk + player.spice * spice
    return player.gold + goods + CHEST_VALUE * player.treasure + equipment(player)


def wealth_now(state: State, player: Player) -> int:
    """Return the wealth at current prices, or as fixed on reaching the finish (ruling 36)."""
    return player.wealth if player.finished else wealth(player, state.silk, state.spice)
