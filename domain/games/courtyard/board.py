"""The courtyard: its 22 spaces and their connections, its goods, its fountain.

Spaces are named as in section (c) of the rule notes. Amounts of goods are tuples of six, in the
order of `GOODS`. Ships to the browser.
"""

from typing import TypeAlias

from domain.contract.game import Draw

Space: TypeAlias = str
"""The name of a space, such as "S_bronze"."""
Good: TypeAlias = str
Goods: TypeAlias = tuple[int, ...]
"""Amount of each good, in the order of `GOODS`."""
Wares: TypeAlias = dict[str, int]
"""Amounts by good in commands and events, without zeros, in the order of `GOODS`."""

GOODS: tuple[Good, ...] = ("bronze", "amber", "silver", "emerald", "gold", "diamond")
"""The goods in pairs of equal value, a metal and a gem; a pavilion exchanges within a pair."""
NUMBER: dict[Good, int] = {good: i for i, good in enumerate(GOODS)}
PRICES = (1, 1, 2, 2, 3, 3)
STOCKS = (5, 5, 4, 4, 3, 3)
"""Number of units on a full stall, in the order of `GOODS`."""
NOTHING: Goods = (0,) * len(GOODS)
METALS: tuple[Good, ...] = ("bronze", "silver", "gold")

MAX_STORED_GOODS = 7
"""Maximum number of goods that a player can keep."""
FIRST_LIMIT, LAST_LIMIT = 3, 6
"""Initial and maximum limit of purse and credit; each has three markers that can be removed."""
FIRST_COINS = 2
MOVES_PER_TURN = ACTIONS_PER_TURN = 2
"""Number of moves, and maximum number of actions, in a turn."""
STRIDE_STEPS = 3
"""Maximum number of steps of a move without the die."""
DIE_SIDES = 6
GOAL_WEALTH = 32
"""Wealth that triggers the final round."""
MAX_MINORS = 3
ABILITIES_FACE_UP = 5
"""Number of face-up ability cards of each deck."""

RING: tuple[Space, ...] = (
    "T_NW",
    "S_bronze",
    "S_silver",
    "G_N",
    "S_emerald",
    "S_amber",
    "T_NE",
    "R_B1",
    "R_B2",
    "R_B3",
    "T_SE",
    "M_2",
    "S_diamond",
    "G_S",
    "S_gold",
    "M_1",
    "T_SW",
    "R_A3",
    "R_A2",
    "R_A1",
)
"""The spaces of the outer ring, clockwise from the north-west."""
PAVILIONS: dict[Space, tuple[Space, ...]] = {
    "P_sell": ("G_N", "G_S", "R_A2"),
    "P_exch": ("G_N", "G_S", "R_B2"),
}
"""The two inner spaces, each with the adjacent spaces of the ring."""
SPACES: tuple[Space, ...] = (*RING, *PAVILIONS)

GATES: tuple[Space, ...] = ("G_N", "G_S")
NORTH, SOUTH = GATES
SELLING, EXCHANGING = PAVILIONS
TOWERS: tuple[Space, ...] = ("T_NW", "T_NE", "T_SE", "T_SW")
RESTS: tuple[Space, ...] = ("R_A1", "R_A2", "R_A3", "R_B1", "R_B2", "R_B3")
STALLS: dict[Space, Good] = {f"S_{good}": good for good in GOODS}
CHANGERS: tuple[Space, ...] = ("M_1", "M_2")


def _neighbours() -> dict[Space, tuple[Space, ...]]:
    adjacent: dict[Space, list[Space]] = {space: [] for space in SPACES}
    edges = [(RING[i - 1], RING[i]) for i in range(len(RING))]
    edges += [(inside, door) for inside, doors in PAVILIONS.items() for door in doors]
    for one, other in edges:
        adjacent[one].append(other)
        adjacent[other].append(one)
    return {space: tuple(others) for space, others in adjacent.items()}


