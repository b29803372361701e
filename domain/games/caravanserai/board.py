"""Tiles and board layouts of Caravanserai. Ships to the browser.

Each tile is a hexagon of seven cells: rim cells 0 to 5 lie in the directions of
`hexgrid.DIRECTIONS` from the plain centre cell; two rim cells are caravanserais. The thirty tiles
form six categories of five (three shapes times two colour cycles); each colour appears twice in
each category.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.games.caravanserai.commands import SetGood
from domain.games.caravanserai.pieces import CENTRAL, COLOURS, INTERMEDIATE, OUTER, Cell
from domain.toolkit.hexgrid import DIRECTIONS, neighbour_indexes, surrounding_cells

CATEGORIES = "ABCDEF"


def _tiles() -> tuple[tuple[str, int, str, str], ...]:
    tiles = []
    for number, category in enumerate(CATEGORIES):
        stride = 1 + number % 2
        for first in range(0, 5 * stride, stride):
            pair = COLOURS[first % 5], COLOURS[(first + stride) % 5]
            tiles.append((category, number // 2 + 1, *pair))
    return tuple(tiles)


TILES = _tiles()
"""The tiles with ids 1 to 30 as ``(category, rim, first, second)``.

Without rotation, rim cell 0 has the first colour and rim cell ``rim`` the second.
"""

CLUSTERS = {
    1: ((0, 0),),
    2: ((0, 0),),
    3: ((0, 0), (1, 0)),
    4: ((0, 0), (0, 1), (1, 0)),
    5: ((0, 0), (0, 1), (1, -1), (1, 0)),
    6: ((0, 0), (0, 1), (1, -1), (1, 0)),
}
"""The central tiles by number of seats, in tile-axial coordinates; two rings surround them."""


class Board(Struct, frozen=True):
    """The cells of a board and data derived from them; constant throughout a match.

    ``cells``: ``(q, r, colour or None, zone)`` sorted by ``(r, q)``; ``tiles``: as in `BoardLaid`,
    empty if unknown. Indexed by cell: ``colours``, ``names``, ``step`` (the neighbour in each of
    the six directions, -1 off the board), ``tile_of`` (index into ``tiles``; empty if unknown).
    ``stops``: for each of `COLOURS` the caravanserai cells of that colour; ``settings``: the
    commands that set a good on them, built once because they are listed often.
    """

    cells: tuple[tuple[int, int, str | None, str], ...]
    tiles: tuple[tuple[int, int, int, int], ...]
    tile_of: tuple[int, ...]
    colours: tuple[str | None, ...]
    step: tuple[tuple[int, ...], ...]
    stops: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    settings: tuple[tuple[SetGood, ...], ...]


def board_of(
    cells: tuple[tuple[int, int, str | None, str], ...],
    tiles: tuple[tuple[int, int, int, int], ...] = (),
    tile_of: tuple[int, ...] = (),
) -> Board:
    """Return the board for a list of cells, which must be sorted by ``(r, q)``."""
    qs, rs, colours, _ = zip(*cells)  # noqa: B905 - each of four
    shape = _SHAPES.get((qs, rs))
    if shape is None:
        places = tuple(zip(qs, rs, strict=True))
        shape = neighbour_indexes(places), _names(places)
        if len(_SHAPES) < MAX_SHAPES:
            _SHAPES[qs, rs] = shape
    stops: dict[str, list[int]] = {colour: [] for colour in COLOURS}
    for number, colour in enumerate(colours):
        if colour is not None:
            stops[colour].append(number)
    by_colour = tuple([tuple(stops[colour]) for colour in COLOURS])
    settings = tuple([tuple([SetGood(c, cell) for cell in stops[c]]) for c in COLOURS])
    return Board(cells, tiles, tile_of, colours, shape[0], by_colour, shape[1], settings)


_SHAPES: dict[
    tuple[tuple[int, ...], tuple[int, ...]], tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]
] = {}
"""Cache of the neighbours and names of cells, keyed by the ``q`` and ``r`` of all cells."""
MAX_SHAPES = 8
"""Maximum size of `_SHAPES`; boards set up by the rules have one of four layouts."""


def direction_after(board: Board, before: int, path: tuple[Cell, ...]) -> int:
    """Return the direction in which the caravan must continue after a path, or -1 for any.

    ``before``: the cell before the path.
    """
    last = path[-1]
    if board.colours[last] is not None:
        return -1
    return board.step[path[-2] if len(path) > 1 else before].index(last)


def _names(places: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Return the cell names for messages and screen readers, such as "K5": row and position."""
    names: list[str] = []
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    row, last, count, sign = -1, None, 0, ""
    for _, r in places:
        if r != last:
            row, last, count = row + 1, r, 0
            sign = letters[row % 26] * (row // 26 + 1)
        count += 1
        names.append(sign + str(count))
    return tuple(names)


_LAYOUTS: dict[int, list[tuple[int, int, str]]] = {}


def layout(seats: int) -> list[tuple[int, int, str]]:
    """Return the places of the tiles as ``(u, v, zone)``, from the central zone outwards (2 C)."""
    if seats not in _LAYOUTS:
        central = CLUSTERS[seats]
        intermediate = surrounding_cells(central)
        outer = surrounding_cells(central + intermediate)
        zones = ((central, CENTRAL), (intermediate, INTERMEDIATE), (outer, OUTER))
        _LAYOUTS[seats] = [(u, v, zone) for places, zone in zones for u, v in places]
    return _LAYOUTS[seats]


def select_tiles(seats: int, draw: Callable[[int], int]) -> list[int]:
    """Return the ids of the tiles in play after random discards (2 B), in id order."""
    categories = [list(range(first, first + 5)) for first in range(1, len(TILES) + 1, 5)]
    if seats < 4:
        for _ in range(1 if seats == 3 else 2):
            categories.pop(draw(len(categories)))
    elif seats == 4:
        chosen = categories[draw(len(categories))]
        for _ in range(3):
            chosen.pop(draw(len(chosen)))
    kept = [tile for category in categories for tile in category]
    if seats < 4:
        kept.pop(draw(len(kept)))
    return kept


def shuffle(items: list[int], draw: Callable[[int], int]) -> list[int]:
    """Return the items in random order (Fisher-Yates shuffle)."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = draw(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def lay_tiles(seats: int, draw: Callable[[int], int]) -> tuple[tuple[int, int, int, int], ...]:
    """Return random tiles ``(u, v, tile id, rotation)`` in the order of `layout` (2 B and C)."""
    mixed = shuffle(select_tiles(seats, draw), draw)
    return tuple(
        (u, v, tile, draw(6)) for (u, v, _), tile in zip(layout(seats), mixed, strict=True)
    )


def tile_colours(tile: int, rotation: int) -> list[str | None]:
    """Return the colours of a laid tile's seven cells: directions 0 to 5, then the centre."""
    _, rim, first, second = TILES[tile - 1]
    colours: list[str | None] = [None] * 7
    colours[rotation] = first
    colours[(rim + rotation) % 6] = second
    return colours


def _cells_in_order(places: list[tuple[int, int, str]]) -> list[tuple[int, int, int, int, str]]:
    """Return each cell as ``(q, r, tile index, index in the tile, zone)``, sorted by ``(r, q)``."""
    found = []
    for tile, (u, v, zone) in enumerate(places):
        q, r = 2 * u - v, u + 3 * v
        for cell, (dq, dr) in enumerate((*DIRECTIONS, (0, 0))):
            found.append((q + dq, r + dr, tile, cell, zone))
    found.sort(key=lambda cell: (cell[1], cell[0]))
    return found


_COLUMNS: dict[int, tuple[tuple[Any, ...], ...]] = {}
"""Cache of `_cells_in_order`, transposed into columns, by number of seats."""


def cells_of(
    seats: int, tiles: tuple[tuple[int, int, int, int], ...]
) -> tuple[tuple[tuple[int, int, str | None, str], ...], tuple[int, ...]]:
    """Return the cells of a board, sorted by ``(r, q)``, and the tile index of each.

    ``tiles``: as returned by `lay_tiles`.
    """
    colours = [tile_colours(tile, rotation) for _, _, tile, rotation in tiles]
    if seats not in _COLUMNS:
        _COLUMNS[seats] = tuple(zip(*_cells_in_order(layout(seats)), strict=True))
    qs, rs, tile_of, places, zones = _COLUMNS[seats]
    coloured = [colours[tile][place] for tile, place in zip(tile_of, places)]  # noqa: B905
    return tuple(zip(qs, rs, coloured, zones)), tile_of  # noqa: B905 - columns are of one length


def start_goods(
    cells: tuple[tuple[int, int, str | None, str], ...],
    tile_of: tuple[int, ...],
    each: int,
    draw: Callable[[int], int],
) -> tuple[int, ...]:
    """Return the cells on which goods stand at the start, one per intermediate tile (2 D).

    ``each``: number of goods of each colour in the market. If a colour has run out, the tile's
    other caravanserai is used; if both have, the tile gets no good (ruling 12).
    """
    left = dict.fromkeys(COLOURS, each)
    between: dict[int, list[int]] = {}
    for number, (_, _, colour, zone) in enumerate(cells):
        if colour is not None and zone == INTERMEDIATE:
            between.setdefault(tile_of[number], []).append(number)
    chosen = []
    for tile in sorted(between):
        stops = between[tile]
        if draw(2):
            stops.reverse()
        for number in stops:
            colour = str(cells[number][2])
            if left[colour]:
                left[colour] -= 1
                chosen.append(number)
                break
    return tuple(chosen)
