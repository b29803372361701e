"""Drawings of `domain.scene` as nodes of the page."""

from collections.abc import Sequence
from typing import Any

from _native import patch, svg

from domain.scene import Node as Drawing
from domain.scene import Piece
from frontend.app.typed import Node


def drawn(drawing: Drawing) -> Node:
    """An element and what is in it."""
    inside = [drawn(part) for part in drawing.children]
    return svg(drawing.tag, drawing.attributes, drawing.text or None, inside)


class Pieces:
    """The pieces of a layer. Only what is new or other than before is drawn; what only moved
    moves, and glides if its class says so."""

    def __init__(self, layer: Node) -> None:
        self.layer = layer
        self.known: dict[str, tuple[Piece, Node]] = {}

    def put(self, pieces: Sequence[Piece]) -> None:
        """Shows these pieces and no others."""
        gone = dict(self.known)
        for piece in pieces:
            before = gone.pop(piece.name, None)
            if before is None:
                node = drawn(piece.node)
                patch(node, {"data-piece": piece.name, "style": _at(piece)})
                self.layer.append(node)
            elif before[0] is piece:
                continue
            else:
                node = _made_like(before[1], before[0].node, piece.node)
                patch(node, {"data-piece": piece.name, "style": _at(piece)})
            self.known[piece.name] = (piece, node)
        for name, (_, node) in gone.items():
            node.remove()
            self.known.pop(name)


def _at(piece: Piece) -> str:
    return f"transform:translate({piece.x}px,{piece.y}px)"


def _made_like(node: Node, before: Drawing, now: Drawing) -> Node:
    """The node, which shows one drawing, made to show another; a new one where they are not
    built alike."""
    if before is now or before == now:
        return node
    alike = before.tag == now.tag and len(before.children) == len(now.children)
    if not alike or before.text != now.text:
        other = drawn(now)
        node.replaceWith(other)
        return other
    changed: dict[str, Any] = dict.fromkeys(before.attributes)
    changed.update(now.attributes)
    patch(node, changed)
    parts = [node.childNodes[number] for number in range(len(now.children))]
    for part, old, new in zip(parts, before.children, now.children, strict=True):
        _made_like(part, old, new)
    return node
