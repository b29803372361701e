"""Metadata of Caravane for the lobby. Ships to the browser."""

from domain.contract.game import GameInfo
from domain.games.caravane.options import Options

TITLE = GameInfo(
    slug="caravane",
    title="Caravane",
    designer="Bartl, Bernabe, Grill",
    seats=(2, 3, 4, 5),
    options=Options,
    rules_version=2,
    about="option.about",
    traits=("secret", "simultaneous", "reviewable"),
    sort_order=3,
    layout=("track", "split", "food"),
    minutes=40,
    weight="light",
)
