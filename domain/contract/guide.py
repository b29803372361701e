"""Building blocks of a game's guide: its rules in text and in pictures drawn by the board's code.

A game's module ``guide`` offers:

- ``GUIDE``: its `Section`s in reading order; ``RULINGS``: the number of rulings in the game's rule
  notes;
- ``topic(view, seat)``: returns the name of the section relevant to a moment; ``view`` is the
  result of `Rules.view`, ``seat`` this device's seat that is to act, or None;
- ``hint(view, seat)``: returns a sentence that tells beginners what the seat can do.

Texts are message ids of the game's catalogue. Ships to the browser, in a part that
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
    """One or more rulings on questions that the rulebook leaves open.

    ``numbers``: their numbers in the game's rule notes; ``sentence``: a summary of them.
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
    """Return a section with the given parts."""
    return Section(name, heading, parts)


def points(*sentences: str) -> Points:
    """Return a bulleted list of the given sentences."""
    return Points(sentences)


def ruling(sentence: str, *numbers: int) -> Ruling:
    """Return a part with a sentence and the numbers of the rulings that it summarises."""
    return Ruling(numbers, sentence)


def place_pieces(pieces: Sequence[Piece]) -> tuple[Node, ...]:
    """Return a board's pieces as nodes at their positions."""
    return tuple([group(each.node, transform=f"translate({each.x} {each.y})") for each in pieces])
