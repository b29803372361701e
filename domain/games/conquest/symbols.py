"""Symbols of tiles and wares, distinguishable by shape as well as colour.

Each fits into a box from (-50, -50) to (50, 50).
"""

from domain.drawing.scene import Node, Symbol, circle, oval, path, plate

DARK = "figure"
STONE = "#8d7b68"
SNOW = "#f4efe6"
WATER = "#2f7fa8"
LEAF = "#4d7a2c"
WOOD = "#7a4a1e"
CLOTH = "#b5418f"
SPICE = "#c8641d"
GOLD = "#d9a520"
CANVAS = "#f4e3bd"
WALL = "#e3c180"
DOME = "#2c8490"
SHADE = "#8a6a3a55"


def _line(d: str, colour: str = DARK, width: float = 4) -> Node:
    return path(d, "", colour, width)


def _shape(d: str, fill: str, width: float = 3) -> Node:
    return path(d, fill, DARK, width)


def _sign(name: str, *parts: Node) -> Symbol:
    return Symbol("cq-" + name, (-50, -50, 100, 100), parts)


def _tent(cloth: str) -> tuple[Node, ...]:
    """Draw a pointed pavilion."""
    return (
        path("M-36 36H36", "", SHADE, 6),
        _shape("M-34 34Q-18 4 0-28 18 4 34 34Z", CANVAS),
        _shape("M-34 34Q-18 4 0-28L-11 34Z", cloth),
        _shape("M34 34Q18 4 0-28L11 34Z", cloth),
        _line("M0-28V-42"),
        path("M0-42 15-37 0-32Z", cloth, DARK, 2.5),
    )


def _tuft(x: float, y: float) -> Node:
    return _line(f"M{x} {y}v-15M{x - 8} {y}q-1-8-7-11M{x + 8} {y}q1-8 7-11", LEAF, 4.5)


def _dome(x: float, y: float, half: float) -> tuple[Node, ...]:
    """Draw a dome over a drum, with a finial."""
    top = y - half * 1.25
    bulge = f"M{x - half} {y}C{x - half * 1.35} {y - half} {x - 4} {y - half} {x} {top}"
    back = f"C{x + 4} {y - half} {x + half * 1.35} {y - half} {x + half} {y}Z"
    return (_line(f"M{x} {top}V{top - 8}", DARK, 3), _shape(bulge + back, DOME))


HILL = "M-47.5 12Q-22-14 6 4T47.5-4V38Q47.5 47.5 38 47.5H-38Q-47.5 47.5-47.5 38Z"
RISE = "M-47.5 30Q-14 8 14 26T47.5 24V38Q47.5 47.5 38 47.5H-38Q-47.5 47.5-47.5 38Z"
"""Path data of two hill crests from edge to edge of a tile."""

