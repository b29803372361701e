"""Metadata of Caravansérail for the lobby. Ships to the browser."""

from domain.contract.game import GameInfo
from domain.games.caravanserail.options import Options

TITLE = GameInfo(
    slug="caravanserail",
    title="Caravansérail",
    designer="Bruno Faidutti",
    seats=(6, 8),
    options=Options,
    rules_version=3,
    about="about.text",
    traits=("secret", "simultaneous", "timed", "reviewable"),
    sort_order=2,
    layout=("board", "business_minutes", "diplomacy", "keep_secrets"),
    minutes=75,
    weight="heavy",
)
