"""Building blocks of a game's guide: its rules in text and in pictures drawn by the board's code.

A game's module ``guide`` offers:

- ``GUIDE``: its `Section`s in reading order; ``RULINGS``: the number of rulings in the game's rule
  notes;
- ``topic(view, seat)``: the name of the section that is relevant at a moment; ``view`` is the
  result of `Rules.view`, ``seat`` the seat to act on this device or None;
- ``hint(view, seat)``: a sentence for beginners on what that seat may do now.

Sentences are English; their message catalogue is the game's. Ships to the browser, in a part that
is loaded when the guide is opened.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.drawing.scene import Box, Node, Piece, group


class Points(Struct, frozen=True):
    """A bulleted list of sentences."""

    sentences: tuple[str, ...]


class Ruling(Struct, frozen=True):
    """Rulings on what the rulebook leaves open.

    ``numbers``: those in the game's rule notes; ``sentence``: what they decide together.
    """

    numbers: tuple[int, ...]
    sentence: str


class Picture(Struct, frozen=True):
    """A drawing of a part of the board.

    ``sentence``: the caption; ``box``: the visible area; ``draw``: returns the nodes.
    """

    sentence: str
    box: Box
    draw: Callable[[], tuple[Node, ...]]


Part: TypeAlias = str | Points | Ruling | Picture
"""A part of a section; a plain string is a paragraph."""


class Section(Struct, frozen=True):
    """A section of the guide with a heading; ``name`` is its anchor and never changes."""

    name: str
    heading: str
    parts: tuple[Part, ...]


def section(name: str, heading: str, *parts: Part) -> Section:
    """Return a section of these parts."""
    return Section(name, heading, parts)


def points(*sentences: str) -> Points:
    """Return a list of these sentences."""
    return Points(sentences)


def ruling(sentence: str, *numbers: int) -> Ruling:
    """Return a ruling part with the sentence and the numbers of the rulings it sums up."""
    return Ruling(numbers, sentence)


def place_pieces(pieces: Sequence[Piece]) -> tuple[Node, ...]:
    """Return the pieces of a board as nodes, moved to their positions."""
    return tuple([group(each.node, transform=f"translate({each.x} {each.y})") for each in pieces])
