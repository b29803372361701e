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


Row = tuple[int, ...]

ACROSS: tuple[Row, ...] = ((0,), (-20, 20), (-30, 0, 30), (-37, -12, 12, 37))
DOWN: tuple[Row, ...] = ((4,), (-22, 30), (-32, 4, 40), (-38, -10, 18, 46))
"""How players of one space stand beside or below one another, from its middle, by how many."""
CORNER: tuple[Spot, ...] = ((52, 54), (78, 84), (96, 60), (60, 100))
"""And round the inner corner of a tower, to the right and down."""
BEFORE, BESIDE, BEHIND = 65, 62, -70
"""How far from the middle of a space they stand: below it, to its side, above it. They stand on the
paving of the courtyard, so that nobody covers what a space offers."""


def _stands(space: Space, many: int) -> list[Spot]:
    """Where so many players stand, from the middle of their space."""
    x, y = SPOTS[space]
    right, down = (1 if x < MIDDLE[0] else -1), (1 if y < MIDDLE[1] else -1)
    on_side = x in (MARGIN, WIDTH - MARGIN)
    if on_side and y in (MARGIN, HEIGHT - MARGIN):
        # Of the lower towers the upper half is written on, and steps are counted there.
        lift = 0 if down > 0 else 12
        return [(right * (dx + lift), down * (dy + lift)) for dx, dy in CORNER[:many]]
    if on_side:
        return [(right * BESIDE, dy) for dy in DOWN[many - 1]]
    return [(dx, BEHIND if y == HEIGHT - MARGIN else BEFORE) for dx in ACROSS[many - 1]]


def stand(places: list[Space]) -> list[Spot | None]:
    """Where the figure of each seat stands; None before it has settled."""
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
