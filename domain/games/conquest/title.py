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
    about="Cross deserts, mountains and oases with two animals and a caravan that every gain makes "
    "heavier. Trade, refit, find treasure, and reach the finish before prices fall: the richest "
    "caravan that arrives wins.",
    traits=("reviewable",),
    sort_order=5,
    layout=("map",),
    minutes=60,
    weight="medium",
)
