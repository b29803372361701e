"""Seats are told apart by their colours also by who sees fewer of them.

Colour is never the only sign; but a table is read at a glance by it.
"""

from itertools import combinations

import pytest
from coloraide import Color

from service.media.pictures.palette import night, tokens

EYES = ("protan", "deutan", "tritan")
FIRST, ALL = 12.0, 7.0
"""How far apart colours are (CIEDE2000): those of four at a table, and those of eight. At 2 to 3
two patches side by side begin to look alike."""


def seats(theme: str) -> list[Color]:
    found = night() if theme == "dark" else tokens()
    return [Color(found[f"seat-{seat}"]) for seat in range(8)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", ["all", *EYES])
@pytest.mark.parametrize(("count", "least"), [(4, FIRST), (8, ALL)])
def test_no_two_seats_look_alike(theme: str, eye: str, count: int, least: float) -> None:
    seen = [colour if eye == "all" else colour.filter(eye) for colour in seats(theme)[:count]]
    apart = {
        (a, b): seen[a].delta_e(seen[b], method="2000") for a, b in combinations(range(count), 2)
    }
    assert {pair: far for pair, far in apart.items() if far < least} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_seat_is_read_on_every_ground(theme: str) -> None:
    """As text on paper (WCAG 2.2, 1.4.3: 4.5), as a sign on sand (1.4.11: 3)."""
    found = night() if theme == "dark" else tokens()
    for colour in seats(theme):
        assert colour.contrast(found["paper"]) >= 4.5
        assert colour.contrast(found["seat-ink"]) >= 4.5
        assert colour.contrast(found["ground"]) >= 3
