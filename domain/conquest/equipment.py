"""Animals, caravans and what goods are worth: the figures of Caravan Conquest.

Ships to the browser.
"""

from typing import Final

DONKEY: Final = "donkey"
ROACH: Final = "roach"
EPONA: Final = "epona"
FIDGET: Final = "fidget"
BASIC: Final = "basic"
REINFORCED: Final = "reinforced"

SPEEDS = {DONKEY: 3, ROACH: 4, EPONA: 5, FIDGET: 4}
"""Steps of each animal on easy ground."""
CAPACITIES = {BASIC: 90, REINFORCED: 200}
"""What each caravan carries without being slowed down."""
COSTS = {DONKEY: 5, ROACH: 10, EPONA: 20, FIDGET: 15, BASIC: 40, REINFORCED: 60}
"""Gold for a new one."""

SLOW = {
    animal: {"D": int(animal != FIDGET), "M": 1}  # a camel does not mind sand (ruling 2)
    for animal in SPEEDS
}
"""Steps that an animal loses on a turn begun on desert or mountains (ruling 1)."""

GOLD = "gold"
SILK = "silk"
SPICE = "spice"
RESOURCES = (GOLD, SILK, SPICE)
GOODS = (SILK, SPICE)
"""What cards call a good (ruling 7)."""

PRICES = {SILK: 10, SPICE: 5}
"""Gold for one of a good, until somebody has reached the finish."""
CHEST = 40
"""Gold that a treasure chest is worth at the end."""
COUNTDOWN = 10
"""Rounds that are played after the first finisher's (ruling 18)."""
STEP_OVER = 10
"""A caravan loses a step for load over its capacity, and one more for each so many units."""


def worth(thing: str) -> int:
    """What a used animal or caravan is sold for: half of its cost, rounded down."""
    return COSTS[thing] // 2
