"""The constant part of the courtyard's picture: walls, paving, paths and spaces.

Coordinates are those of `domain.games.courtyard.geometry`. Ships to the browser.
"""

from typing import Any

from domain.drawing.scene import Node, cache_latest, circle, group, path, plate, use
from domain.games.courtyard import board
from domain.games.courtyard.geometry import HEIGHT, MARGIN, MIDDLE, SPACE_SIZE, SPOTS, WIDTH
from domain.games.courtyard.sign_colours import TONES

DARK = "#3a2a17"
"""Colour of text on `PAPER`, which is light in every theme."""
PAPER = "#fbf6e9"
_STONE, _RUG_A, _RUG_B = "#e7cf9d", "#f0dfbb", "#f3d9c4"
_CANVAS = {"P_sell": "#b5493a", "P_exch": "#2c7f8a"}
_WATER, _RIM = "#7fbdd3", "#8a6a3a"
_LEAF, _STEM = "#3f7d3a", "#23491f"


def block(x: float, y: float, wide: float, high: float, radius: float, *paint: Any) -> Node:
    """Return a rounded rectangle centred at a point."""
    return plate(x - wide / 2, y - high / 2, wide, high, radius, *paint)


@cache_latest
def static_nodes() -> tuple[Node, ...]:
    """Draw walls, paving, paths, palms, the fountain's basin and all spaces."""
    x, y = MIDDLE
    wide, high = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    nodes = [
        plate(0, 0, WIDTH, HEIGHT, 26, "sand-outer"),
        _walls(),
        block(x, y, WIDTH - 26, HEIGHT - 26, 18, "sand-intermediate", "tile-line", 2.5),
        block(x, y, wide - 78, high - 86, 20, "sand-central", "cell-line", 4),
        *_paving(),
    ]
    lines = " ".join([_line(a, b) for a in board.NEIGHBOURS for b in board.NEIGHBOURS[a] if a < b])
    nodes += [path(lines, "", "cell-line", 22), path(lines, "", "sand-intermediate", 16)]
    nodes.append(path(lines, "", "cell-line", 3, "", "2 12"))
    for dx, dy in ((-202, -118), (202, -118), (-202, 118), (202, 118)):
        nodes.append(_palm(x + dx, y + dy))
    nodes.append(circle(x, y, 66, _RIM))
    nodes.append(circle(x, y, 61, "#d8bd88"))
    nodes.append(circle(x, y, 51, _WATER, _RIM, 3))
    nodes.append(circle(x, y, 39, "", "#cdeaf4", 2.5))
    for space in board.NEIGHBOURS:
        nodes += place(space)
    return tuple(nodes)


def _walls() -> Node:
    """Draw the battlements of the outer walls."""
    edge = f"M12 12H{WIDTH - 12}V{HEIGHT - 12}H12Z"
    return path(edge, "", "tile-line", 11, "", "1 20")


def _paving() -> list[Node]:
    """Draw the joints between the paving slabs, offset from row to row."""
    x, y = MIDDLE
    left, right, top, bottom = x - 255, x + 255, y - 175, y + 175
    d = []
    for row, at in enumerate(range(top, bottom + 1, 50)):
        d.append(f"M{left} {at}H{right}")
        if at < bottom:
            start = left + (32 if row % 2 else 64)
            d += [f"M{along} {at}V{at + 50}" for along in range(start, right, 64)]
    return [path(" ".join(d), "", "cell-line", 1.2, opacity=".45")]


def _palm(x: float, y: float) -> Node:
    """Draw a palm from above: eight leaves around a stem."""
    leaf = "M0 0C10 -9 24 -10 34 0C24 7 10 6 0 0Z"
    leaves = [path(leaf, _LEAF, _STEM, 1.5, transform=f"rotate({45 * i + 12})") for i in range(8)]
    shade = circle(5, 6, 27, "#5b3812", kind="")
    shade.attributes["opacity"] = ".18"
    return group(shade, *leaves, circle(0, 0, 5, "#8a5a2b"), transform=f"translate({x} {y})")


def _line(one: str, other: str) -> str:
    (x, y), (to_x, to_y) = SPOTS[one], SPOTS[other]
    return f"M{x} {y}L{to_x} {to_y}"


# --- the spaces -------------------------------------------------------------------------------


