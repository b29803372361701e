"""Symbols of the courtyard game: goods, coins, the frames of orders, and others.

They are distinguishable by shape as well as colour: metals are bars with as many dots as their
price, gems are stones of three cuts, and frames have a wave, a leaf, a flame or a star.
"""

from domain.drawing.scene import Symbol, circle, path
from domain.games.courtyard.sign_colours import EDGES, FRAMES, TONES

_BAR = "M2 19L7 5H19L24 19Z"
_DOTS = {"bronze": (13,), "silver": (10, 16), "gold": (8, 13, 18)}
_BOX = (0, 0, 26, 26)
_DARK = "#3a2a17"


def _bar(good: str) -> Symbol:
    fill, edge = TONES[good]
    dots = [circle(x, 13, 1.8, edge) for x in _DOTS[good]]
    return Symbol("good-" + good, _BOX, (path(_BAR, fill, edge, 2), *dots))


_AMBER, _EMERALD, _DIAMOND = (TONES[good] for good in ("amber", "emerald", "diamond"))
_MARKS = {
    "blue": "M2 11Q7.5 3 13 11T24 11V17Q18.5 25 13 17T2 17Z",
    "green": "M3 23C2 10 10 3 23 3C24 15 17 24 3 23ZM3 23L15 11",
    "red": "M13 2C21 10 22 14 20 19Q17 24 13 24Q9 24 6 19C4 14 10 11 13 2Z",
    "white": "M13 2L16 10L24 13L16 16L13 24L10 16L2 13L10 10Z",
}


def _frame(colour: str) -> Symbol:
    return Symbol(
        "frame-" + colour, _BOX, (path(_MARKS[colour], FRAMES[colour], EDGES[colour], 2.4),)
    )


SYMBOLS = (
    *[_bar(good) for good in _DOTS],
    Symbol("good-amber", _BOX, (circle(13, 13, 11, *_AMBER, 2), circle(9, 9, 3, "#ffffff"))),
    Symbol(
        "good-emerald",
        _BOX,
        (
            path("M8 2H18L24 8V18L18 24H8L2 18V8Z", *_EMERALD, 2),
            path("M10 7H16L19 10V16L16 19H10L7 16V10Z", "", "#c9f2d6", 1.6),
        ),
    ),
    Symbol(
        "good-diamond",
        _BOX,
        (
            path("M2 9L8 3H18L24 9L13 24Z", *_DIAMOND, 2),
            path("M2 9H24M9 9L13 24L17 9", "", _DIAMOND[1], 1.4),
        ),
    ),
    Symbol(
        "dirham",
        _BOX,
        (circle(13, 13, 11, "#efc93a", "#6a5200", 2), circle(13, 13, 6, "", "#6a5200", 2)),
    ),
    *[_frame(colour) for colour in FRAMES],
    Symbol("gives", _BOX, (path("M4 13H21L14 6M21 13L14 20", "", _DARK, 3),)),
    Symbol("down", _BOX, (path("M13 4V21L6 14M13 21L20 14", "", _DARK, 3.4),)),
    Symbol("swap", _BOX, (path("M4 9H20L16 5M22 17H6L10 21", "", _DARK, 2.8),)),
    Symbol(
        "scroll",
        _BOX,
        (
            path("M6 4H20V22H6Z", "#fbf6e9", _DARK, 2),
            path("M4 4H22M4 22H22M9 9H17M9 13H17M9 17H14", "", _DARK, 2),
        ),
    ),
    Symbol(
        "skill",
        _BOX,
        (
            path(
                "M13 2L16.5 9L24 10L18.5 15.5L20 23L13 19.5L6 23L7.5 15.5L2 10L9.5 9Z",
                "#35a3ad",
                "#0d4a50",
                2,
            ),
        ),
    ),
    Symbol(
        "laurel",
        _BOX,
        (
            path("M13 3L23 9V17L13 23L3 17V9Z", "#7d4aa8", "#3a1b57", 2),
            path("M8 13L12 17L18 9", "", "#ffffff", 2.6),
        ),
    ),
)
