"""Metadata of Caravanserai by Pierrot for the lobby. Ships to the browser."""

from domain.contract.game import GameInfo
from domain.games.courtyard.options import Options

TITLE = GameInfo(
    slug="courtyard",
    title="Caravanserai: the Courtyard",
    designer="Pierrot",
    seats=(2, 3, 4),
    options=Options,
    rules_version=2,
    about="game.about",
    traits=("secret", "reviewable"),
    sort_order=4,
    minutes=60,
    weight="heavy",
)
