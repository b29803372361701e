"""The courtyard: its 22 spaces and the ways between them, its goods, its fountain.

Spaces bear the names of the rule notes, section (c). Goods are counted in tuples of six, in the
order of `GOODS`. Ships to the browser.
"""

from typing import TypeAlias

from domain.game import Draw

Space: TypeAlias = str
"""The name of a space, as "S_bronze"."""
Good: TypeAlias = str
Goods: TypeAlias = tuple[int, ...]
"""How many of each good, in the order of `GOODS`."""
Wares: TypeAlias = dict[str, int]
"""The same for commands and events: only what there is, in the order of `GOODS`."""

GOODS: tuple[Good, ...] = ("bronze", "amber", "silver", "emerald", "gold", "diamond")
"""In pairs of one worth, a metal and a gem: the pavilion exchanges within a pair."""
NUMBER: dict[Good, int] = {good: i for i, good in enumerate(GOODS)}
PRICES = (1, 1, 2, 2, 3, 3)
STOCKS = (5, 5, 4, 4, 3, 3)
"""Units on a full stall."""
NOTHING: Goods = (0,) * len(GOODS)
METALS: tuple[Good, ...] = ("bronze", "silver", "gold")

STORAGE = 7
"""Goods that a player can keep."""
FIRST_LIMIT, LAST_LIMIT = 3, 6
"""Of purse and credit: at the start, and when all three markers are gone."""
FIRST_COINS = 2
MOVES = ACTIONS = 2
"""In a turn."""
STRIDE = 3
"""Steps of a move without a die."""
DIE = 6
GOAL = 32
"""Wealth that brings on the final round."""
MOST_MINORS = 3
ROW = 5
"""Face-up abilities of each deck."""

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
"""Round the courtyard, clockwise from the north-west."""
PAVILIONS: dict[Space, tuple[Space, ...]] = {
    "P_sell": ("G_N", "G_S", "R_A2"),
    "P_exch": ("G_N", "G_S", "R_B2"),
}
"""The two spaces inside, and where they are entered from."""
SPACES: tuple[Space, ...] = (*RING, *PAVILIONS)

GATES: tuple[Space, ...] = ("G_N", "G_S")
NORTH, SOUTH = GATES
SELLING, EXCHANGING = PAVILIONS
TOWERS: tuple[Space, ...] = ("T_NW", "T_NE", "T_SE", "T_SW")
RESTS: tuple[Space, ...] = ("R_A1", "R_A2", "R_A3", "R_B1", "R_B2", "R_B3")
STALLS: dict[Space, Good] = {f"S_{good}": good for good in GOODS}
CHANGERS: tuple[Space, ...] = ("M_1", "M_2")


def _ways() -> dict[Space, tuple[Space, ...]]:
    ways: dict[Space, list[Space]] = {space: [] for space in SPACES}
    edges = [(RING[i - 1], RING[i]) for i in range(len(RING))]
    edges += [(inside, door) for inside, doors in PAVILIONS.items() for door in doors]
    for one, other in edges:
        ways[one].append(other)
        ways[other].append(one)
    return {space: tuple(others) for space, others in ways.items()}


WAYS = _ways()
"""The neighbours of each space."""

_found: dict[tuple[Space, tuple[Space, ...]], dict[Space, int]] = {}
_MOST_FOUND = 20_000


def steps(start: Space, occupied: tuple[Space, ...]) -> dict[Space, int]:
    """The steps that a move to each other space takes, in the order of `SPACES`.

    A space that others stand on costs no step when it is passed (ruling 2), but to end a move
    there costs one (ruling 26). The way that is shortest comes to no space twice.
    """
    key = (start, occupied)
    known = _found.get(key)
    if known is None:
        if len(_found) >= _MOST_FOUND:
            _found.clear()
        known = _found[key] = _steps(start, occupied)
    return known


def _steps(start: Space, occupied: tuple[Space, ...]) -> dict[Space, int]:
    far = {start: 0}
    edge = [start]
    while edge:
        edge.sort(key=lambda space: far[space])
        here = edge.pop(0)
        passed = far[here] - (here in occupied and here != start)
        for there in WAYS[here]:
            if there not in far or passed + 1 < far[there]:
                far[there] = passed + 1
                edge.append(there)
    return {space: far[space] for space in SPACES if space != start}


# --- the fountain -----------------------------------------------------------------------------

ROUND: tuple[Space, ...] = ("G_N", "T_NE", "T_SE", "G_S", "T_SW", "T_NW")
"""The places round the fountain, clockwise; position f: its first green side faces place f."""
ARROWS = (2, -1, 0)
"""What a side does to an income: green, red, blank, and the same again."""
GREEN = ARROWS[0]


def arrow(fountain: int, place: Space) -> int:
    """What the fountain adds to an order completed at the place (ruling 25)."""
    return ARROWS[(ROUND.index(place) - fountain) % len(ARROWS)]


def turned(fountain: int) -> int:
    """The position one unit clockwise."""
    return (fountain + 1) % len(ROUND)


def roll(draw: Draw) -> int:
    """A die."""
    return draw(DIE) + 1


# --- goods ------------------------------------------------------------------------------------


def counted(names: tuple[Good, ...]) -> Goods:
    """Goods by their names."""
    return tuple([names.count(good) for good in GOODS])


def wares(goods: Goods) -> Wares:
    """The same as a dict."""
    return {good: n for good, n in zip(GOODS, goods, strict=True) if n}


def unpacked(some: Wares) -> Goods:
    """And back."""
    return tuple([some.get(good, 0) for good in GOODS])


def plus(goods: Goods, more: Goods) -> Goods:
    """Both together."""
    return tuple([a + b for a, b in zip(goods, more, strict=True)])


def minus(goods: Goods, fewer: Goods) -> Goods:
    """What is left."""
    return tuple([a - b for a, b in zip(goods, fewer, strict=True)])


def holds(goods: Goods, some: Goods) -> bool:
    """Whether there is at least as much of each."""
    return all(a >= b for a, b in zip(goods, some, strict=True))


def worth(goods: Goods) -> int:
    """At the prices of the stalls."""
    return sum([n * price for n, price in zip(goods, PRICES, strict=True)])


def exchanged(goods: Goods) -> Goods:
    """What the pavilion gives for them: the other good of each pair."""
    return tuple([goods[i ^ 1] for i in range(len(goods))])
