"""Preset maps, and validation of drawn maps. Ships to the browser."""

from typing import Any

from msgspec import Struct

from domain.games.conquest.board import FINISH, LETTERS, RIVER, START, distances
from domain.games.conquest.events import Place
from domain.text.printable import is_printable

COUNTS = {"D": 50, "O": 10, "M": 20, "G": 36, "R": 20, "C": 12, "S": 7, "P": 13, "B": 1, "F": 1}
"""Number of tiles of each kind by letter, 170 in total."""
CHESTS = 4
"""Number of treasure chests in the game."""
MAX_SIDE_TILES = 20
"""Maximum number of rows and maximum number of columns of a drawn map."""
MAX_NAME_CHARS = 40
"""Maximum length of the name of a drawn map in characters."""


class Chart(Struct, frozen=True):
    """A map: its rows from north to south and the places of its treasure chests."""

    rows: tuple[str, ...]
    treasure: tuple[Place, ...]


SHORT = Chart(
    ("GRGPRCDD", "SGCDPMDD", "MGGMDSCF", "BOGGDDOR", "RMDDGGDM", "PDORDPGD"),
    ((1, 3), (0, 6), (5, 1), (5, 7)),
)
STANDARD = Chart(
    (
        "DDRDRDGCDDDS",
        "GPOMCPGDDGGG",
        "RMDDPMOOGCRG",
        "DRGDSRMGCGCF",
        "BMDGDGGRDRGM",
        "CDMPRSMCDDDG",
        "ODPMDOGDPPOR",
        "GGGSRMDDDDDM",
    ),
    ((0, 3), (0, 9), (7, 5), (7, 9)),
)
FULL = Chart(
    (
        "MSCDGSRPSDPDRMCOD",
        "PCCPGDSCRGPPDDMDM",
        "CSGCGDGDDDMDPGORG",
        "RCOMGPMDRMOGDDGPD",
        "CGGDGDMGMDGRGGRDF",
        "BDDMGDRGGDDDOGGDR",
        "DDGRDGMDRDGGMRDDD",
        "PDMRDGDRDPGCPMODR",
        "GMRGGOGOCPRMDOGDC",
        "DDRGSMOMDDDSMDDRG",
    ),
    ((0, 0), (0, 16), (9, 1), (9, 14)),
)
PRESETS = {"short": SHORT, "standard": STANDARD, "full": FULL}
"""The preset maps by name. They are reconstructions, as no official map is known."""

Flaw = tuple[str, dict[str, Any]]
"""A fault of a map: a message id and its arguments."""


def flaws(name: str, rows: tuple[str, ...], treasure: tuple[Place, ...]) -> list[Flaw]:
    """Return the faults of a drawn map; none if it is playable.

    Tiles and chests are checked only if the name and the shape are valid.
    """
    return [*name_flaws(name), *_misshapen(rows)] or tile_flaws(rows, treasure)


def name_flaws(name: str) -> list[Flaw]:
    """Return the fault of a map's name, if any, as a list."""
    if len(name) > MAX_NAME_CHARS or name != name.strip() or not is_printable(name):
        return [("map-name", {"most": MAX_NAME_CHARS})]
    return []


def tile_flaws(rows: tuple[str, ...], treasure: tuple[Place, ...]) -> list[Flaw]:
    """Return the faults of the tiles and chests of a map whose rows have equal lengths.

    Chests are checked only if there is exactly one start and one finish.
    """
    land = "/".join(rows)
    found = [*_out_of_budget(land)]
    if land.count(START) == land.count(FINISH) == 1:
        reached = distances(land, land.index(START))
        if land.index(FINISH) not in reached:
            found.append(("map-cut-off", {}))
        found += _misplaced(rows, treasure, set(reached))
    return found


def _misshapen(rows: tuple[str, ...]) -> list[Flaw]:
    found: list[Flaw] = []
    widest = max([len(row) for row in rows], default=0)
    if not 0 < len(rows) <= MAX_SIDE_TILES or not 0 < widest <= MAX_SIDE_TILES:
        found.append(("map-size", {"most": MAX_SIDE_TILES}))
    if any(len(row) != widest for row in rows):
        found.append(("map-uneven", {}))
    strange = sorted({letter for row in rows for letter in row if letter not in LETTERS})
    if strange:
        found.append(("map-letters", {"letters": LETTERS}))
    return found


def _out_of_budget(land: str) -> list[Flaw]:
    found: list[Flaw] = []
    for letter, most in COUNTS.items():
        laid = land.count(letter)
        if letter in (START, FINISH) and laid != 1:
            found.append((f"map-one-{letter}", {"laid": laid}))
        elif laid > most:
            found.append((f"map-many-{letter}", {"laid": laid, "most": most}))
    return found


def _misplaced(rows: tuple[str, ...], treasure: tuple[Place, ...], reached: set[int]) -> list[Flaw]:
    found: list[Flaw] = []
    if len(treasure) > CHESTS:
        found.append(("map-chests", {"laid": len(treasure), "most": CHESTS}))
    stride = len(rows[0]) + 1
    seen: set[Place] = set()
    for row, column in treasure:
        where = {"row": row + 1, "column": column + 1}
        if not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            found.append(("map-chest-off", where))
        elif (row, column) in seen:
            found.append(("map-chest-twice", where))
        elif rows[row][column] in (RIVER, START, FINISH):
            found.append(("map-chest-tile", where))
        elif row * stride + column not in reached:
            found.append(("map-chest-cut-off", where))
        seen.add((row, column))
    return found
