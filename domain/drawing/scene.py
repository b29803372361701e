"""Drawings as data: SVG elements, rendered by the page and by the service.

Lengths are in game-specific units, x to the right, y down. A colour is a token of the
product's style sheet ("seat-0", "paper", "sand-central", ...), "currentColor" or "#rrggbb"; ""
paints nothing. A token becomes ``var(--token)``: the page resolves it with its theme, the service
before rendering. Geometry is in attributes; classes are only for the page (states, motion). Ships
to the browser.

A game's ``picture`` module offers ``scene(view, letters) -> Scene``. An optional ``symbols``
module, which is not run on phones, offers the ``SYMBOLS`` that the scene uses. ``scene`` gets only
the `Rules.view` of one viewer, so a picture cannot show what that viewer may not see. Sentences are
`Message` values; a `text` element holds only names and numbers, which need no translation.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.text.joiners import first_characters

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width and height."""

COLOURED_SEATS = 8
"""Number of seats that have a colour."""
SEAT_TONES = tuple([f"seat-{seat}" for seat in range(COLOURED_SEATS)])
"""Colour tokens of the seats."""


class Node(Struct, frozen=True):
    """An SVG element; ``text`` is plain text, never markup."""

    tag: str
    attributes: dict[str, Any]
    children: tuple["Node", ...] = ()
    text: str = ""


class Symbol(Struct, frozen=True):
    """A named reusable drawing, an SVG symbol; ``box`` is its viewBox."""

    name: str
    box: Box
    parts: tuple[Node, ...]


class Piece(Struct, frozen=True):
    """A movable part of a scene: a node drawn around (0, 0) and placed at ``(x, y)``.

    Pieces with the same ``name`` in two scenes are the same object. ``reach``: the farthest that
    the node extends from its position in any direction.
    """

    name: str
    x: float
    y: float
    node: Node
    reach: float


class Message(Struct, frozen=True):
    """A translatable message: a message id and its arguments."""

    key: str
    args: dict[str, Any] = {}


class Mark(Struct, frozen=True):
    """A symbol with a short label, such as "4" beside a bale; either may be empty.

    ``tone``: the colour of "currentColor" in the symbol; ``aspect_ratio``: the symbol's width
    divided by its height.
    """

    symbol: str = ""
    text: str = ""
    tone: str = ""
    aspect_ratio: float = 1


class Holding(Struct, frozen=True):
    """Public information about a seat: its current score ("" for none) and its possessions."""

    score: str = ""
    marks: tuple[Mark, ...] = ()


class Scene(Struct, frozen=True):
    """The picture of one moment of a match.

    ``box``: the visible area; ``ground``: the background, which is the same throughout a match;
    ``pieces``: the movable parts on top of it, lowest first; ``caption``: a message that describes
    the moment; ``holdings``: one entry for each seat; ``note``: a message added to the line that
    says whose turn it is or who won; ``stock_name`` and ``stock``: name and contents of the common
    stock.
    """

    box: Box
    ground: tuple[Node, ...]
    pieces: tuple[Piece, ...]
    caption: Message
    holdings: tuple[Holding, ...]
    note: Message | None = None
    stock_name: Message | None = None
    stock: tuple[Mark, ...] = ()


