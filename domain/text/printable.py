"""The check whether a text is a single printable line. Ships to the browser."""

from domain.text import character_sets
from domain.text.joiners import CharacterSet, effective_joiners

HIDDEN = CharacterSet(character_sets.HIDDEN)
"""Control, formatting, private-use and unassigned characters."""


def is_printable(text: str) -> bool:
    """Return whether a text is one line of visible characters, spaces and effective joiners."""
    if text.isprintable():
        return True
    joiners = effective_joiners(text)
    return all(
        c == " " or at in joiners or not (c.isspace() or HIDDEN.has(c)) for at, c in enumerate(text)
    )
