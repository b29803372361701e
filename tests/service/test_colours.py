"""Seat colours can be told apart with colour blindness, pieces without any colour.

Colour is never the only sign, but helps to read a position at a glance.
"""

import io
import re
from itertools import combinations

import pytest
from coloraide import Color
from PIL import Image, ImageChops

from domain.contract.registry import TITLES
from domain.drawing.scene import Node, Symbol
from service.media.pictures.frames import game_symbols
from service.media.pictures.palette import dark_tokens, light_tokens
from service.media.pictures.raster import Rasterizer
from service.media.pictures.svg_document import SvgSerializer

EYES = ("protan", "deutan", "tritan")
FIRST, ALL = 12.0, 7.0
"""How far apart colours are (CIEDE2000): those of four at a table, and those of eight. At 2 to 3
two patches side by side begin to look alike."""


def seats(theme: str) -> list[Color]:
    found = dark_tokens() if theme == "dark" else light_tokens()
    return [Color(found[f"seat-{seat}"]) for seat in range(8)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", ["all", *EYES])
@pytest.mark.parametrize(("count", "least"), [(4, FIRST), (8, ALL)])
def test_seat_colours_differ(theme: str, eye: str, count: int, least: float) -> None:
    seen = [colour if eye == "all" else colour.filter(eye) for colour in seats(theme)[:count]]
    apart = {
        (a, b): seen[a].delta_e(seen[b], method="2000") for a, b in combinations(range(count), 2)
    }
    assert {pair: far for pair, far in apart.items() if far < least} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_seat_colours_have_contrast_on_every_background(theme: str) -> None:
    """As text on paper (WCAG 2.2, 1.4.3: 4.5), as a sign on sand (1.4.11: 3)."""
    found = dark_tokens() if theme == "dark" else light_tokens()
    for colour in seats(theme):
        assert colour.contrast(found["paper"]) >= 4.5
        assert colour.contrast(found["seat-ink"]) >= 4.5
        assert colour.contrast(found["ground"]) >= 3


SIDE = 64
DARK = 0.35
"""Colours of less luminance are black ink, all others the paper."""
LEAST = 0.03
"""The share of pixels in which two drawings in ink differ; of the same in two hues it is 0."""
_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")


def in_ink(symbol: Symbol) -> Image.Image:
    """Return a symbol in black and white on grey."""
    all_of_it = Node("use", {"href": "#" + symbol.name, "width": SIDE, "height": SIDE})
    drawn = SvgSerializer([symbol, *_all()]).serialize([all_of_it], (0, 0, SIDE, SIDE))
    inked = _HEX.sub(
        lambda found: "#000" if Color(found[0]).luminance() < DARK else "#fff",
        drawn.replace("currentColor", "#000"),
    )
    image = Image.open(io.BytesIO(Rasterizer([]).render_png(inked))).convert("RGBA")
    paper = Image.new("RGBA", (SIDE, SIDE), (128, 128, 128, 255))
    return Image.alpha_composite(paper, image).convert("L")


def _all() -> list[Symbol]:
    return [symbol for slug in TITLES for symbol in game_symbols(slug)]


def differ(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that clearly differ."""
    counted = ImageChops.difference(one, other).histogram()
    return sum(counted[80:]) / SIDE**2


@pytest.mark.parametrize("slug", TITLES)
def test_pieces_differ_without_hue(slug: str) -> None:
    drawn = {symbol.name: in_ink(symbol) for symbol in game_symbols(slug)}
    assert len(drawn) > 1
    apart = {(a, b): differ(drawn[a], drawn[b]) for a, b in combinations(drawn, 2)}
    assert {pair: share for pair, share in apart.items() if share < LEAST} == {}


def test_the_same_drawing_in_two_hues_is_found() -> None:
    def disc(name: str, hue: str) -> Symbol:
        return Symbol(
            name, (0, 0, 10, 10), (Node("circle", {"cx": 5, "cy": 5, "r": 4, "fill": hue}),)
        )

    red, green = in_ink(disc("one-red", "#c2382c")), in_ink(disc("one-green", "#2c7d3a"))
    assert differ(red, green) == 0
    assert differ(red, in_ink(disc("one-white", "#ffffff"))) > LEAST
