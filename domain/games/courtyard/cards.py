"""Cards and tiles of the courtyard game, as in section (c) of the rule notes.

An order is identified by its index in `MAJORS` or `MINORS`, a tile or an ability by its name. Ships
to the browser.
"""

from msgspec import Struct

from domain.games.courtyard.board import Good, Goods, count_goods


class Major(Struct, frozen=True):
    """A major order.

    ``value``: its income before the fountain's effect; ``names`` and ``goods``: the required goods
    as a list and as amounts; ``frame``: the colour of its frame.
    """

    value: int
    names: tuple[Good, ...]
    goods: Goods
    frame: str


class Minor(Struct, frozen=True):
    """A minor order; see `Major` for the fields."""

    value: int
    names: tuple[Good, ...]
    goods: Goods


class Swap(Struct, frozen=True):
    """One of the three trades of a caravan tile."""

    gives: Goods
    gets: Goods


class Ability(Struct, frozen=True):
    """An ability card; a player may hold only one card of each ``family`` ("": no family)."""

    name: str
    cost: Goods
    family: str = ""


FRAMES = ("blue", "green", "red", "white")


def _major(value: int, frame: str, goods: str) -> Major:
    names = tuple(goods.split())
    return Major(value, names, count_goods(names), frame)


def _minor(value: int, goods: str) -> Minor:
    names = tuple(goods.split())
    return Minor(value, names, count_goods(names))


def _tile(*trades: str) -> tuple[Swap, ...]:
    swaps = []
    for trade in trades:
        gives, gets = trade.split(" > ")
        swaps.append(Swap(count_goods(tuple(gives.split())), count_goods(tuple(gets.split()))))
    return tuple(swaps)


def _ability(name: str, cost: str, family: str = "") -> Ability:
    return Ability(name, count_goods(tuple(cost.split())), family)


MAJORS: tuple[Major, ...] = (
    _major(5, "white", "bronze silver"),
    _major(5, "green", "amber emerald"),
    _major(5, "red", "bronze amber amber"),
    _major(5, "blue", "bronze bronze amber"),
    _major(6, "green", "silver silver"),
    _major(6, "red", "emerald emerald"),
    _major(6, "white", "bronze amber silver"),
    _major(6, "blue", "bronze amber emerald"),
    _major(7, "red", "bronze diamond"),
    _major(7, "blue", "amber gold"),
    _major(7, "white", "bronze bronze emerald"),
    _major(7, "green", "amber amber silver"),
    _major(8, "red", "silver diamond"),
    _major(8, "blue", "emerald gold"),
    _major(8, "white", "bronze amber diamond"),
    _major(8, "green", "bronze amber gold"),
    _major(9, "green", "bronze emerald gold"),
    _major(9, "red", "amber silver diamond"),
    _major(9, "blue", "silver emerald emerald"),
    _major(9, "white", "silver silver emerald"),
    _major(10, "white", "gold gold"),
    _major(10, "green", "diamond diamond"),
    _major(10, "blue", "bronze silver diamond"),
    _major(10, "red", "amber emerald gold"),
    _major(11, "green", "bronze gold diamond"),
    _major(11, "blue", "amber gold diamond"),
    _major(11, "white", "silver emerald diamond"),
    _major(11, "red", "silver emerald gold"),
    _major(12, "blue", "silver gold diamond"),
    _major(12, "green", "emerald gold diamond"),
    _major(12, "red", "bronze bronze gold diamond"),
    _major(12, "white", "amber amber gold diamond"),
)
MIN_FIRST_MAJOR_VALUE = 11
"""Minimum value of the major orders on the towers at the start."""

MINORS: tuple[Minor, ...] = (
    _minor(3, "silver"),
    _minor(3, "emerald"),
    _minor(4, "gold"),
    _minor(4, "diamond"),
    _minor(4, "bronze bronze"),
    _minor(4, "amber amber"),
    _minor(5, "bronze emerald"),
    _minor(5, "amber silver"),
    _minor(5, "bronze silver"),
    _minor(5, "amber emerald"),
    _minor(6, "silver silver"),
    _minor(6, "emerald emerald"),
    _minor(6, "bronze diamond"),
    _minor(6, "amber gold"),
    _minor(6, "bronze bronze emerald"),
    _minor(6, "amber amber silver"),
)

