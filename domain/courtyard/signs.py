"""The signs of the courtyard: goods and coins. Ships to the browser.

Metals are bars with as many dots as they are worth, gems are stones of three cuts: shapes tell
them apart without their colours.
"""

from domain.scene import Symbol, circle, path

_BAR = "M2 19L7 5H19L24 19Z"
_DOTS = {"bronze": (13,), "silver": (10, 16), "gold": (8, 13, 18)}
_TONES = {
    "bronze": ("#a9672f", "#4a2a0c"),
    "silver": ("#b9c2cb", "#3f4a55"),
    "gold": ("#efc93a", "#6a5200"),
}
_BOX = (0, 0, 26, 26)


def _bar(good: str) -> Symbol:
    fill, edge = _TONES[good]
    dots = [circle(x, 13, 1.8, edge) for x in _DOTS[good]]
    return Symbol("good-" + good, _BOX, (path(_BAR, fill, edge, 2), *dots))


SYMBOLS = (
    *[_bar(good) for good in _TONES],
    Symbol(
        "good-amber",
        _BOX,
        (circle(13, 13, 11, "#e0951a", "#5f3b00", 2), circle(9, 9, 3, "#ffffff")),
    ),
    Symbol(
        "good-emerald",
        _BOX,
        (path("M8 2H18L24 8V18L18 24H8L2 18V8Z", "#2f9a5c", "#0f4426", 2),),
    ),
    Symbol(
        "good-diamond",
        _BOX,
        (
            path("M2 9L8 3H18L24 9L13 24Z", "#8fdcf2", "#1d5a6e", 2),
            path("M2 9H24", "", "#1d5a6e", 1.5),
        ),
    ),
    Symbol(
        "dirham",
        _BOX,
        (circle(13, 13, 11, "#efc93a", "#6a5200", 2), circle(13, 13, 6, "", "#6a5200", 2)),
    ),
    Symbol("gives", _BOX, (path("M4 13H21L14 6M21 13L14 20", "", "#3a2a17", 3),)),
    Symbol(
        "swap",
        _BOX,
        (path("M4 9H20L16 5M22 17H6L10 21", "", "#ffffff", 2.5),),
    ),
)