def place(space: str) -> list[Node]:
    """Draw the constant part of a space."""
    x, y = SPOTS[space]
    if space in board.TOWERS:
        parts = _tower()
    elif space in board.STALLS:
        parts = _stall(board.STALLS[space])
    elif space in board.GATES:
        parts = _gate(space)
    elif space in board.CHANGERS:
        parts = _changer()
    elif space in board.PAVILIONS:
        parts = _pavilion(space)
    else:
        parts = _rest(space)
    return [group(*parts, transform=f"translate({x} {y})")]


def _plot(radius: float, fill: str) -> list[Node]:
    wide, high = SPACE_SIZE
    shade = block(3, 5, wide, high, radius, "#5b3812")
    shade.attributes["opacity"] = ".22"
    return [shade, block(0, 0, wide, high, radius, fill, "tile-line", 2.5)]


def _tower() -> list[Node]:
    """Draw a tower: stone with battlements at its corners, and a plate for the order."""
    corners = [
        block(sx * 40, sy * 45, 22, 22, 4, _STONE, "tile-line", 2.5)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return [*_plot(6, _STONE), *corners, block(0, 0, 82, 92, 4, _STONE)]


def _stall(good: str) -> list[Node]:
    """Draw a stall: an awning, the good and its price."""
    tone, edge = TONES[good]
    stripes = []
    for i in range(6):
        left = -45 + 15 * i
        d = f"M{left} -50H{left + 15}V-30A7.5 7.5 0 0 1 {left} -30Z"
        stripes.append(path(d, PAPER if i % 2 else tone, edge, 1.6))
    at = board.GOODS.index(good)
    coins = [
        use("dirham", -20 + 20 * i - 10 * (board.PRICES[at] - 1) + 20, 34, 21)
        for i in range(board.PRICES[at])
    ]
    sign = use("good-" + good, -14, -4, 42)
    return [*_plot(10, PAPER), *stripes, sign, *coins]


def _gate(space: str) -> list[Node]:
    """Draw a gate: an arch with a symbol, for abilities in the north or orders in the south."""
    arch = path("M-33 46V-6A33 33 0 0 1 33 -6V46Z", "figure", "tile-line", 2)
    inner = path("M-25 46V-5A25 25 0 0 1 25 -5V46Z", "#6e4a24")
    return [
        *_plot(12, _STONE),
        arch,
        inner,
        use("skill" if space == board.NORTH else "scroll", 0, -4, 38),
    ]


def _changer() -> list[Node]:
    """Draw a money changer: a table with coins."""
    coins = [(-17, 14), (0, 14), (17, 14), (-8, -4), (9, -4), (0, -22)]
    rug = block(0, -2, 74, 78, 38, "#7d4a5c", "#3f1d2b", 2.5)
    return [*_plot(26, _STONE), rug, *[use("dirham", cx, cy, 26) for cx, cy in coins]]


def _pavilion(space: str) -> list[Node]:
    """Draw a pavilion: a round tent from above with a symbol of its purpose."""
    tone = _CANVAS[space]
    rim = 50
    shade = circle(3, 6, rim, "#5b3812")
    shade.attributes["opacity"] = ".22"
    c = round(rim * 0.3827, 1)
    s = round(rim * 0.9239, 1)
    cloth = [
        path(
            f"M0 0L{-c} {-s}H{c}Z",
            PAPER if i % 2 else tone,
            DARK,
            1.6,
            transform=f"rotate({45 * i})",
        )
        for i in range(8)
    ]
    sign = use("dirham", 0, -1, 32) if space == "P_sell" else use("swap", 0, 0, 32)
    return [shade, *cloth, circle(0, 0, 23, PAPER, DARK, 2), sign]


def _rest(space: str) -> list[Node]:
    """Draw a rest area: a rug with fringes."""
    tone = _RUG_A if space[2] == "A" else _RUG_B
    band = "#8c3b2f" if space[2] == "B" else "#2f6f7a"
    fringe = path(
        " ".join([f"M{-38 + 9.5 * i} -50v-5M{-38 + 9.5 * i} 50v5" for i in range(9)]), "", band, 2.5
    )
    bands = path("M-45 -44H45M-45 44H45", "", band, 4)
    return [fringe, *_plot(6, tone), bands]
