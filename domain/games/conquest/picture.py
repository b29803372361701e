"""Picture of Caravan Conquest: the tiles of the map, treasure and caravans.

Tiles are `SIDE` units wide; rows and columns are counted from the north-west corner. See
`domain.drawing.scene`. Ships to the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.drawing.scene import (
    SEAT_TONES,
    Holding,
    Mark,
    Message,
    Node,
    Piece,
    Point,
    Scene,
    cache_latest,
    circle,
    group,
    medal,
    plate,
    tag,
    use,
)

SIDE = 100
MARGIN = 14
GROUND = {
    "D": "#ecd096",
    "O": "#e3d494",
    "M": "#dccab0",
    "G": "#d2d893",
    "R": "#6aa3bc",
    "C": "#f3e0b4",
    "S": "#f3dfc0",
    "P": "#f3dfc0",
    "B": "#f8edd3",
    "F": "#f8edd3",
}
"""Background colours of tiles, the same in both themes; the symbols on them are dark."""


def middle(place: Sequence[int]) -> Point:
    """Return the centre of the tile at a place."""
    row, column = place
    return SIDE * column + SIDE / 2, SIDE * row + SIDE / 2


def tile(letter: str) -> Node:
    """Draw a tile centred on (0, 0)."""
    half = SIDE / 2 - 2
    return group(
        plate(-half, -half, 2 * half, 2 * half, 10, GROUND[letter], "tile-line", 2),
        use("cq-" + letter, 0, 0, SIDE),
        kind="tile",
    )


def place_caravans(places: Sequence[Sequence[int]]) -> list[tuple[float, float, float]]:
    """Return the position and radius ``(x, y, size)`` of each caravan.

    A single caravan is in the centre of its tile; several are smaller, in rows of two.
    """
    tiles = [tuple(place) for place in places]
    found = []
    for seat, place in enumerate(tiles):
        x, y = middle(place)
        company = tiles.count(place)
        if company == 1:
            found.append((x, y, 31.0))
            continue
        number = tiles[:seat].count(place)
        rows = (company + 1) // 2
        x += -24 if number % 2 == 0 else 24
        y += 30 * (number // 2) - 15 * (rows - 1)
        found.append((x, y, 22.0))
    return found


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> Scene:
    """Return the picture of a view.

    ``letters``: a letter for each seat, which distinguishes the seats without relying on colour.
    """
    rows = view["map"]["rows"]
    wide, high = SIDE * len(rows[0]), SIDE * len(rows)
    prices = view["prices"]
    return Scene(
        box=(-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN),
        ground=land(rows),
        pieces=(
            *changed_tiles(rows, view["tiles"]),
            *chests(view["treasure"]),
            *caravans(view, letters),
        ),
        caption=_caption(view),
        holdings=tuple([_holding(player) for player in view["players"]]),
        note=_note(view),
        stock_name=Message("picture.prices"),
        stock=(Mark("cq-silk", str(prices["silk"])), Mark("cq-spice", str(prices["spice"]))),
    )


@cache_latest
def land(rows: Sequence[str]) -> tuple[Node, ...]:
    """Draw all tiles of the original map."""
    nodes = []
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            x, y = middle((row, column))
            nodes.append(group(tile(letter), transform=f"translate({x} {y})"))
    return tuple(nodes)


def changed_tiles(before: Sequence[str], now: Sequence[str]) -> list[Piece]:
    """Return a piece for each changed tile, that is, for each oasis turned into desert."""
    return [
        Piece(f"tile {row} {column}", *middle((row, column)), tile(letter), SIDE / 2)
        for row, letters in enumerate(now)
        for column, letter in enumerate(letters)
        if letter != before[row][column]
    ]


def chests(places: Sequence[Sequence[int]]) -> list[Piece]:
    """Return the treasure chests, each in the upper right corner of its tile."""
    found = []
    for row, column in places:
        x, y = middle((row, column))
        node = group(circle(0, 0, 19, "paper", "tile-line", 2), use("cq-chest", 0, 0, 30))
        found.append(Piece(f"chest {row} {column}", x + 27, y - 27, node, 21))
    return found


def caravans(view: dict[str, Any], letters: Sequence[str]) -> list[Piece]:
    """Return the caravans of all seats, and on top of them their letters."""
    spots = place_caravans([player["at"] for player in view["players"]])
    medals, tags = [], []
    for seat, (x, y, size) in enumerate(spots):
        medal_of = group(*medal(seat, size, lift=size / 5))
        medals.append(Piece(f"caravan {seat}", x, y, medal_of, size + 3))
        tags.append(Piece(f"tag {seat}", x, y, group(*tag(seat, letters[seat], size / 4)), 34))
    return [*medals, *tags]


def _caption(view: dict[str, Any]) -> Message:
    if view["step"] == "over":
        return Message("picture.result", {"round": view["round"]})
    if view["last_round"]:
        return Message("picture.countdown", {"round": view["round"], "last": view["last_round"]})
    return Message("picture.round", {"round": view["round"]})


def _note(view: dict[str, Any]) -> Message | None:
    """Return the note: the card being resolved, or the starting gear before the first step.

    Otherwise return None.
    """
    if view["drawn"]:
        return Message("picture.meets", {"card": view["drawn"]})
    if view["round"] > 1 or any(p["at"] != view["map"]["start"] for p in view["players"]):
        return None
    player = view["players"][0]
    return Message("picture.equipment", {"equipment": [*player["animals"], player["caravan"]]})


def _holding(player: dict[str, Any]) -> Holding:
    """Return a seat's wealth and holdings, and its speed unless it has finished."""
    marks = [Mark(f"cq-{what}", str(player[what])) for what in ("gold", "silk", "spice")]
    if player["treasure"]:
        marks.append(Mark("cq-chest", str(player["treasure"])))
    if not player["finished"]:
        marks.append(Mark("camel", str(player["speed"]), SEAT_TONES[player["seat"]], 1.2))
    return Holding(str(player["wealth"]), tuple(marks))
