"""The courtyard as a drawing: where each space lies, and how the fountain's arrows point.

Measures are whole numbers, x to the right, y down. The page and the pictures draw from here.
Ships to the browser.
"""

from domain.courtyard.board import ARROWS, RING, ROUND, Space

Spot = tuple[int, int]

COLUMN, ROW = 100, 112
"""From one space of the ring to the next."""
MARGIN = 66
WIDE, HIGH = 6, 4
"""Spaces along a long and a short side, less one."""
WIDTH, HEIGHT = 2 * MARGIN + WIDE * COLUMN, 2 * MARGIN + HIGH * ROW
MIDDLE: Spot = (WIDTH // 2, HEIGHT // 2)
JET = 100
"""From the middle of the fountain to the tip of an arrow."""
PLOT = (90, 100)
"""How wide and high the place of a space is."""


def _spots() -> dict[Space, Spot]:
    spots: dict[Space, Spot] = {}
    for i, space in enumerate(RING):
        if i <= WIDE:
            column, row = i, 0
        elif i <= WIDE + HIGH:
            column, row = WIDE, i - WIDE
        elif i <= 2 * WIDE + HIGH:
            column, row = 2 * WIDE + HIGH - i, HIGH
        else:
            column, row = 0, 2 * (WIDE + HIGH) - i
        spots[space] = (MARGIN + COLUMN * column, MARGIN + ROW * row)
    x, y = MIDDLE
    spots["P_sell"] = (x - 7 * COLUMN // 4, y)
    spots["P_exch"] = (x + 7 * COLUMN // 4, y)
    return spots


SPOTS = _spots()
"""The middle of each space."""


def sides(fountain: int) -> list[tuple[Space, int]]:
    """The place each side of the fountain faces and what its arrow does: 2, -1 or 0."""
    return [(place, ARROWS[(i - fountain) % len(ARROWS)]) for i, place in enumerate(ROUND)]


def tip(place: Space, far: int = JET) -> tuple[float, float]:
    """Where the arrow that points to a place ends, or what lies so far from the middle."""
    x, y = MIDDLE
    to_x, to_y = SPOTS[place]
    whole = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    return x + (to_x - x) * far / whole, y + (to_y - y) * far / whole


SPREAD: tuple[tuple[Spot, ...], ...] = (
    (),
    ((0, 30),),
    ((-19, 30), (19, 30)),
    ((-26, 26), (26, 26), (0, 34)),
    ((-34, 24), (-11, 34), (11, 34), (34, 24)),
)
"""How players stand on one space, from its middle."""


def stand(places: list[Space]) -> list[Spot | None]:
    """Where the figure of each seat stands; None before it has settled."""
    found: list[Spot | None] = []
    for seat, place in enumerate(places):
        if not place:
            found.append(None)
            continue
        here = [other for other, at in enumerate(places) if at == place]
        dx, dy = SPREAD[len(here)][here.index(seat)]
        x, y = SPOTS[place]
        found.append((x + dx, y + dy))
    return found
