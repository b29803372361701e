"""The title of Pebbles.

All players close a hand around some pebbles; the highest unique number scores.
"""

from domain.contract.game import GameInfo
from domain.games.pebbles.options import Options

TITLE = GameInfo(
    slug="pebbles",
    title="Pebbles",
    designer="Nobody",
    seats=(2, 3),
    options=Options,
    about="about.summary",
    traits=("secret", "simultaneous", "reviewable"),
    sort_order=9,
)