NEIGHBOURS = _neighbours()
"""The adjacent spaces of each space."""

_steps_cache: dict[tuple[Space, tuple[Space, ...]], dict[Space, int]] = {}
_MAX_CACHED_STEPS = 20_000


def steps(start: Space, occupied: tuple[Space, ...]) -> dict[Space, int]:
    """Return the number of steps of a move to each other space, in the order of `SPACES`, cached.

    ``occupied``: the spaces of the other players. Passing one costs no step (ruling 2), but ending
    a move there costs one (ruling 26). A shortest route visits no space twice.
    """
    key = (start, occupied)
    known = _steps_cache.get(key)
    if known is None:
        if len(_steps_cache) >= _MAX_CACHED_STEPS:
            _steps_cache.clear()
        known = _steps_cache[key] = _steps(start, occupied)
    return known


def _steps(start: Space, occupied: tuple[Space, ...]) -> dict[Space, int]:
    far = {start: 0}
    edge = [start]
    while edge:
        edge.sort(key=lambda space: far[space])
        here = edge.pop(0)
        passed = far[here] - (here in occupied and here != start)
        for there in NEIGHBOURS[here]:
            if there not in far or passed + 1 < far[there]:
                far[there] = passed + 1
                edge.append(there)
    return {space: far[space] for space in SPACES if space != start}


# --- the fountain -----------------------------------------------------------------------------

FOUNTAIN_PLACES: tuple[Space, ...] = ("G_N", "T_NE", "T_SE", "G_S", "T_SW", "T_NW")
"""The spaces around the fountain, clockwise; in position f its first green side faces space f."""
ARROW_EFFECTS = (2, -1, 0)
"""Effects of the fountain's six sides on an income: green, red and blank, twice each."""
GREEN_EFFECT = ARROW_EFFECTS[0]


def arrow_effect(fountain: int, place: Space) -> int:
    """Return what the fountain adds to the income of an order completed at a place (ruling 25)."""
    return ARROW_EFFECTS[(FOUNTAIN_PLACES.index(place) - fountain) % len(ARROW_EFFECTS)]


def turn_fountain(fountain: int) -> int:
    """Return the fountain's position after turning it one place clockwise."""
    return (fountain + 1) % len(FOUNTAIN_PLACES)


def roll_die(draw: Draw) -> int:
    """Return the roll of a six-sided die, 1 to 6."""
    return draw(DIE_SIDES) + 1


# --- goods ------------------------------------------------------------------------------------


def count_goods(names: tuple[Good, ...]) -> Goods:
    """Return the amounts of goods in a list of names."""
    return tuple([names.count(good) for good in GOODS])


def wares(goods: Goods) -> Wares:
    """Return amounts of goods as a dict without zeros."""
    return {good: n for good, n in zip(GOODS, goods, strict=True) if n}


def parse_wares(some: Wares) -> Goods:
    """Return a dict of goods as a tuple of amounts."""
    return tuple([some.get(good, 0) for good in GOODS])


def plus(goods: Goods, more: Goods) -> Goods:
    """Return the sum of two amounts of goods."""
    return tuple([a + b for a, b in zip(goods, more, strict=True)])


def minus(goods: Goods, fewer: Goods) -> Goods:
    """Return ``goods`` minus ``fewer``."""
    return tuple([a - b for a, b in zip(goods, fewer, strict=True)])


def holds(goods: Goods, some: Goods) -> bool:
    """Return whether ``goods`` contains at least ``some`` of each good."""
    return all(a >= b for a, b in zip(goods, some, strict=True))


def worth(goods: Goods) -> int:
    """Return the value of goods at the prices of the stalls, without discounts."""
    return sum([n * price for n, price in zip(goods, PRICES, strict=True)])


def exchange_goods(goods: Goods) -> Goods:
    """Return what the pavilion gives for the goods: as many of the other good of each pair."""
    return tuple([goods[i ^ 1] for i in range(len(goods))])
