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
    about="Lead your caravan from oasis to oasis. Blocks of goods that cross a caravanserai of "
    "their own colour stay behind you; everything else comes back from the tail. "
    "The longest caravan wins.",
    traits=("reviewable",),
    sort_order=1,
    layout=("cells", "names", "tiles", "tile_of", "expert", "solo"),
    minutes=30,
    weight="medium",
)