TILES = (
    _sign(
        "D",
        circle(26, -26, 9, "#f7e6b8"),
        path(HILL, "#dfb974"),
        path(RISE, "#d2a55c"),
        _line("M-47 12Q-22-14 6 4T47-4", "#f6e2b4", 3.5),
        _line("M-47 30Q-14 8 14 26T47 24", "#f0d59b", 3.5),
        _line("M-30 38q10-6 18 0M10 39q10-6 18 0", "#b98a44", 3),
    ),
    _sign(
        "O",
        path(RISE, "#b9c877"),
        oval(2, 28, 34, 13, WATER, DARK, 3),
        _line("M-12 27h16M6 32h14", "#a9d3e2", 3),
        _line("M-14 22q-6-22 2-44", WOOD, 7),
        _line(
            "M-12-22q-13-13-27-3M-12-22q-16-2-23 13M-12-22q12-15 27-5M-12-22q17 1 22 14", LEAF, 6
        ),
        _line("M20 20q6-12 2-24", WOOD, 5),
        _line("M22-4q-8-8-16-2M22-4q9-9 17-1M22-4q10 2 12 10M22-4q-10 2-13 10", LEAF, 5),
    ),
    _sign(
        "M",
        path(RISE, "#b9a384"),
        _shape("M-10 34 22-18 47 34Z", "#9c8a76"),
        _shape("M-46 36-14-36 22 36Z", STONE),
        path("M-14-36 22 36H2L-8 6-2-6Z", "#6f5f50"),
        path("M-14-36-27-8-18-13-11-3-4-11 1-7Z", SNOW, DARK, 2),
        path("M22-18 14-4 21-7 26-1 30-3Z", SNOW),
    ),
    _sign(
        "G",
        path(HILL, "#b9c873"),
        path(RISE, "#a6ba5f"),
        _tuft(-26, 6),
        _tuft(18, -8),
        _tuft(-4, 34),
        _tuft(32, 28),
        circle(-34, 30, 3.5, "#f6e9c0"),
        circle(6, 12, 3.5, "#f6e9c0"),
    ),
    _sign(
        "R",
        path("M-47.5-38Q-47.5-47.5-38-47.5H38Q47.5-47.5 47.5-38V-30Q0-18-47.5-30Z", "#86b8cb"),
        _line("M-38-18q13-13 25 0t25 0 25 0", SNOW, 5.5),
        _line("M-38 6q13-13 25 0t25 0 25 0", SNOW, 5.5),
        _line("M-38 30q13-13 25 0t25 0 25 0", SNOW, 5.5),
    ),
    _sign(
        "C",
        path("M-42 37H42", "", SHADE, 6),
        _shape("M-40 35V-6h16V35ZM24 35V-6h16V35Z", WALL),
        *_dome(-32, -6, 9),
        *_dome(32, -6, 9),
        _shape("M-24 35V4H24V35Z", "#f4e3bd"),
        *_dome(0, 4, 19),
        _shape("M-9 35V22q9-12 18 0V35Z", DARK),
        _line("M-32 10v8M32 10v8M-17 14v6M17 14v6", DARK, 3.5),
    ),
    _sign(
        "S",
        *_tent(CLOTH),
        path("M-7 36V18q7-7 14 0v18Z", DARK),
        _shape("M14 24q14-6 28 0v14q-14 6-28 0Z", "#d876b6", 2.5),
        _line("M23 22v18M33 22v18", SNOW, 2.5),
    ),
    _sign(
        "P",
        path("M-40 37H40", "", SHADE, 6),
        _line("M-34 36V-12M34 36V-12", WOOD, 5),
        _shape(
            "M-42-8-34-30H34L42-8Q35 2 28-8 21 2 14-8 7 2 0-8-7 2-14-8-21 2-28-8-35 2-42-8Z", SPICE
        ),
        path("M-14-8-11-30H11L14-8Q7 2 0-8-7 2-14-8Z", CANVAS, DARK, 2),
        _shape("M-38 35-25 12-12 35Z", "#d9a520", 2.5),
        _shape("M-14 35 0 10 14 35Z", SPICE, 2.5),
        _shape("M12 35 25 14 38 35Z", "#9c3b1c", 2.5),
    ),
    _sign(
        "B",
        path(RISE, "#e6cf9f"),
        _line("M-20 40V-38", WOOD, 6),
        _shape("M-18-38Q4-44 16-34T40-34L32-20 40-6Q24-2 14-8T-18-8Z", "sun"),
        _line("M-6-28V-16M6-29V-17M18-28V-16", CLOTH, 4),
        _shape("M-34 40q14-12 28 0Z", WALL, 2.5),
    ),
    _sign(
        "F",
        path("M-42 40H42", "", SHADE, 6),
        _shape("M-40 38V-14h14V38ZM26 38V-14h14V38Z", WALL),
        *_dome(-33, -14, 8),
        *_dome(33, -14, 8),
        _shape("M-26 38V-8Q0-44 26-8V38H15V4Q0-20-15 4V38Z", "#f4e3bd"),
        path("M-13 38V6Q0-16 13 6V38Z", "#f7e6b8"),
        path("M-22-10 0-6 22-10 0 4Z", CLOTH, DARK, 2),
        circle(0, 18, 6, GOLD, DARK, 2.5),
    ),
)

WARES = (
    _sign("gold", circle(0, 0, 36, GOLD, DARK, 5), circle(0, 0, 22, "", DARK, 4)),
    _sign(
        "silk",
        _shape("M-38-20q38-16 76 0v40q-38 16-76 0Z", CLOTH, 4),
        _line("M-12-28V28M12-28V28", SNOW),
    ),
    _sign("spice", _shape("M0-38 38 34H-38Z", SPICE, 4), _line("M-12 14H12", SNOW)),
    _sign(
        "chest",
        plate(-36, -8, 72, 38, 5, "#a9772f", DARK, 4),
        _shape("M-36-8q0-26 22-26h28q22 0 22 26Z", WOOD, 4),
        plate(-8, -14, 16, 18, 3, GOLD, DARK, 3),
    ),
)

SYMBOLS = (*TILES, *WARES)
