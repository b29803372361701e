"""Map generation from a seed; a seed must always give the same map.

The tiles are drawn from the full set in proportion and shuffled until every tile except rivers can
be reached. Ships to the browser, so all numbers stay below 2**53.
"""

from domain.games.conquest.board import CITY, FINISH, RIVER, START, distances
from domain.games.conquest.events import Place
from domain.games.conquest.maps import CHESTS, COUNTS, Chart

SIZES = {"short": (6, 8), "standard": (8, 12), "full": (10, 17)}
"""Number of rows and columns of each size."""
MAX_SEED = 999_999
"""Largest seed; the smallest is 1."""


class _Chance:
    """Pseudo-random number generator with a seed (Park-Miller)."""

    def __init__(self, seed: int) -> None:
        self._now = (seed * 7_919) % 2_147_483_646 + 1
        for _ in range(8):
            self.below(2)

    def below(self, n: int) -> int:
        self._now = self._now * 48_271 % 2_147_483_647
        return self._now % n

    def shuffle(self, things: list[str]) -> None:
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]


def generate_map(size: str, seed: int) -> Chart:
    """Return the map of a size and seed.

    The start is in the middle of the west side, the finish one row higher on the east side. Except
    on a full map, no two cities are adjacent.
    """
    high, wide = SIZES[size]
    chance = _Chance(seed)
    bag = bag_of(high * wide)
    while True:
        chance.shuffle(bag)
        rows = _lay_tiles(bag, high, wide)
        if _plays_well(rows, apart=size != "full"):
            return Chart(rows, choose_treasure_places(rows))


def bag_of(cells: int) -> list[str]:
    """Return tiles for a map of ``cells`` cells, start and finish excluded.

    Their numbers are in proportion to the full set; the cells left after rounding down go to the
    largest remainders.
    """
    kinds = [letter for letter in COUNTS if letter not in (START, FINISH)]
    whole = sum([COUNTS[letter] for letter in kinds])
    wanted = cells - 2
    shares = {letter: COUNTS[letter] * wanted // whole for letter in kinds}
    by_rest = sorted(kinds, key=lambda letter: -(COUNTS[letter] * wanted % whole))
    for letter in by_rest[: wanted - sum(shares.values())]:
        shares[letter] += 1
    return [letter for letter in kinds for _ in range(shares[letter])]


def _lay_tiles(bag: list[str], high: int, wide: int) -> tuple[str, ...]:
    """Return the bag's tiles with start and finish as rows.

    The start is halfway down the west side and the finish one row higher on the east side, so that
    they are as many steps apart as the map is wide.
    """
    tiles = list(bag)
    first, last = (high // 2) * wide, (high // 2) * wide - 1
    tiles.insert(last, FINISH)
    tiles.insert(first, START)
    return tuple(["".join(tiles[row * wide : (row + 1) * wide]) for row in range(high)])


def _plays_well(rows: tuple[str, ...], apart: bool) -> bool:
    """Return whether every tile except rivers can be reached.

    ``apart``: also require that no two cities are adjacent.
    """
    land = "/".join(rows)
    if apart and CITY + CITY in land:
        return False
    if apart and CITY + CITY in "/".join(["".join(column) for column in zip(*rows, strict=True)]):
        return False
    reached = distances(land, land.index(START))
    return len(reached) == len(land) - (len(rows) - 1) - land.count(RIVER)


def choose_treasure_places(rows: tuple[str, ...]) -> tuple[Place, ...]:
    """Return places for the treasure: desert and mountain tiles off the routes and far apart."""
    land = "/".join(rows)
    stride = len(rows[0]) + 1
    from_start = distances(land, land.index(START))
    from_finish = distances(land, land.index(FINISH))
    fit = [cell for cell in from_start if land[cell] in "DM"]
    fit.sort(key=lambda cell: (-from_start[cell] - from_finish[cell], cell))
    chosen: list[int] = []
    for apart in range(len(rows) + stride, -1, -1):
        for cell in fit:
            if len(chosen) < CHESTS and all(_distance(cell, c, stride) >= apart for c in chosen):
                chosen += [] if cell in chosen else [cell]
        if len(chosen) == CHESTS:
            break
    return tuple(sorted([divmod(cell, stride) for cell in chosen]))


def _distance(one: int, other: int, stride: int) -> int:
    return abs(one // stride - other // stride) + abs(one % stride - other % stride)
