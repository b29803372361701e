"""The drawings of the tiles and wares: every tile has a shape of its own, so that colour is never
the only sign. Each fits into a box from (-50, -50) to (50, 50). Ships to the browser."""

from domain.scene import Node, Symbol, circle, path, plate

DARK = "figure"
STONE = "#8d7b68"
SNOW = "#f4efe6"
WATER = "#2f7fa8"
LEAF = "#4d7a2c"
WOOD = "#7a4a1e"
CLOTH = "#b5418f"
SPICE = "#c8641d"
GOLD = "#d9a520"


def _line(d: str, colour: str = DARK, width: float = 4) -> Node:
    return path(d, "", colour, width)


def _shape(d: str, fill: str, width: float = 3) -> Node:
    return path(d, fill, DARK, width)


def _sign(name: str, *parts: Node) -> Symbol:
    return Symbol("cq-" + name, (-50, -50, 100, 100), parts)


def _tent(cloth: str) -> tuple[Node, ...]:
    return (
        _shape("M-34 30 0-30 34 30Z", "#f4e3bd"),
        _shape("M-34 30 0-30-12 30Z", cloth),
        _shape("M34 30 0-30 12 30Z", cloth),
        _line("M0-30V-42"),
    )


TILES = (
    _sign(
        "D",
        _line("M-36-8q14-16 30-2 14 12 34-2", "cell-line", 5),
        _line("M-34 22q18-16 34-2 14 10 32-4", "cell-line", 5),
    ),
    _sign(
        "O",
        path("M-36 26q36 20 72 0-12-14-36-14T-36 26Z", WATER, DARK, 3),
        _line("M-2 16q-2-22 6-40", WOOD, 7),
        _line("M4-24q-14-14-30-4M4-24q-18-2-24 14M4-24q14-16 30-4M4-24q20-2 24 14", LEAF, 7),
    ),
    _sign(
        "M",
        _shape("M-44 34-16-24 6 14 18-6 44 34Z", STONE),
        path("M-16-24-26-3-16-8-7 2-4-3Z", SNOW),
    ),
    _sign(
        "G",
        _line("M-26 14v-16M-34 14q0-8-6-12M-18 14q0-8 6-12", LEAF, 5),
        _line("M20-10v-16M12-10q0-8-6-12M28-10q0-8 6-12", LEAF, 5),
        _line("M18 34v-16M10 34q0-8-6-12M26 34q0-8 6-12", LEAF, 5),
    ),
    _sign(
        "R",
        _line("M-40-20q14-14 27 0t27 0 26 0", SNOW, 6),
        _line("M-40 4q14-14 27 0t27 0 26 0", SNOW, 6),
        _line("M-40 28q14-14 27 0t27 0 26 0", SNOW, 6),
    ),
    _sign(
        "C",
        _shape("M-38 34V-4h16V34Z", "#e7c887"),
        _shape("M22 34V-4h16V34Z", "#e7c887"),
        _shape("M-22 34V4q22-44 44 0V34Z", "#f4e3bd"),
        _shape("M-8 34V18q8-12 16 0V34Z", DARK),
        _line("M0-20V-38"),
        _line("M-30-4V-16M30-4V-16"),
    ),
    _sign("S", *_tent(CLOTH), path("M-10 30V12h20v18Z", CLOTH, DARK, 3)),
    _sign("P", *_tent(SPICE), path("M0 8 12 30H-12Z", SPICE, DARK, 3)),
    _sign(
        "B",
        _line("M-20 38V-36", DARK, 6),
        _shape("M-20-36H30L18-20 30-4H-20Z", "sun"),
    ),
    _sign(
        "F",
        _shape("M-34 38V-12q34-44 68 0V38H18V0q-18-22-36 0V38Z", "#e7c887"),
        _line("M-34 38H34"),
        _shape("M0-36V-48L16-43 0-38", CLOTH, 2),
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
