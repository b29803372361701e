"""Symbols in Caravane's pictures. Losses have a gap, to be recognisable without colour."""

from domain.drawing.scene import Node, Symbol, path

GOURD = (
    "M-2-15h4v4c0 3 2 4 4 6 3 3 2 5 0 7 5 2 8 6 8 9"
    "a14 8.5 0 0 1-28 0c0-3 3-7 8-9-2-2-3-4 0-7 2-2 4-3 4-6Z"
)


def _gourd() -> Node:
    return path(GOURD, "#2f7fa8", "#17394c", 1.2)


def _silk(d: str) -> Node:
    return path(d, "#b5418f", "#4f153c", 1.2)


def _line(d: str) -> Node:
    return path(d, "", "#ffffff", 2)


def _wall(d: str) -> Node:
    return path(d, "figure", "tile-line", 1.5)  # the edge stands out from the ground at night


def _dome(d: str) -> Node:
    return path(d, "dune-2", "tile-line", 1.5)


def _flag(d: str) -> Node:
    return path(d, "#b5418f", "figure", 1.5)


def _gate(d: str) -> Node:
    return path(d, "sun")


def _sign(name: str, *parts: Node) -> Symbol:
    return Symbol("sign-" + name, (-17, -17, 34, 34), parts)


def _palace(number: int, *parts: Node) -> Symbol:
    return Symbol(f"palace-{number}", (-46, -46, 92, 92), parts)


SYMBOLS = (
    _sign("water", _gourd(), _line("M-6 9q3 3 6 0t6 0")),
    _sign(
        "leak",
        _gourd(),
        path("M-9-3-1 3-5 7 5 13", "", "#ffffff", 3.2),
        path("M11 5q5 6 0 9-5-3 0-9Z", "#ffffff"),
    ),
    _sign(
        "bale",
        _silk("M-13-8q13-6 26 0v16q-13 6-26 0Z"),
        _line("M-5-10.5v21M5-10.5v21M-13 0q13 6 26 0"),
    ),
    _sign(
        "damage",
        _silk("M-14-8q6-3 11-3l-3 7 5 5-6 5 3 5q-5 0-10-3Z"),
        _silk("M4-11q5 0 10 3v16q-5 3-9 3l-3-5 6-5-6-5Z"),
    ),
    _sign(
        "bag",
        path("M-5-9q-9 6-9 15 0 8 14 8t14-8q0-9-9-15Z", "#a9772f", "#4a300c", 1.2),
        _line("M-7-9H7M-5-9l-3-6q8 3 16 0l-3 6"),
    ),
    Symbol(
        "camp",
        (-36, -36, 72, 72),
        (_wall("M0-24 30 18H-30Z"), _gate("M0-10 9 18H-9Z"), _flag("M0-24v-9l11 4-11 4")),
    ),
    _palace(
        1,
        _wall("M-40 40V4h9v-6h6v6h8v-6h34v6h8v-6h6v6h9v36Z"),
        _dome("M-17-2q0-20 17-26 17 6 17 26Z"),
        _flag("M0-28v-12l12 4-12 4"),
        _gate("M-9 40V22q0-8 9-12 9 4 9 12v18Z"),
    ),
    _palace(
        2,
        _wall("M-30 40V0h60v40Z"),
        _wall("M-44 40v-58h15v58ZM29 40v-58h15v58Z"),
        _dome("M-46-18q2-12 9.5-17 7.5 5 9.5 17ZM27-18q2-12 9.5-17 7.5 5 9.5 17Z"),
        _dome("M-20 0q-4-22 20-32 24 10 20 32Z"),
        _flag("M0-32v-12l12 4-12 4"),
        _gate("M-10 40V20q0-9 10-13 10 4 10 13v20Z"),
    ),
    _palace(
        3,
        _wall("M-32 40V16h64v24ZM-23 10v-14h46v14ZM-14-10v-12h28v12Z"),
        _dome("M-45 18q10-2 15-10h60q5 8 15 10Z"),
        _dome("M-34-6q8-2 12-8h44q4 6 12 8Z"),
        _dome("M-24-24q10-4 24-18 14 14 24 18Z"),
        _flag("M0-42v-4l11 3-11 4"),
        _gate("M-9 40V27h18v13Z"),
    ),
)
