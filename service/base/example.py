"""What the examples of the API document have in common; what is a game's in them, a game says."""

from domain.example import Example
from domain.register import TITLES, part_of

GAME: Example = next(
    (part.EXAMPLE for slug in TITLES if (part := part_of(slug, "example")) is not None),
    Example(next(iter(TITLES))),
)
"""Of the first game in the lobby that brings one."""

DIGEST = "c914f71a18f99cec9b583cf73e828a1a3c99bbcf189c19c365f3aceafbb18a4c"
