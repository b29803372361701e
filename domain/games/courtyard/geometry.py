"""Geometry of the courtyard: positions of the spaces and directions of the fountain's arrows.

Coordinates of spaces are integers, x to the right, y down. Page and pictures share this geometry.
Ships to the browser.
"""

from domain.games.courtyard.board import ARROW_EFFECTS, FOUNTAIN_PLACES, RING, Space

Spot = tuple[int, int]

COLUMN, ROW = 100, 112
"""Horizontal and vertical distance between the centres of adjacent spaces of the ring."""
MARGIN = 66
LONG_SIDE_STEPS, SHORT_SIDE_STEPS = 6, 4
"""Number of steps from corner to corner along a long and a short side of the ring."""
WIDTH, HEIGHT = 2 * MARGIN + LONG_SIDE_STEPS * COLUMN, 2 * MARGIN + SHORT_SIDE_STEPS * ROW
MIDDLE: Spot = (WIDTH // 2, HEIGHT // 2)
ARROW_LENGTH = 100
"""Distance from the centre of the fountain to the tip of an arrow."""
SPACE_SIZE = (90, 100)
"""Width and height of a space."""


def _spots() -> dict[Space, Spot]:
    spots: dict[Space, Spot] = {}
    for i, space in enumerate(RING):
        if i <= LONG_SIDE_STEPS:
            column, row = i, 0
        elif i <= LONG_SIDE_STEPS + SHORT_SIDE_STEPS:
            column, row = LONG_SIDE_STEPS, i - LONG_SIDE_STEPS
        elif i <= 2 * LONG_SIDE_STEPS + SHORT_SIDE_STEPS:
            column, row = 2 * LONG_SIDE_STEPS + SHORT_SIDE_STEPS - i, SHORT_SIDE_STEPS
        else:
            column, row = 0, 2 * (LONG_SIDE_STEPS + SHORT_SIDE_STEPS) - i
        spots[space] = (MARGIN + COLUMN * column, MARGIN + ROW * row)
    x, y = MIDDLE
    spots["P_sell"] = (x - 7 * COLUMN // 4, y)
    spots["P_exch"] = (x + 7 * COLUMN // 4, y)
    return spots


SPOTS = _spots()
"""The centre of each space."""


def sides(fountain: int) -> list[tuple[Space, int]]:
    """Return the space that each side of the fountain faces, and its effect: 2, -1 or 0."""
    return [
        (place, ARROW_EFFECTS[(i - fountain) % len(ARROW_EFFECTS)])
        for i, place in enumerate(FOUNTAIN_PLACES)
    ]


def arrow_tip(place: Space, far: int = ARROW_LENGTH) -> tuple[float, float]:
    """Return the point at distance ``far`` from the fountain's centre towards a space.

    By default this is the tip of the arrow.
    """
    x, y = MIDDLE
    to_x, to_y = SPOTS[place]
    whole = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    return x + (to_x - x) * far / whole, y + (to_y - y) * far / whole


Row = tuple[int, ...]

ACROSS: tuple[Row, ...] = ((0,), (-20, 20), (-30, 0, 30), (-37, -12, 12, 37))
DOWN: tuple[Row, ...] = ((4,), (-22, 30), (-32, 4, 40), (-38, -10, 18, 46))
"""Offsets of players on the same space, by their number: in a row, and in a column."""
CORNER: tuple[Spot, ...] = ((52, 54), (78, 84), (96, 60), (60, 100))
"""Offsets of players around a tower's inner corner, inwards in both directions."""
BEFORE, BESIDE, BEHIND = 65, 62, -70
"""Offsets of players from the centre of their space: downwards, sideways, and upwards (negative).

Players are drawn on the paving, so that they do not cover what a space offers.
"""


def _stands(space: Space, many: int) -> list[Spot]:
    """Return the offsets of ``many`` players from the centre of their space."""
    x, y = SPOTS[space]
    right, down = (1 if x < MIDDLE[0] else -1), (1 if y < MIDDLE[1] else -1)
    on_side = x in (MARGIN, WIDTH - MARGIN)
    if on_side and y in (MARGIN, HEIGHT - MARGIN):
        # At the lower towers, keep clear of text and step counts in the upper half.
        lift = 0 if down > 0 else 12
        return [(right * (dx + lift), down * (dy + lift)) for dx, dy in CORNER[:many]]
    if on_side:
        return [(right * BESIDE, dy) for dy in DOWN[many - 1]]
    return [(dx, BEHIND if y == HEIGHT - MARGIN else BEFORE) for dx in ACROSS[many - 1]]


def place_players(places: list[Space]) -> list[Spot | None]:
    """Return the position of each seat's figure, or None for a seat that has not settled.

    ``places``: the space of each seat, "" before it has settled.
    """
    found: list[Spot | None] = []
    for seat, place in enumerate(places):
        if not place:
            found.append(None)
            continue
        here = [other for other, at in enumerate(places) if at == place]
        dx, dy = _stands(place, len(here))[here.index(seat)]
        x, y = SPOTS[place]
        found.append((x + dx, y + dy))
    return found
