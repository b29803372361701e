"""Detection of confusable names, and numbers that distinguish such names in one match.

This prevents impersonation with look-alike letters of other alphabets.
"""

import unicodedata
from collections.abc import Iterable

from domain.text.joiners import is_joiner, is_mark, truncate

_MAX_NAME_CHARS = 40
# Letters of other alphabets, and digits, mapped to the Latin letters that they look like.
_CONFUSABLES = {
    ord(twin): letter
    for twin, letter in zip(
        "аеорсухіӏјѕԁһвкмнтгαεορκυνιτηω01|iıł", "aeopcyxlljsdhbkmhtraeopkuvltnwolllll", strict=True
    )
}
# Characters that Unicode classifies as letters but that are displayed as blanks.
_INVISIBLE_LETTERS = "\u115f\u1160\u3164\uffa0"


def skeleton(name: str) -> str:
    """Return the skeleton of a name, which is equal for names that people could confuse."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = plain.translate(_CONFUSABLES)
    # Diacritics, blanks and punctuation are dropped because they are easily overlooked.
    read = "".join(c for c in letters if c.isalnum() and c not in _INVISIBLE_LETTERS)
    return read or "".join(c for c in plain if not (is_joiner(c) or is_mark(c))) or plain


def disambiguated(name: str, taken_names: Iterable[str]) -> str:
    """Return the name, with the lowest number that makes it unique appended if it is confusable.

    ``taken_names``: the names that it must not look like. A long name is shortened for the number.
    """
    taken = {skeleton(other) for other in taken_names if other}
    number, made = 1, name
    while skeleton(made) in taken:
        number += 1
        made = f"{truncate(name, _MAX_NAME_CHARS - 3).rstrip()} {number}"
    return made
