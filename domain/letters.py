"""What names and words may be written with: one rule for the door and for files.

Which characters are visible follows one version of Unicode (`domain.character_sets`), whatever
Python runs the service: a file that one service wrote is read by every other.
"""

import unicodedata
from functools import lru_cache

from domain.joiners import is_mark, needed
from domain.printable import HIDDEN

NAME_LENGTH = 40
"""Letters of a name at most: it has to fit on a seat's plate."""
TEXT_LENGTH = 500
"""Letters of one word said at most."""


_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # the letter that joins graphemes
        (0x115F, 0x1160),  # fillers of Hangul
        (0x17B4, 0x17B5),  # inherent vowels of Khmer
        (0x180B, 0x180F),  # selectors and a separator of Mongolian
        (0x2800, 0x2800),  # the Braille cell without dots
        (0x3164, 0x3164),
        (0xFE00, 0xFE0D),  # variants; the two that tell a sign from its emoji stay
        (0xFFA0, 0xFFA0),
        (0x16FE4, 0x16FE4),
        (0x1D159, 0x1D159),  # the note without a head
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
"""What counts as a letter, mark or sign but shows nothing; category C is taken out as a whole."""

_STACK = 4
"""Marks upon one letter; no living script needs more, and a tower of them covers other lines."""


def visible(text: str) -> str:
    """The text in NFC on one line, of characters that are to be seen; empty when none is.

    Without control and invisible formatting characters (so nothing turns the direction of what
    stands beside it) but for joiners that shape an emoji or a word, without blank letters, without
    marks that stand upon nothing, and with few marks upon one letter. What is visible already comes
    out as it went in.
    """
    made = _cleaned(text)
    while made != text:  # what is gone had parted what now stands side by side
        text, made = made, _cleaned(made)
    return made


def _cleaned(text: str) -> str:
    seen = unicodedata.normalize("NFC", "".join([" " if c.isspace() else c for c in text]))
    joiners = needed(seen)
    kept: list[str] = []
    marks = _STACK
    for at, c in enumerate(seen):
        if at in joiners:
            kept.append(c)  # and marks go on to stand upon the letter before
            continue
        if _is_hidden(c):
            continue
        marks = marks + 1 if is_mark(c) else 0
        if c == " ":
            marks = _STACK
        if marks <= _STACK or c == " ":
            kept.append(c)
    return " ".join("".join(kept).split())


@lru_cache(maxsize=4_096)
def _is_hidden(c: str) -> bool:
    return c in _BLANK or HIDDEN.has(c)


def is_name(text: str) -> bool:
    """Whether a seat may be called so; a seat that has no name yet is called ""."""
    return len(text) <= NAME_LENGTH and _is_clean(text)


def is_text(text: str) -> bool:
    """Whether somebody may have said so."""
    return 0 < len(text) <= TEXT_LENGTH and _is_clean(text)


def _is_clean(text: str) -> bool:
    """Whether nothing of it is invisible. Blanks may stand in a row: names cut short have them."""
    parts = [part for part in text.split(" ") if part]
    return " ".join(parts) == visible(text) and text == text.strip()
