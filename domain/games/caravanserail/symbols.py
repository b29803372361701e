"""Symbols in Caravansérail's pictures. See `domain.drawing.scene`."""

from domain.drawing.scene import Symbol, circle, path
from domain.games.caravanserail.trail_geometry import EMBLEMS, FORT, GATE, SABRES

SYMBOLS = (
    Symbol(
        "fort",
        (-48, -38, 96, 76),
        (path(FORT, "currentColor", "legal-halo", 3), path(GATE, "paper")),
    ),
    Symbol("caravan", (-12, -12, 24, 24), (circle(0, 0, 9, "currentColor", "legal-halo", 1),)),
    Symbol("looters", (-20, -20, 40, 40), (path(SABRES, "currentColor", "currentColor", 3),)),
    *[
        Symbol(f"emblem-{seat}", (-14, -14, 28, 28), (path(emblem, "currentColor"),))
        for seat, emblem in enumerate(EMBLEMS)
    ],
)
