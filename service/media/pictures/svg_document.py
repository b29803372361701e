"""SVG pictures that consist of a background shared by all frames and of parts above it."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from domain.drawing.scene import Node, Symbol, group
from domain.drawing.svg import SVG_NAMESPACE, node_markup, symbol_markup
from service.media.pictures.palette import resolve_light

Size = tuple[int, int]
Area = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


class PicturePart(Struct, frozen=True):
    """A part of a picture within an area; the same part has the same ``key`` in all frames."""

    key: str
    area: Area
    node: Node


class SvgDocument(Struct, frozen=True):
    """One picture: its size, the background (``ground``), and the parts from bottom to top."""

    size: Size
    ground: tuple[Node, ...]
    parts: tuple[PicturePart, ...]


def make_part(key: str, area: tuple[float, float, float, float], *nodes: Node) -> PicturePart:
    """Make a part of the nodes, with the area rounded outwards and a margin of about a pixel."""
    left, top, right, bottom = area
    whole = (int(left) - 1, int(top) - 1, int(right) + 2, int(bottom) + 2)
    return PicturePart(key, whole, nodes[0] if len(nodes) == 1 else group(*nodes))


def overlaps(one: Area, other: Area) -> bool:
    """Return whether two areas have at least one pixel in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class SvgSerializer:
    """Serialiser of nodes to SVG documents.

    ``symbols``: the symbols that nodes may use; ``resolve``: the function that replaces colour
    tokens in attributes.
    """

    def __init__(
        self, symbols: Sequence[Symbol], resolve: Callable[[str], str] = resolve_light
    ) -> None:
        self._resolve = resolve
        self._symbols = [(f'"#{each.name}"', symbol_markup(each, resolve)) for each in symbols]

    def serialize(self, nodes: Iterable[Node], area: Area) -> str:
        """Return an SVG document that shows an area of the nodes at one unit per pixel."""
        body = "".join([node_markup(node, self._resolve) for node in nodes])
        left, top, right, bottom = area
        wide, high = right - left, bottom - top
        box = f'viewBox="{left} {top} {wide} {high}" width="{wide}" height="{high}"'
        symbols = self._used_symbols(body)
        return f'<svg xmlns="{SVG_NAMESPACE}" {box}><defs>{symbols}</defs>{body}</svg>'

    def _used_symbols(self, body: str) -> str:
        """Return the markup of the symbols that a body uses, directly or through other symbols."""
        found: dict[str, str] = {}
        waiting = body
        while waiting:
            more = {
                name: text for name, text in self._symbols if name not in found and name in waiting
            }
            found |= more
            waiting = "".join(more.values())
        return "".join(found.values())