TILES: dict[str, tuple[Swap, ...]] = {
    "A1": _tile("bronze > silver", "amber > emerald", "emerald > gold"),
    "A2": _tile("bronze > emerald", "silver > gold", "emerald > diamond"),
    "A3": _tile("amber > silver", "silver > diamond", "bronze > silver"),
    "A4": _tile("amber > emerald", "emerald > gold", "bronze > emerald"),
    "A5": _tile("silver > gold", "emerald > diamond", "amber > silver"),
    "A6": _tile("silver > diamond", "bronze > silver", "amber > emerald"),
    "A7": _tile("emerald > gold", "bronze > emerald", "silver > gold"),
    "A8": _tile("emerald > diamond", "amber > silver", "silver > diamond"),
    "B1": _tile(
        "gold > emerald emerald", "diamond > emerald emerald", "bronze gold > silver diamond"
    ),
    "B2": _tile("emerald emerald > silver gold", "gold > amber diamond", "bronze bronze > diamond"),
    "B3": _tile(
        "silver silver > emerald diamond", "amber amber > diamond", "diamond > silver silver"
    ),
    "B4": _tile(
        "amber diamond > emerald gold", "amber emerald > bronze gold", "amber amber > gold"
    ),
    "B5": _tile("bronze emerald > amber gold", "diamond > bronze gold", "emerald > bronze silver"),
    "B6": _tile(
        "amber diamond > silver gold", "bronze silver > amber diamond", "bronze amber > gold"
    ),
    "B7": _tile("bronze amber > diamond", "bronze gold > emerald diamond", "bronze bronze > gold"),
    "B8": _tile("silver > amber emerald", "amber silver > bronze diamond", "gold > silver silver"),
}
TRADES_PER_TILE = 3
"""Number of trades of a tile, after which it is replaced."""
TILES_PER_LETTER = 8
"""Number of tiles of each letter."""

_CARDS = (
    _ability("T1", "silver"),
    _ability("T2", "bronze amber"),
    _ability("T3", "gold emerald"),
    _ability("T4", "emerald"),
    _ability("T5", "silver amber"),
    _ability("T6", "bronze emerald"),
    _ability("T7", "amber amber", "DISCOUNT"),
    _ability("T8", "bronze bronze", "DISCOUNT"),
    _ability("T9", "emerald amber", "DISCOUNT"),
    _ability("T10", "silver bronze", "DISCOUNT"),
    _ability("T11", "diamond amber", "DISCOUNT"),
    _ability("T12", "gold bronze", "DISCOUNT"),
    _ability("T13", "gold"),
    _ability("T14", "amber emerald"),
    _ability("T15", "bronze amber"),
    _ability("T16", "silver amber"),
    _ability("P1", "diamond bronze"),
    _ability("P2", "gold diamond"),
    _ability("P3", "silver emerald"),
    _ability("P4", "silver diamond"),
    _ability("P5", "bronze"),
    _ability("P6", "emerald diamond"),
    _ability("P7", "emerald bronze", "ICON1"),
    _ability("P8", "silver amber", "ICON1"),
    _ability("P9", "diamond emerald", "ICON2"),
    _ability("P10", "gold silver", "ICON2"),
    _ability("P11", "gold amber"),
    _ability("P12", "diamond amber"),
    _ability("P13", "gold"),
    _ability("P14", "silver bronze"),
    _ability("P15", "diamond"),
    _ability("P16", "gold silver"),
)
ABILITIES: dict[str, Ability] = {card.name: card for card in _CARDS}
TURQUOISE = tuple([name for name in ABILITIES if name[0] == "T"])
PURPLE = tuple([name for name in ABILITIES if name[0] == "P"])
DECKS: dict[str, tuple[str, ...]] = {"T": TURQUOISE, "P": PURPLE}

DISCOUNTS: dict[Good, str] = {
    "bronze": "T7",
    "amber": "T8",
    "silver": "T9",
    "emerald": "T10",
    "gold": "T11",
    "diamond": "T12",
}
"""The ability that makes up to `DISCOUNTED_UNITS` units of each good 1 dirham cheaper at a stop."""
DISCOUNTED_UNITS = 2
SCORING_ABILITIES = tuple([name for name in PURPLE if name not in ("P3", "P5")])
"""Names of the abilities that count in the final scoring."""
