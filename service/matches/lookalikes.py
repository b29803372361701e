"""Names at one table that look alike are told apart by a number.

Nobody sits down under a name that reads as somebody else's, whatever letters it is written with.
"""

import unicodedata
from collections.abc import Iterable

from domain.joiners import is_joiner, is_mark, shortened

_MOST = 40
# Letters of other alphabets, and figures, each with the Latin letter it looks like.
_TWINS = {
    ord(twin): letter
    for twin, letter in zip(
        "аеорсухіӏјѕԁһвкмнтгαεορκυνιτηω01|iıł",
        "aeopcyxlljsdhbkmhtraeopkuvltnwolllll",
        strict=True,
    )
}
# Letters by name that show as a blank.
_BLANKS = "\u115f\u1160\u3164\uffa0"


def look(name: str) -> str:
    """What a name looks like: equal for names that people could mistake for each other."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = plain.translate(_TWINS)
    # Marks on letters, blanks and signs between them are easily overlooked.
    read = "".join(c for c in letters if c.isalnum() and c not in _BLANKS)
    return read or "".join(c for c in plain if not (is_joiner(c) or is_mark(c))) or plain


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with the first number that makes it look like none of the others."""
    taken = {look(other) for other in others if other}
    number, made = 1, name
    while look(made) in taken:
        number += 1
        made = f"{shortened(name, _MOST - 3).rstrip()} {number}"
    return made
