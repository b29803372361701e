"""What a caravan weighs, how fast it is and what it is worth. Ships to the browser."""

from domain.conquest.cards import HEALING_CARD
from domain.conquest.equipment import (
    CAPACITIES,
    CHEST,
    COUNTDOWN,
    PRICES,
    SILK,
    SLOW,
    SPEEDS,
    SPICE,
    STEP_OVER,
    worth,
)
from domain.conquest.state import Player, State

HEALING_STEPS = 2
"""Steps that Healing Waters add, whatever holds the caravan back (ruling 26)."""


def load(player: Player) -> int:
    """Gold, silk, spice and chests weigh one each."""
    return player.gold + player.silk + player.spice + player.treasure


def penalty(player: Player) -> int:
    """Steps lost to load over the capacity."""
    over = load(player) - CAPACITIES[player.caravan]
    return 1 + over // STEP_OVER if over > 0 else 0


def team_speed(player: Player, tile: str) -> int:
    """Steps of the slower of the two animals from a tile (rulings 1 and 2)."""
    one, other = player.animals
    first = SPEEDS[one] - SLOW[one].get(tile, 0)
    second = SPEEDS[other] - SLOW[other].get(tile, 0)
    return min(first, second)


def speed(player: Player, tile: str, bonus: int) -> int:
    """The total movement speed of a turn begun on a tile (rulings 1, 2, 4, 26)."""
    return max(0, team_speed(player, tile) - penalty(player)) + bonus


def next_bonus(player: Player) -> int:
    """Steps that a card in waiting adds to the next turn begun."""
    return HEALING_STEPS if HEALING_CARD in player.kept else 0


def prices(first_finish: int, number: int) -> tuple[int, int]:
    """What silk and spice are worth in a round (ruling 36); ``first_finish`` 0: nobody is there."""
    fallen = number - first_finish if first_finish else 0
    return max(0, PRICES[SILK] - fallen), max(0, PRICES[SPICE] - fallen)


def price(state: State, good: str) -> int:
    """What a good is worth today."""
    return state.silk if good == SILK else state.spice


def last_round(state: State) -> int:
    """The round with which the game ends; 0 while nobody has finished (ruling 18)."""
    return state.first_finish + COUNTDOWN if state.first_finish else 0


def equipment(player: Player) -> int:
    """What animals and caravan would be sold for."""
    one, other = player.animals
    return worth(one) + worth(other) + worth(player.caravan)


def wealth(player: Player, silk: int, spice: int) -> int:
    """Total wealth at these prices (ruling 19)."""
    goods = player.silk * silk + player.spice * spice
    return player.gold + goods + CHEST * player.treasure + equipment(player)


def wealth_now(state: State, player: Player) -> int:
    """Wealth at today's prices, or at those of the moment of finishing (ruling 36)."""
    return player.wealth if player.finished else wealth(player, state.silk, state.spice)
