"""Confusable names: names in one match that look alike get a number appended.

This prevents impersonation by look-alike letters of other alphabets.
"""

import unicodedata
from collections.abc import Iterable

from domain.text.joiners import is_joiner, is_mark, truncate

_MOST = 40
# Letters of other alphabets, and digits, mapped to the Latin letter they look like.
_TWINS = {
    ord(twin): letter
    for twin, letter in zip(
        "аеорсухіӏјѕԁһвкмнтгαεορκυνιτηω01|iıł",
        "aeopcyxlljsdhbkmhtraeopkuvltnwolllll",
        strict=True,
    )
}
# Characters that Unicode classifies as letters but that are displayed as blanks.
_BLANKS = "\u115f\u1160\u3164\uffa0"


def look(name: str) -> str:
    """Return the skeleton of a name: equal for names that people could confuse."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = plain.translate(_TWINS)
    # Diacritics, blanks and punctuation are dropped because they are easily overlooked.
    read = "".join(c for c in letters if c.isalnum() and c not in _BLANKS)
    return read or "".join(c for c in plain if not (is_joiner(c) or is_mark(c))) or plain


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, if necessary with the lowest number that makes it unlike all others."""
    taken = {look(other) for other in others if other}
    number, made = 1, name
    while look(made) in taken:
        number += 1
        made = f"{truncate(name, _MOST - 3).rstrip()} {number}"
    return made
