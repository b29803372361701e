"""Whether a text can be put on a line for people to read. Ships to the browser."""

from domain import character_sets
from domain.joiners import Characters, needed

HIDDEN = Characters(character_sets.HIDDEN)
"""Control, formatting, private and unassigned characters."""


def is_printable(text: str) -> bool:
    """Whether a text is one line on which every character is to be seen or shapes another."""
    if text.isprintable():
        return True
    joiners = needed(text)
    return all(
        c == " " or at in joiners or not (c.isspace() or HIDDEN.has(c)) for at, c in enumerate(text)
    )
