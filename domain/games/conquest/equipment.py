"""Speeds, capacities and prices of animals, caravans and goods in Caravan Conquest.

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
"""Steps per turn of each animal on easy ground."""
CAPACITIES = {BASIC: 90, REINFORCED: 200}
"""Maximum load of each caravan without loss of speed."""
COSTS = {DONKEY: 5, ROACH: 10, EPONA: 20, FIDGET: 15, BASIC: 40, REINFORCED: 60}
"""Price of each animal and caravan in gold."""

SLOW = {
    animal: {"D": int(animal != FIDGET), "M": 1}  # a camel is not slowed by sand (ruling 2)
    for animal in SPEEDS
}
"""Steps that an animal loses on a turn begun on desert or mountains (ruling 1)."""

GOLD = "gold"
SILK = "silk"
SPICE = "spice"
RESOURCES = (GOLD, SILK, SPICE)
GOODS = (SILK, SPICE)
"""The resources that cards call goods (ruling 7)."""

PRICES = {SILK: 10, SPICE: 5}
"""Price of each good in gold until the first finish."""
CHEST_VALUE = 40
"""Value of a treasure chest in gold."""
COUNTDOWN_ROUNDS = 10
"""Number of rounds played after the round of the first finish (ruling 18)."""
OVERLOAD_PER_STEP = 10
"""Units of overload per further lost step; any overload at all costs one step."""


def resale_price(thing: str) -> int:
    """Return the selling price of a used animal or caravan: half of its cost, rounded down."""
    return COSTS[thing] // 2
