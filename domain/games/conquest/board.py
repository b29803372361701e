"""Geometry of a map: cells, neighbours and distances. Ships to the browser.

A map is a string of its rows from north to south, separated by "/"; a cell is an index into it.
Horizontal neighbours are one character apart, vertical ones the length of a row plus its "/".
"""

from msgspec import Struct

from domain.games.conquest.commands import Move
from domain.games.conquest.events import Place

START, FINISH, RIVER = "B", "F", "R"
LETTERS = "DOMGRCSPBF"
"""Letters of the tiles.

In this order: desert, oasis, mountains, grasslands, river, city, silk camp, spice camp, start,
finish.
"""
CAMPS = {"S": "silk", "P": "spice"}
"""The good traded by each kind of camp."""
CITY = "C"
OASIS, DESERT, MOUNTAINS = "O", "D", "M"


class Ground(Struct, frozen=True):
    """The constant data of a map, computed once per map.

    ``stride``: the distance from a cell to the one south of it; ``start`` and ``finish``: cells.
    Indexed by cell: ``places``; ``neighbours``, the adjacent cells that are not rivers, clockwise
    from the north; ``moves``, the commands that lead there, in the same order. The last two are
    empty for a "/".
    """

    rows: tuple[str, ...]
    stride: int
    start: int
    finish: int
    places: tuple[Place, ...]
    neighbours: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[Move, ...], ...]

    def cell(self, place: Place) -> int:
        """Return the cell of a place, or -1 if the place is off the map."""
        row, column = place
        if 0 <= row < len(self.rows) and 0 <= column < self.stride - 1:
            return row * self.stride + column
        return -1


MAX_CACHED_MAPS = 32
_ground_cache: dict[str, Ground] = {}


def ground_of(land: str) -> Ground:
    """Return the constant data of a map, cached; ``land``: the map as a string."""
    ground = _ground_cache.get(land)
    if ground is None:
        if len(_ground_cache) >= MAX_CACHED_MAPS:
            _ground_cache.clear()
        ground = _ground_cache[land] = _parse_ground(land)
    return ground


def _parse_ground(land: str) -> Ground:
    rows = tuple(land.split("/"))
    stride = len(rows[0]) + 1
    places = tuple([divmod(cell, stride) for cell in range(len(land))])
    neighbours = tuple([_neighbours_of(land, cell, stride) for cell in range(len(land))])
    moves = tuple([tuple([Move(places[to]) for to in cells]) for cells in neighbours])
    return Ground(rows, stride, land.find(START), land.find(FINISH), places, neighbours, moves)


def _neighbours_of(land: str, cell: int, stride: int) -> tuple[int, ...]:
    if land[cell] == "/":
        return ()
    around = (cell - stride, cell + 1, cell + stride, cell - 1)
    return tuple([to for to in around if 0 <= to < len(land) and land[to] not in "/" + RIVER])


def has_neighbour(land: str, stride: int, cell: int, letter: str) -> bool:
    """Return whether one of the four neighbours of a cell is a ``letter`` tile (ruling 30)."""
    around = (cell - stride, cell + 1, cell + stride, cell - 1)
    return any(0 <= to < len(land) and land[to] == letter for to in around)


def distances(land: str, start: int) -> dict[int, int]:
    """Return the number of steps from a cell to each reachable cell, including itself."""
    ground = ground_of(land)
    found = {start: 0}
    edge = [start]
    while edge:
        further = []
        for cell in edge:
            for to in ground.neighbours[cell]:
                if to not in found:
                    found[to] = found[cell] + 1
                    further.append(to)
        edge = further
    return found
