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
    about="Each sheikh secretly plans the ways of three caravans and a band of looters, then all "
    "move at once. Trade in secret, pay for lodging, raid the trails: the first whose treasure "
    "holds all the wares on the secret card wins.",
    traits=("secret", "simultaneous", "timed", "reviewable"),
    sort_order=2,
    layout=("board", "business_minutes", "diplomacy", "keep_secrets"),
    minutes=75,
    weight="heavy",
)