def seat_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return short labels that tell seats apart without colour.

    They are the first characters of the names, in upper case, if all of these differ; otherwise the
    first two characters if all differ; otherwise a, b, c, ...
    """
    for size in (1, 2):
        short = [first_characters(name, size) for name in names]
        if size == 1:
            short = [each.upper() for each in short]
        if len(set(short)) == len(short):
            return tuple(short)
    return tuple([chr(ord("a") + seat) for seat in range(len(names))])


# --- elements ---------------------------------------------------------------------------------


def colour(name: str) -> str:
    """Return the SVG value of a colour; "none" for ""."""
    if name == "":
        return "none"
    if name[0] == "#" or name == "currentColor":
        return name
    return f"var(--{name})"


def _add_paint(
    place: dict[str, Any], fill: str, edge: str, width: float, kind: str
) -> dict[str, Any]:
    place["fill"] = colour(fill)
    if edge:
        place["stroke"] = colour(edge)
        place["stroke-width"] = width
    if kind:
        place["class"] = kind
    return place


def circle(
    x: float,
    y: float,
    r: float,
    fill: str = "",
    edge: str = "",
    width: float = 0,
    kind: str = "",
    dots: str = "",
) -> Node:
    """Return a circle centred at ``(x, y)``; ``dots``: the dash pattern of its edge."""
    made = _add_paint({"cx": x, "cy": y, "r": r}, fill, edge, width, kind)
    if dots:
        made["stroke-dasharray"] = dots
    return Node("circle", made)


def oval(
    x: float,
    y: float,
    rx: float,
    ry: float,
    fill: str = "",
    edge: str = "",
    width: float = 0,
    kind: str = "",
) -> Node:
    """Return an ellipse centred at ``(x, y)`` with the radii ``rx`` and ``ry``."""
    place = {"cx": x, "cy": y, "rx": rx, "ry": ry}
    return Node("ellipse", _add_paint(place, fill, edge, width, kind))


def plate(
    x: float,
    y: float,
    wide: float,
    high: float,
    radius: float,
    fill: str,
    edge: str = "",
    width: float = 0,
    kind: str = "",
) -> Node:
    """Return a rounded rectangle with its top left corner at ``(x, y)``."""
    place = {"x": x, "y": y, "width": wide, "height": high, "rx": radius}
    return Node("rect", _add_paint(place, fill, edge, width, kind))


def path(
    d: str,
    fill: str = "",
    edge: str = "",
    width: float = 0,
    kind: str = "",
    dots: str = "",
    **more: Any,
) -> Node:
    """Return a path; its edge, if any, has round line ends and corners.

    ``dots``: the dash pattern; ``more``: further attributes, with ``_`` in place of ``-``.
    """
    made = _add_paint({"d": d}, fill, edge, width, kind)
    if edge:
        made["stroke-linecap"] = "round"
        made["stroke-linejoin"] = "round"
    if dots:
        made["stroke-dasharray"] = dots
    for name, value in more.items():
        made[name.replace("_", "-")] = value
    return Node("path", made)


def text(
    x: float, y: float, content: str, size: float, fill: str = "ink", kind: str = "", **more: Any
) -> Node:
    """Return text whose baseline is centred at ``(x, y)``.

    Keywords in ``more``: ``halo``, the colour of an outline ``halo_width`` units wide (default 5);
    ``anchor``, "start" or "end" instead of "middle"; ``family``, "serif" instead of "sans";
    ``weight`` (default 700, bold).
    """
    made: dict[str, Any] = {"x": x, "y": y, "font-size": size, "fill": colour(fill)}
    made["font-family"] = f"var(--{more.get('family', 'sans')})"
    made["font-weight"] = more.get("weight", 700)
    made["text-anchor"] = more.get("anchor", "middle")
    if kind:
        made["class"] = kind
    if "halo" in more:
        made["paint-order"] = "stroke"
        made["stroke"] = colour(more["halo"])
        made["stroke-width"] = more.get("halo_width", 5)
        made["stroke-linejoin"] = "round"
    return Node("text", made, (), content)


def use(
    symbol: str, x: float, y: float, wide: float, high: float | None = None, tone: str = ""
) -> Node:
    """Return a symbol in use, centred at ``(x, y)``; ``high`` defaults to ``wide``.

    ``tone``: the colour of "currentColor" in the symbol.
    """
    tall = wide if high is None else high
    place: dict[str, Any] = {"href": "#" + symbol, "x": x - wide / 2, "y": y - tall / 2}
    place["width"] = wide
    place["height"] = tall
    if tone:
        place["color"] = colour(tone)
    return Node("use", place)


def group(*parts: Node, **attributes: Any) -> Node:
    """Return a group of elements; empty attributes are left out.

    Attribute names have ``_`` in place of ``-``; ``kind`` sets the class.
    """
    made = {name.replace("_", "-"): value for name, value in attributes.items() if value}
    if "kind" in made:
        made["class"] = made.pop("kind")
    return Node("g", made, parts)


# --- shared symbols ---------------------------------------------------------------------------

CAMEL = (
    "M14 82 15 58C9 52 8 42 13 35 17 29 22 27 27 29 30 14 39 10 43 23 45 30 49 30 52 25 55 10"
    " 64 11 68 25 71 33 75 36 79 31 83 26 82 18 83 12 84 7 89 5 93 6 97 7 100 10 99 13 98 16"
    " 94 17 90 17 90 26 91 35 86 43 83 49 79 53 75 56L74 82H68L66 59C56 62 44 62 33 58L31 82H25"
    "L23 61 20 82Z"
)
"""Path data of the product's camel, in a box of 100 by 84."""

SYMBOLS = (Symbol("camel", (0, 0, 100, 84), (path(CAMEL, "currentColor"),)),)
"""Symbols available in every page and picture."""


def medal(
    seat: int, radius: float, beast: str = "camel", edge: float = 4, lift: float = 0
) -> tuple[Node, Node]:
    """Return a medallion around (0, 0): a paper disc with a ring and a camel in a seat's colour.

    ``beast``: the symbol, the camel by default; ``edge``: the width of the ring; ``lift``: the
    distance of the symbol above the centre.
    """
    tone = SEAT_TONES[seat]
    wide = radius * 4 / 3
    return (
        circle(0, 0, radius, "paper", tone, edge, "ring"),
        use(beast, 0, -lift, wide, wide * 0.84, tone),
    )


def tag(seat: int, letter: str, top: float) -> tuple[Node, Node]:
    """Return a seat's letter on a plate in its colour; ``top``: y of the plate's upper edge."""
    wide = 14 * len(letter) + 12
    return (
        plate(-wide / 2, top, wide, 24, 9, SEAT_TONES[seat], "legal-halo", 2, "tag"),
        text(0, top + 19, letter, 20, "seat-ink", "letter"),
    )


# --- caching ----------------------------------------------------------------------------------


def cache_latest(make: Callable[..., tuple[Node, ...]]) -> Callable[..., tuple[Node, ...]]:
    """Cache a function's latest result, such as a background shared by all frames of an animation.

    The returned function is thread-safe.
    """
    latest: list[Any] = [(None, ())]

    def made(*given: Any) -> tuple[Node, ...]:
        kept = latest[0]  # read once, as another thread may replace it
        if kept[0] != given:
            kept = latest[0] = (given, make(*given))
        nodes: tuple[Node, ...] = kept[1]
        return nodes

    return made
