"""Model of the map editor: drafts, editing operations, and faults with their locations.

A cell without a tile is bare. Ships to the browser.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.games.conquest import maps
from domain.games.conquest.board import FINISH, LETTERS, START, distances
from domain.games.conquest.events import Place

BARE = "."
"""The letter of a bare cell."""
CHEST = "T"
"""The letter of a treasure chest in the palette, next to those of the tiles."""
MAX_TRIES = 40
"""Maximum number of attempts to lay the remaining tiles so that the finish can be reached."""
MAX_UNDO_STEPS = 200
"""Maximum number of steps that can be undone."""


class Draft(Struct, frozen=True):
    """A map being edited; see `domain.games.conquest.options.DrawnMap`."""

    rows: tuple[str, ...]
    treasure: tuple[Place, ...] = ()


class Fault(Struct, frozen=True):
    """A fault of a draft: a message key with arguments, and where to fix it.

    ``place``: the cell at fault, if there is one; ``letter``: the tile or chest of the palette at
    fault, otherwise "".
    """

    key: str
    args: dict[str, Any]
    place: Place | None = None
    letter: str = ""


def blank_draft(high: int, wide: int) -> Draft:
    """Return a draft of bare cells; ``high`` and ``wide``: numbers of rows and columns."""
    return Draft((BARE * wide,) * high)


def parse_draft(value: Any, letters: str = LETTERS) -> Draft | None:
    """Return untrusted data as a draft, or None if it is malformed.

    ``letters``: the letters allowed in rows. Whether the map is playable is not checked.
    """
    if not isinstance(value, dict) or set(value) - {"rows", "treasure", "name"}:
        return None
    if not isinstance(value.get("name", ""), str):
        return None
    rows, treasure = value.get("rows"), value.get("treasure", ())
    if not isinstance(rows, list | tuple) or not isinstance(treasure, list | tuple):
        return None
    if (
        not 0 < len(rows) <= maps.MAX_SIDE_TILES
        or len(treasure) > maps.MAX_SIDE_TILES
        or len(value.get("name", "")) > maps.MAX_NAME_CHARS
    ):
        return None
    if not all(isinstance(row, str) and 0 < len(row) <= maps.MAX_SIDE_TILES for row in rows):
        return None
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    if any(letter not in letters for row in rows for letter in row):
        return None
    places = [_place(each, len(rows), len(rows[0])) for each in treasure]
    if None in places:
        return None
    return Draft(tuple(rows), tuple([place for place in places if place]))


def _place(given: Any, high: int, wide: int) -> Place | None:
    if not isinstance(given, list | tuple) or len(given) != 2:
        return None
    row, column = given
    if not isinstance(row, int) or not isinstance(column, int):
        return None
    return (row, column) if 0 <= row < high and 0 <= column < wide else None


# --- drawing ----------------------------------------------------------------------------------


def letter_at(draft: Draft, place: Place) -> str:
    """Return the tile at a place."""
    row, column = place
    return draft.rows[row][column]


def paint(draft: Draft, places: Sequence[Place], letter: str) -> Draft:
    """Return the draft with ``letter`` painted on the places.

    The start and the finish are unique: painting one uses only the first place and swaps it with
    the tile there. Painting a chest toggles it.
    """
    if letter == CHEST:
        return _toggle_chests(draft, places)
    lines = [[*row] for row in draft.rows]
    if letter in (START, FINISH):
        places = places[:1]
        _swap(lines, places[0], letter)
    for row, column in places:
        lines[row][column] = letter
    return Draft(tuple(["".join(line) for line in lines]), draft.treasure)


def _swap(lines: list[list[str]], place: Place, letter: str) -> None:
    row, column = place
    under = lines[row][column]
    for line in lines:
        for at, other in enumerate(line):
            if other == letter:
                line[at] = BARE if under == letter else under


def _toggle_chests(draft: Draft, places: Sequence[Place]) -> Draft:
    treasure = list(draft.treasure)
    for place in places:
        if place in treasure:
            treasure = [each for each in treasure if each != place]
        else:
            treasure.append(place)
    return Draft(draft.rows, tuple(treasure))


def connected_area(draft: Draft, place: Place) -> list[Place]:
    """Return the connected area of cells with the same tile as ``place``, including it."""
    wanted = letter_at(draft, place)
    high, wide = len(draft.rows), len(draft.rows[0])
    found = [place]
    for row, column in found:
        for to in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
            inside = 0 <= to[0] < high and 0 <= to[1] < wide
            if inside and to not in found and letter_at(draft, to) == wanted:
                found.append(to)
    return found


def places_between(one: Place, other: Place) -> list[Place]:
    """Return the places on a straight line from ``one`` to ``other``, excluding ``one``."""
    (row, column), (to_row, to_column) = one, other
    steps = max(abs(to_row - row), abs(to_column - column))
    return [
        (
            (2 * row * steps + 2 * (to_row - row) * n + steps) // (2 * steps),
            (2 * column * steps + 2 * (to_column - column) * n + steps) // (2 * steps),
        )
        for n in range(1, steps + 1)
    ]


def resize(draft: Draft, high: int, wide: int) -> Draft:
    """Return the draft in a new size; bare cells are added, or cells cut off, east and south."""
    rows = [(row + BARE * wide)[:wide] for row in draft.rows[:high]]
    rows += [BARE * wide] * (high - len(rows))
    inside = [place for place in draft.treasure if place[0] < high and place[1] < wide]
    return Draft(tuple(rows), tuple(inside))


def count_remaining_tiles(draft: Draft) -> dict[str, int]:
    """Return the number left of each tile and of chests; negative if too many are used."""
    land = "".join(draft.rows)
    tiles = {letter: most - land.count(letter) for letter, most in maps.COUNTS.items()}
    return {**tiles, CHEST: maps.CHESTS - len(draft.treasure)}


def fill_bare_tiles(draft: Draft, below: Callable[[int], int]) -> Draft:
    """Return the draft with its bare cells filled at random from the remaining tiles.

    A missing start or finish is added first. Up to `MAX_TRIES` attempts are made to find a filling
    in which the finish can be reached; if all fail, the last one is returned. ``below(n)`` returns
    a random number from 0 to n - 1.
    """
    draft = _with_ends(draft)
    stock = count_remaining_tiles(draft)
    bag = [letter for letter, n in stock.items() if letter not in "BFT" for _ in range(n)]
    land = "/".join(draft.rows)
    for _ in range(MAX_TRIES):
        for at in range(len(bag) - 1, 0, -1):
            other = below(at + 1)
            bag[at], bag[other] = bag[other], bag[at]
        tiles = [*bag]
        full = "".join([tiles.pop() if each == BARE and tiles else each for each in land])
        found = full.find(START)
        if found < 0 or full.find(FINISH) in distances(full, found):
            break
    return Draft(tuple(full.split("/")), draft.treasure)


def _with_ends(draft: Draft) -> Draft:
    """Return the draft with a missing start added in the west and a missing finish in the east.

    Each is added only if a cell is bare.
    """
    places = [(r, c) for c in range(len(draft.rows[0])) for r in range(len(draft.rows))]
    land = "".join(draft.rows)
    for letter, order in ((START, places), (FINISH, places[::-1])):
        bare = [place for place in order if letter_at(draft, place) == BARE]
        if letter not in land and bare:
            column = [place for place in bare if place[1] == bare[0][1]]
            draft = paint(draft, [column[len(column) // 2]], letter)
    return draft


# --- faults -----------------------------------------------------------------------------------


def faults(name: str, draft: Draft) -> list[Fault]:
    """Return all faults that make the map unplayable, each with its location."""
    land = "".join(draft.rows)
    found = [Fault(key, args) for key, args in maps.name_flaws(name)]
    bare, whole = land.count(BARE), sum(maps.COUNTS.values())
    if len(land) > whole:
        found.append(Fault("map-too-large", {"tiles": len(land), "most": whole}))
    elif bare:
        found.append(Fault("map-bare", {"bare": bare}, _first(draft, BARE)))
    return found + [_fault_at(draft, *flaw) for flaw in maps.tile_flaws(draft.rows, draft.treasure)]


def _first(draft: Draft, letter: str) -> Place | None:
    for row, tiles in enumerate(draft.rows):
        if letter in tiles:
            return row, tiles.index(letter)
    return None


def _fault_at(draft: Draft, key: str, args: dict[str, Any]) -> Fault:
    if "row" in args:
        return Fault(key, args, (args["row"] - 1, args["column"] - 1))
    if key == "map-cut-off":
        return Fault(key, args, _first(draft, FINISH))
    return Fault(key, args, letter=CHEST if key == "map-chests" else key[-1])


def route_length(draft: Draft) -> int:
    """Return the number of steps from start to finish, or 0 if there is no path."""
    land = "/".join(draft.rows)
    if START not in land or FINISH not in land:
        return 0
    return distances(land, land.index(START)).get(land.index(FINISH), 0)


class DraftHistory:
    """The undo and redo history of a draft.

    ``now``: the current draft; ``before``: earlier drafts, at most `MAX_UNDO_STEPS`; ``undone``:
    drafts that can be redone.
    """

    def __init__(self, draft: Draft) -> None:
        self.now = draft
        self.before: list[Draft] = []
        self.undone: list[Draft] = []

    def go(self, draft: Draft) -> bool:
        """Record a new draft and return True; return False if it equals the current draft."""
        if draft == self.now:
            return False
        self.before = [*self.before[1 - MAX_UNDO_STEPS :], self.now]
        self.undone = []
        self.now = draft
        return True

    def undo(self) -> bool:
        """Undo the last step and return True; return False if there is none."""
        if not self.before:
            return False
        self.undone.append(self.now)
        self.now = self.before.pop()
        return True

    def redo(self) -> bool:
        """Redo the last undone step and return True; return False if there is none."""
        if not self.undone:
            return False
        self.before.append(self.now)
        self.now = self.undone.pop()
        return True
