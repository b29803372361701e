"""Characters allowed in names and chat messages, both in API requests and in match files.

Which characters are visible is defined by one version of Unicode (`domain.text.character_sets`),
whatever Python version runs the service, so that services can read each other's files.
"""

import unicodedata
from functools import lru_cache

from domain.text.joiners import effective_joiners, is_mark
from domain.text.printable import HIDDEN

MAX_NAME_CHARS = 40
"""Maximum length of a name in code points; it must fit on a seat's plate."""
MAX_MESSAGE_CHARS = 500
"""Maximum length of a chat message in code points."""


_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer inherent vowels
        (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
        (0x2800, 0x2800),  # Braille pattern blank
        (0x3164, 0x3164),
        (0xFE00, 0xFE0D),  # variation selectors, without the two for text and emoji style
        (0xFFA0, 0xFFA0),
        (0x16FE4, 0x16FE4),
        (0x1D159, 0x1D159),  # musical symbol null notehead
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)
"""Invisible characters outside Unicode category C; that category is removed altogether."""

_MAX_COMBINING_MARKS = 4
"""Maximum number of marks on one letter: no living script needs more, and a taller stack would
overlap other lines."""


def sanitize(text: str) -> str:
    """Return the text in NFC, on one line, with visible characters only; may be empty.

    Removes control and invisible formatting characters, so that nothing can change the direction of
    adjacent text, but keeps joiners that have an effect. Also removes blank letters, marks without
    a base and marks beyond `_MAX_COMBINING_MARKS` on one letter, and collapses whitespace.
    Sanitising the result again does not change it.
    """
    cleaned = _remove_invisible(text)
    while cleaned != text:  # a removal can join characters that affect each other
        text, cleaned = cleaned, _remove_invisible(cleaned)
    return cleaned


def _remove_invisible(text: str) -> str:
    seen = unicodedata.normalize("NFC", "".join([" " if c.isspace() else c for c in text]))
    joiners = effective_joiners(seen)
    kept: list[str] = []
    marks = _MAX_COMBINING_MARKS
    for at, c in enumerate(seen):
        if at in joiners:
            kept.append(c)  # without resetting the count of marks on the letter before
            continue
        if _is_hidden(c):
            continue
        marks = marks + 1 if is_mark(c) else 0
        if c == " ":
            marks = _MAX_COMBINING_MARKS
        if marks <= _MAX_COMBINING_MARKS or c == " ":
            kept.append(c)
    return " ".join("".join(kept).split())


@lru_cache(maxsize=4_096)
def _is_hidden(c: str) -> bool:
    return c in _BLANK or HIDDEN.has(c)


def is_name(text: str) -> bool:
    """Return whether a text is a valid name; "" is valid, for a seat without a name."""
    return len(text) <= MAX_NAME_CHARS and _is_clean(text)


def is_message(text: str) -> bool:
    """Return whether a text is a valid chat message."""
    return 0 < len(text) <= MAX_MESSAGE_CHARS and _is_clean(text)


def _is_clean(text: str) -> bool:
    """Return whether sanitising a text would change nothing but repeated inner spaces.

    Repeated spaces are allowed because truncated names may contain them.
    """
    parts = [part for part in text.split(" ") if part]
    return " ".join(parts) == sanitize(text) and text == text.strip()
