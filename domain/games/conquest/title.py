"""Metadata of Caravan Conquest for the lobby. Ships to the browser."""

from domain.contract.game import GameInfo
from domain.games.conquest.options import Options

TITLE = GameInfo(
    slug="conquest",
    title="Caravan Conquest",
    designer="Lukáš Ševc, Ľubomír Vargovčík",
    seats=(2, 3, 4, 5, 6),
    options=Options,
    rules_version=2,
    about="about.summary",
    traits=("reviewable",),
    sort_order=5,
    layout=("map",),
    minutes=60,
    weight="medium",
)
