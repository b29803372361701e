"""Metadata of Caravanserai for the lobby. Ships to the browser."""

from domain.contract.game import GameInfo
from domain.games.caravanserai.options import Options

TITLE = GameInfo(
    slug="caravanserai",
    title="Caravanserai",
    designer="unknown",
    seats=(1, 2, 3, 4, 5, 6),
    options=Options,
    rules_version=3,
    about="option.about",
    traits=("reviewable",),
    sort_order=1,
    layout=("cells", "names", "tiles", "tile_of", "expert", "solo"),
    minutes=30,
    weight="medium",
)
