"""Drawings as data: SVG elements, rendered by the page and by the service.

Lengths are in game-specific units, x to the right, y down. A colour is a token of the
product's style sheet ("seat-0", "paper", "sand-central", ...), "currentColor" or "#rrggbb"; ""
paints nothing. A token becomes ``var(--token)``: the page resolves it with its theme, the service
before rendering. Geometry is in attributes; classes are only for the page (states, motion). Ships
to the browser.

A game's ``picture`` module offers ``scene(view, letters) -> Scene``; its ``symbols`` module, which
is not run on phones, the ``SYMBOLS`` that the scene uses, if any. ``scene`` gets only the
`Rules.view` of one viewer, so that a picture cannot show what that viewer may not see. `Message`
are keys of the module's ``TEXT`` with arguments; a `text` element holds only names and numbers,
which need no translation.
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

    Pieces with the same ``name`` in two scenes are the same thing. The node extends at most
    ``reach`` from its place in every direction.
    """

    name: str
    x: float
    y: float
    node: Node
    reach: float


class Message(Struct, frozen=True):
    """A key of the picture module's ``TEXT`` and its arguments."""

    key: str
    args: dict[str, Any] = {}


class Mark(Struct, frozen=True):
    """A symbol with a short text, such as "4" beside a bale; either may be missing.

    ``tone``: the colour of "currentColor" in the symbol; ``aspect_ratio``: its ratio of width to
    height.
    """

    symbol: str = ""
    text: str = ""
    tone: str = ""
    aspect_ratio: float = 1


class Holding(Struct, frozen=True):
    """Public information on a seat: its score so far ("" for none) and its possessions."""

    score: str = ""
    marks: tuple[Mark, ...] = ()


class Scene(Struct, frozen=True):
    """The picture of one moment of a match.

    ``box``: the visible area; ``ground``: the nodes that stay the same throughout a match;
    ``pieces``: the parts on top of it, first ones below; ``caption``: which moment it is;
    ``holdings``: by seat; ``note``: an addition to the line that says whose turn it is or who has
    won; ``stock_name`` and ``stock``: the common stock.
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

    They are the first or first two characters of the names if these differ, else a, b, c.
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
    """Return a circle; ``dots``: the lengths of dashes and gaps of its edge."""
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
    """Return an axis-parallel ellipse with the half-axes ``rx`` and ``ry``."""
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
    """Return a path with round line ends and corners.

    ``dots``: the lengths of dashes and gaps; ``more``: further attributes, with _ for -.
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
    """Return a text whose baseline is centred at ``(x, y)``.

    ``more``: ``halo``, the colour of an outline ``halo_width`` units wide (default 5); ``anchor``,
    "start" or "end" instead of "middle"; ``family``, "serif" instead of "sans"; ``weight``
    (default 700, bold).
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
    """Return a use of a symbol, centred at ``(x, y)``; ``high`` defaults to ``wide``."""
    tall = wide if high is None else high
    place: dict[str, Any] = {"href": "#" + symbol, "x": x - wide / 2, "y": y - tall / 2}
    place["width"] = wide
    place["height"] = tall
    if tone:
        place["color"] = colour(tone)
    return Node("use", place)


def group(*parts: Node, **attributes: Any) -> Node:
    """Return a group of elements; attribute names have _ for -, and ``kind`` is the class."""
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
"""The product's camel in a box of 100 by 84."""

SYMBOLS = (Symbol("camel", (0, 0, 100, 84), (path(CAMEL, "currentColor"),)),)
"""Symbols available in every page and picture."""


def medal(
    seat: int, radius: float, beast: str = "camel", edge: float = 4, lift: float = 0
) -> tuple[Node, Node]:
    """Return a medallion around (0, 0): a paper disc with a ring and a camel in a seat's colour.

    ``beast``: the symbol instead of the camel; ``lift``: how far it is above the middle.
    """
    tone = SEAT_TONES[seat]
    wide = radius * 4 / 3
    return (
        circle(0, 0, radius, "paper", tone, edge, "ring"),
        use(beast, 0, -lift, wide, wide * 0.84, tone),
    )


def tag(seat: int, letter: str, top: float) -> tuple[Node, Node]:
    """Return a seat's letter on a plate of its colour; ``top``: y of the plate's upper edge."""
    wide = 14 * len(letter) + 12
    return (
        plate(-wide / 2, top, wide, 24, 9, SEAT_TONES[seat], "legal-halo", 2, "tag"),
        text(0, top + 19, letter, 20, "seat-ink", "letter"),
    )


# --- caching ----------------------------------------------------------------------------------


def cache_latest(make: Callable[..., tuple[Node, ...]]) -> Callable[..., tuple[Node, ...]]:
    """Cache the latest result of a function, such as a ground that all frames of a film share."""
    latest: list[Any] = [(None, ())]

    def made(*given: Any) -> tuple[Node, ...]:
        kept = latest[0]  # read once: several threads may call
        if kept[0] != given:
            kept = latest[0] = (given, make(*given))
        nodes: tuple[Node, ...] = kept[1]
        return nodes

    return made
