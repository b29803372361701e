"""Conversion of drawings from `domain.drawing.scene` to SVG nodes."""

from collections.abc import Sequence
from typing import Any

from _native import patch, svg

from domain.drawing.scene import Node as Drawing
from domain.drawing.scene import Piece
from frontend.app.core.types import Node


def to_node(drawing: Drawing) -> Node:
    """Build the SVG node of a drawing, including its children."""
    inside = [to_node(part) for part in drawing.children]
    return svg(drawing.tag, drawing.attributes, drawing.text or None, inside)


def piece_node(piece: Piece) -> Node:
    """Build the SVG node of a piece at its place, for pictures in which nothing moves."""
    return svg("g", {"transform": f"translate({piece.x} {piece.y})"}, to_node(piece.node))


def trace_node(seat: int, spots: Sequence[tuple[float, float]], radius: int) -> Node:
    """Build the trace of a seat's move along ``spots``: a ring at the start, then steps."""
    path = "M" + "L".join([f"{x} {y}" for x, y in spots])
    x, y = spots[0]
    return svg(
        "g",
        {"style": f"--tone:var(--seat-{seat})", "class": "trace"},
        svg("path", {"class": "trace-halo", "d": path}),
        svg("path", {"class": "trace-steps", "d": path}),
        svg("circle", {"class": "trace-begin", "cx": x, "cy": y, "r": radius}),
    )


class PieceLayer:
    """The pieces in a layer of the board, of which only new and changed ones are redrawn.

    A piece that only moved keeps its node, so the move is animated if its CSS class has a
    transition.
    """

    def __init__(self, layer: Node) -> None:
        self.layer = layer
        self.shown_pieces: dict[str, tuple[Piece, Node]] = {}

    def put(self, pieces: Sequence[Piece]) -> None:
        """Show exactly these pieces; remove all others."""
        names = {piece.name for piece in pieces}
        for name in [name for name in self.shown_pieces if name not in names]:
            self.shown_pieces.pop(name)[1].remove()
        for piece in pieces:
            before = self.shown_pieces.get(piece.name)
            if before is None:
                node = to_node(piece.node)
                self.layer.append(node)
            elif before[0] is piece:
                continue
            else:
                node = _update_node(before[1], before[0].node, piece.node)
            if before is None or node is not before[1] or _at(before[0]) != _at(piece):
                patch(node, {"data-piece": piece.name, "style": _at(piece)})
            self.shown_pieces[piece.name] = (piece, node)


def _at(piece: Piece) -> str:
    return f"transform:translate({piece.x}px,{piece.y}px)"


def _update_node(node: Node, before: Drawing, now: Drawing) -> Node:
    """Update a node that shows ``before`` to show ``now``, and return the resulting node.

    That is a new node if the tag, the text or the number of children differs.
    """
    if before is now or before == now:
        return node
    alike = before.tag == now.tag and len(before.children) == len(now.children)
    if not alike or before.text != now.text:
        other = to_node(now)
        node.replaceWith(other)
        return other
    changed: dict[str, Any] = dict.fromkeys(before.attributes)
    changed.update(now.attributes)
    patch(node, changed)
    parts = [node.childNodes[number] for number in range(len(now.children))]
    for part, old, new in zip(parts, before.children, now.children, strict=True):
        _update_node(part, old, new)
    return node
