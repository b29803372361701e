"""Symbols in Caravanserai's pictures. See `domain.drawing.scene`."""

from domain.drawing.scene import Symbol, circle, oval, path, use

LYING = (
    "M10 74C6 68 8 56 14 50 18 46 23 44 28 46 31 30 40 27 44 40 46 46 50 46 53 41 56 27 65 28"
    " 69 42 72 49 76 51 80 46 84 41 82 31 83 25 84 20 89 18 93 19 97 20 100 23 99 26 98 29 94 30"
    " 90 30 90 39 92 49 88 57 86 62 90 68 96 69 98 74 94 77 88 77H16C13 77 11 76 10 74Z"
)
"""Path data of a lying camel in a box of 100 by 84 units."""
GOODS: dict[str, tuple[str, ...]] = {
    "white": ("#fdf9ef", "#8a7448", "#efe6cf", "#6d5a33", "#fffdf6", "#8a7448", "#8a7448"),
    "black": ("#2b282b", "#8d8890", "#2b282b", "#a39da6", "#57515a", "#0c0b0c", "#8d8890"),
    "purple": ("#7b3d9b", "#4d2166", "#7b3d9b", "#3c1752", "#a568c4", "#4d2166", "#cfa8e4"),
    "red": ("#c2382c", "#7d1d15", "#c2382c", "#66140d", "#e46a5d", "#7d1d15", "#f2b1a9"),
    "yellow": ("#f2b622", "#9a6c06", "#f2b622", "#7c5604", "#ffdc7c", "#9a6c06", "#fff0bd"),
}
"""Colours by good: face and edge of a bead; side, edge and top of a drum; outer and inner edge of
a caravanserai.
"""
SIGNS = {
    "white": circle(0, 0, 5, "", "#54411f", 2.6),
    "black": path("M0-6.6 6.2 0 0 6.6-6.2 0Z", "#ffffff"),
    "purple": path("M0-6.4 6.6 5.2H-6.6Z", "#ffffff"),
    "red": path("M-4.6-4.6 4.6 4.6M4.6-4.6-4.6 4.6", "", "#ffffff", 3.2),
    "yellow": path("M0-6V6M-6 0H6", "", "#3d2904", 3.2),
}
"""Marks that distinguish goods without relying on colour."""


def _symbols() -> list[Symbol]:
    """Return the symbols for each colour: mark, bead (good in a caravan), drum, caravanserai.

    A drum is a good that stands on the board.
    """
    found = []
    for good, (face, edge, side, drum, top, court, line) in GOODS.items():
        sign = use("sign-" + good, 0, 0, 24)
        barrel = path("M-9-8V8a9 4 0 0 0 18 0V-8Z", side, drum, 1.5)
        found += [
            Symbol("sign-" + good, (-12, -12, 24, 24), (SIGNS[good],)),
            Symbol("good-" + good, (-12, -12, 24, 24), (circle(0, 0, 10.6, face, edge, 1.8), sign)),
            Symbol(
                "drum-" + good,
                (-12, -14, 24, 28),
                (barrel, oval(0, -8, 9, 4, top, drum, 1.5), use("sign-" + good, 0, 2.5, 18)),
            ),
            Symbol(
                "stop-" + good,
                (-20, -20, 40, 40),
                (
                    path("M0-17 14.7-8.5V8.5L0 17-14.7 8.5V-8.5Z", face, court, 2),
                    path("M0-13.4 11.6-6.7V6.7L0 13.4-11.6 6.7V-6.7Z", "", line, 0.8),
                    sign,
                ),
            ),
        ]
    return found


SYMBOLS = (*_symbols(), Symbol("lying", (0, 0, 100, 84), (path(LYING, "currentColor"),)))
