"""How a game is played, told in words and in pictures that its board's own code draws.

A game's module ``guide`` offers ``GUIDE``, its `Section`s in the order in which they are read;
``RULINGS``, how many rulings the game's rule notes have; and ``topic(view, seat)``, the name of
the section that tells what matters at a moment: of what `Rules.view` gives, and the seat that is
to act on this device or None; ``hint(view, seat)``, what that seat may do at a moment, for whom
the game is new, in a sentence of the game's words. Sentences are English; the room of their words
is the game. Ships to the browser, in a part that is fetched when it is opened.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.scene import Box, Node, Piece, group


class Points(Struct, frozen=True):
    """Sentences as a list."""

    sentences: tuple[str, ...]


class Ruling(Struct, frozen=True):
    """What is played here where the rulebook leaves something open: numbers of the game's rule
    notes, and what they say together."""

    numbers: tuple[int, ...]
    sentence: str


class Picture(Struct, frozen=True):
    """A piece of the board; ``sentence`` tells what is to be seen. ``box`` is what of the drawing
    shows."""

    sentence: str
    box: Box
    draw: Callable[[], tuple[Node, ...]]


Part: TypeAlias = str | Points | Ruling | Picture
"""A sentence or several stand alone as a paragraph."""


class Section(Struct, frozen=True):
    """A stretch of the guide under a heading. ``name`` is its anchor and never changes."""

    name: str
    heading: str
    parts: tuple[Part, ...]


def section(name: str, heading: str, *parts: Part) -> Section:
    """A section of these parts."""
    return Section(name, heading, parts)


def points(*sentences: str) -> Points:
    """A list of these sentences."""
    return Points(sentences)


def ruling(sentence: str, *numbers: int) -> Ruling:
    """What the rulings of these numbers say."""
    return Ruling(numbers, sentence)


def placed(pieces: Sequence[Piece]) -> tuple[Node, ...]:
    """Pieces of a board where they stand."""
    return tuple([group(each.node, transform=f"translate({each.x} {each.y})") for each in pieces])
