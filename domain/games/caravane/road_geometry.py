"""Geometry of the silk road: three stages that climb from the start to the third palace.

Coordinates are integers; the picture is 640 units wide. The spots of the road are numbered from the
start, spot 0; square k of a stage is the k-th spot after the preceding palace, or the start. Page
and pictures share this geometry. Paths are SVG path data. Ships to the browser.
"""

Spot = tuple[int, int]
"""Coordinates of a spot in the picture: x to the right, y down."""

WIDTH, HEIGHT = 640, 770
SKY_HEIGHT = 50  # space above the last palace, so that the stage caption does not hide it
LEFT, RIGHT = 92, 548  # x of the first and last square of a row
FAR_LEFT, FAR_RIGHT = 42, 598  # x of the squares at the turns of the road
GROUND_MARGIN = 4_000  # distance by which the ground extends beyond each side of the picture
ROW_DISTANCE = 96  # distance between two rows
LOWEST_ROW_Y = 700  # y of the lowest row
SWAY = (0, 7, 10, 7, 0, -7, -10, -7)
# Rows from the bottom up: stage, number of spots in the row (start and palace included), whether it
# runs to the right, and what it ends with.
ROWS = (
    (1, 8, False, "turn"),
    (1, 7, True, "palace"),
    (2, 8, False, "turn"),
    (2, 7, True, "turn"),
    (2, 8, False, "palace"),
    (3, 9, True, "turn"),
    (3, 9, False, "palace"),
)
BANDS = ((1, "outer", 770, 566), (2, "intermediate", 566, 272), (3, "central", 272, 0))
SPREAD = (
    ((0, 0),),
    ((-15, 2), (15, -2)),
    ((-19, -21), (19, -21), (0, 3)),
    ((-19, -21), (19, -21), (-19, 3), (19, 3)),
    ((-28, -21), (0, -24), (28, -21), (-15, 3), (15, 3)),
)
"""Offsets of the camels on a spot, by their number; no letter covers another letter or a label."""


def _spots() -> tuple[Spot, ...]:
    spots: list[Spot] = []
    for row, (_, count, right, end) in enumerate(ROWS):
        y = LOWEST_ROW_Y - ROW_DISTANCE * row
        begin, stop = (LEFT, RIGHT) if right else (RIGHT, LEFT)
        if end == "palace":
            stop = RIGHT - 62 if right else LEFT + 62
        for number in range(count - (end == "palace")):
            gaps = count - 1 - (end == "palace")
            x = begin + (stop - begin) * number // gaps
            spots.append((x, y + SWAY[number * 8 // count]))
        if end == "turn":
            spots.append((FAR_RIGHT if right else FAR_LEFT, y - ROW_DISTANCE // 2))
        else:
            spots.append((RIGHT if right else LEFT, y))
    return tuple(spots)


SPOTS = _spots()


def place_camels(places: list[int]) -> list[Spot]:
    """Return the centre of each seat's camel; camels on the same spot are spread out.

    ``places``: the number of each seat's spot.
    """
    crowds: dict[int, list[int]] = {}
    for seat, spot in enumerate(places):
        crowds.setdefault(spot, []).append(seat)
    found = [(0, 0)] * len(places)
    for spot, seats in crowds.items():
        x, y = SPOTS[spot]
        if spot == 0:
            x += 14
        for (dx, dy), seat in zip(SPREAD[len(seats) - 1], seats, strict=True):
            found[seat] = (x + dx, y - 8 + dy)
    return found


def _between(before: Spot, begin: Spot, end: Spot, after: Spot) -> str:
    """Return a smooth curve from ``begin`` to ``end`` as path data.

    ``before`` and ``after``: the adjacent points of the road, which determine the tangents.
    """
    ax, ay = begin[0] + (end[0] - before[0]) // 6, begin[1] + (end[1] - before[1]) // 6
    bx, by = end[0] - (after[0] - begin[0]) // 6, end[1] - (after[1] - begin[1]) // 6
    return f"C{ax} {ay} {bx} {by} {end[0]} {end[1]}"


def draw_road_path() -> str:
    """Return the road as path data, with a bend where it leads from a palace to the row above."""
    points: list[Spot] = []
    for number, spot in enumerate(SPOTS):
        points.append(spot)
        if number in (15, 40):
            far = FAR_RIGHT + 14 if spot[0] > 320 else FAR_LEFT - 14
            points.append((far, spot[1] - ROW_DISTANCE // 2))
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for number in range(len(points) - 1):
        before = points[max(0, number - 1)]
        after = points[min(len(points) - 1, number + 2)]
        parts.append(_between(before, points[number], points[number + 1], after))
    return "".join(parts)


def draw_ground_path(foot: int, top: int) -> str:
    """Return the outline of a stage's ground as path data, from ``foot`` to ``top``; see `BANDS`.

    It extends far beyond both sides of the picture.
    """
    far = GROUND_MARGIN
    if top == 0:
        return f"M-{far}-{far}H{far}V{foot}H-{far}Z"
    crest = f"C120 {top - 26} 210 {top + 22} 330 {top}S540 {top - 22} 640 {top}"
    below = foot + 30 if foot < HEIGHT else far
    return f"M-{far} {top}H0{crest}H{far}V{below}H-{far}Z"


def draw_dune_path(number: int) -> str:
    """Return a few dune crests between the rows of stage ``number`` as path data."""
    foot = {1: 742, 2: 540, 3: 246}[number]
    parts = []
    for part in range(2 if number == 1 else 3):
        y = foot - ROW_DISTANCE * part
        x = 130 + 150 * ((part * 2 + number) % 3)
        parts.append(f"M{x} {y}q38-22 84-4M{x + 44} {y - 12}q34-16 70 2")
    return "".join(parts)
