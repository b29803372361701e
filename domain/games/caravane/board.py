"""Constants of Caravane: stages, special squares, gourds and rewards.

The squares of a stage are numbered from 1; the last is the palace. The positions of the special
squares are a reconstruction (section (c) of the game's rule notes). Ships to the browser.
"""

STAGE_LENGTHS = (15, 25, 19)
"""Number of squares of each stage, including the palace."""

STAGE_GOURDS = (15, 25, 20)
"""Gourds for each stage unless the seats split their gourds freely."""

TOTAL_GOURDS = 60
BAG_VALUES = (1, 2, 3)
"""Values of each seat's three food bags in gourds."""

SPECIAL_SQUARES: tuple[dict[int, str], ...] = (
    {4: "water", 7: "bale", 10: "leak", 12: "damage"},
    {4: "bale", 8: "leak", 11: "water", 15: "bale", 18: "damage", 22: "leak"},
    {4: "bale", 7: "leak", 10: "water", 13: "bale", 16: "damage"},
)
"""Effects by square for each stage: water +2 gourds, leak -2 gourds, bale +1 bale, damage -1."""

SPILL_GOURDS = 2
"""Number of gourds gained on a water square or lost on a leak square."""

PALACE_BALES = ((4, 3, 2, 1, 0), (5, 4, 3, 2, 1), (7, 5, 4, 3, 2))
"""Bales at each palace, indexed by the number of camels that arrived in earlier rounds."""


def stage_length(stage: int) -> int:
    """Return the number of squares of stage 1, 2 or 3."""
    return STAGE_LENGTHS[stage - 1]


def square_effect(stage: int, square: int) -> str | None:
    """Return the effect of a square on a camel that stops on it, or None if it has no effect."""
    return SPECIAL_SQUARES[stage - 1].get(square)
