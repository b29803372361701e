"""Geometry of the trails: points of places, caravans and bands of looters.

Coordinates are integers, with the centre of the ring of forts at (0, 0). Positions are represented
as in `domain.games.caravanserail.board`: a letter for a place, "AF" for the trail from A towards F.
``at`` is the point of each place by letter. Page and pictures share this geometry. Paths are SVG
path data. Ships to the browser.
"""

from typing import Any

from domain.games.caravanserail.board import trail_of

Point = tuple[int, int]
Points = dict[str, Point]

RING, HIGH = 250, 292
BOX = (-362, -388, 724, 790)
FORT = "M-40 34V-8h-5v-16h9v7h8v-7h9v7h8v-7h22v7h8v-7h9v7h8v-7h9v16h-5v42Z"
GATE = "M-17 34V12q0-13 17-20 17 7 17 20v22Z"
SPRING = "M-37 12q4-15 37-15t37 15-37 17-37-17Z"
PALM = "M4 8Q8-10 3-24M3-24Q-14-30-20-16M3-24Q-8-40-22-36M3-24Q12-42 26-36M3-24Q20-30 26-14"
SABRES = "M-17-17Q2-8 14 13l-4 3Q-10 6-17-17ZM9 17l8-8M17-17Q-2-8-14 13l4 3Q10 6 17-17ZM-9 17l-8-8"
EMBLEMS = (
    "M4-11A11 11 0 1 0 10 6 9 9 0 1 1 4-11Z",  # crescent
    "M0-12 3-4 12-4 5 2 8 11 0 5-8 11-5 2-12-4-3-4Z",  # star
    "M0-12 9 0 0 12-9 0Z",  # lozenge
    "M0-10 11 9H-11Z",  # triangle
    "M-4-11H4V-4H11V4H4V11H-4V4H-11V-4H-4Z",  # cross
    "M0-10a10 10 0 1 0 .1 0ZM0-4a4 4 0 1 1-.1 0Z",  # ring
    "M-9-9H9V9H-9Z",  # square
    "M0-12Q13 7 0 11-13 7 0-12Z",  # drop
)
"""The emblem of each seat, around (0, 0), as path data."""
CARAVANS_PER_ROW = 3  # number of caravans side by side below a place, unless there are many
ACROSS, DOWN = 60, 40  # horizontal and vertical distance between caravans at a place
STACK_STEP, STACK_LENGTH = 26, 78  # distance of stacked caravans, and their maximum overall
ALL_FANNED = "*"
BELOW = 54  # distance of caravans below a place, whose letter stays clear
LOOTERS_ASIDE, LOOTERS_ALONG = 40, 56  # distance of looters from their trail, and from each other
NAME_SPOTS = {
    9: {
        "A": ("middle", 0, -50, False),
        "B": ("end", 6, -36, True),
        "C": ("middle", 0, 100, False),
        "D": ("middle", 0, 100, False),
        "E": ("start", -6, -36, True),
        "F": ("middle", 0, -50, False),
        "G": ("start", 56, 10, False),
        "H": ("end", 6, -56, False),
        "I": ("start", -6, -56, False),
    },
    12: {
        "A": ("end", 50, -50, False),
        "B": ("end", -8, -36, True),
        "C": ("end", -18, -38, False),
        "D": ("middle", -30, 100, False),
        "E": ("middle", 30, 100, False),
        "F": ("end", 124, 100, False),
        "G": ("start", 4, -36, False),
        "H": ("start", -40, -50, False),
        "I": ("start", 56, 6, False),
        "J": ("start", 56, -8, False),
        "K": ("start", 56, -6, False),
        "M": ("end", -56, 26, False),
    },
}
"""Where the names of places are, clear of trails and caravans, by the number of places.

``(anchor, x, y, is_split)``: the position relative to the place, and whether the words of the name
are below each other.
"""


def points(places: list[dict[str, Any]]) -> Points:
    """Return the ``(x, y)`` position of each place of the game's view, by its letter."""
    return {place["letter"]: (int(place["x"] * RING), int(place["y"] * HIGH)) for place in places}


def trails(at: Points, names: list[str]) -> str:
    """Return the named trails as path data."""
    ends = [(at[name[0]], at[name[1]]) for name in names]
    return "".join([f"M{ax} {ay}L{bx} {by}" for (ax, ay), (bx, by) in ends])


def point_of(at: Points, position: str) -> Point:
    """Return the point of a place, or the midpoint of a trail."""
    if len(position) == 1:
        return at[position]
    (ax, ay), (bx, by) = at[position[0]], at[position[1]]
    return (ax + bx) // 2, (ay + by) // 2


def caravan_points(
    at: Points, where: dict[tuple[int, int], str], fanned: str = ""
) -> dict[tuple[int, int], Point]:
    """Return the point of each caravan; those at the same place or trail are a stack.

    ``where``: ``{(seat, caravan): position}``; ``fanned``: the place or trail whose caravans are
    side by side instead, or `ALL_FANNED`.
    """
    crowds: dict[str, list[tuple[int, int]]] = {}
    for key, position in where.items():
        crowds.setdefault(trail_of(position) or position, []).append(key)
    found: dict[tuple[int, int], Point] = {}
    for spot, keys in crowds.items():
        fan = _below if len(spot) == 1 else _along
        arrange = fan if fanned in (spot, ALL_FANNED) else _stack
        found.update(zip(keys, arrange(at, spot, len(keys)), strict=True))
    return found


def _stack(at: Points, spot: str, count: int) -> list[Point]:
    """Return the points of ``count`` caravans that overlap, below a place or along a trail."""
    step = min(STACK_STEP, STACK_LENGTH // max(1, count - 1))
    if len(spot) == 1:
        x, y = at[spot]
        return [(x + step * (2 * n - count + 1) // 2, y + BELOW) for n in range(count)]
    (ax, ay), (bx, by) = at[spot[0]], at[spot[1]]
    ux, uy = unit_vector(bx - ax, by - ay)
    shifts = [step * (2 * n - count + 1) / 2 for n in range(count)]
    return [(int((ax + bx) / 2 + far * ux), int((ay + by) / 2 + far * uy)) for far in shifts]


def _below(at: Points, place: str, count: int) -> list[Point]:
    """Return the points of ``count`` caravans at the same place, in rows below it."""
    x, y = at[place]
    wide = CARAVANS_PER_ROW if count <= 2 * CARAVANS_PER_ROW else 4
    step = ACROSS if wide == CARAVANS_PER_ROW else 54
    rows = [min(wide, count - first) for first in range(0, count, wide)]
    return [
        (x + step * (2 * number - row + 1) // 2, y + BELOW + DOWN * line)
        for line, row in enumerate(rows)
        for number in range(row)
    ]


def _along(at: Points, trail: str, count: int) -> list[Point]:
    """Return the points of ``count`` caravans on the same trail, in two lines along it."""
    (ax, ay), (bx, by) = at[trail[0]], at[trail[1]]
    ux, uy = unit_vector(bx - ax, by - ay)
    mx, my = (ax + bx) / 2, (ay + by) / 2
    if count == 1:
        return [(int(mx), int(my))]
    lines = (count + 1) // 2
    found = []
    for number in range(count):
        along = 42 * (2 * (number // 2) - lines + 1) / 2
        aside = 27 if number % 2 else -27
        found.append((int(mx + along * ux - aside * uy), int(my + along * uy + aside * ux)))
    return found


def looters_point(at: Points, trail: str, number: int = 0) -> Point:
    """Return the point of looters that touch the middle of a trail.

    ``number``: the number of bands drawn before on this trail; they are on alternate sides of it.
    """
    (ax, ay), (bx, by) = at[trail[0]], at[trail[1]]
    ux, uy = unit_vector(bx - ax, by - ay)
    aside = -LOOTERS_ASIDE if number % 2 else LOOTERS_ASIDE
    along = LOOTERS_ALONG * (number // 2)
    x, y = (ax + bx) / 2 + along * ux, (ay + by) / 2 + along * uy
    return int(x - aside * uy), int(y + aside * ux)


def unit_vector(x: float, y: float) -> tuple[float, float]:
    """Return the unit vector of a direction."""
    far = (x * x + y * y) ** 0.5
    return x / far, y / far


def wedge_path(ux: float, uy: float) -> str:
    """Return a wedge that points in the direction of a unit vector, as path data."""
    corners = [
        (44 * ux, 44 * uy),
        (10 * ux - 17 * uy, 10 * uy + 17 * ux),
        (10 * ux + 17 * uy, 10 * uy - 17 * ux),
    ]
    return "M" + "L".join([f"{int(x)} {int(y)}" for x, y in corners]) + "Z"


def caravan_wedge(at: Points, position: str) -> str:
    """Return the wedge that shows the direction of a caravan on a trail, or "" at a place."""
    if len(position) < 2:
        return ""
    (ax, ay), (bx, by) = at[position[0]], at[position[1]]
    return wedge_path(*unit_vector(bx - ax, by - ay))


def dunes() -> str:
    """Return a few dune crests in the background, as path data."""
    parts = []
    for x, y in (
        (-300, -40),
        (210, 20),
        (-60, 210),
        (-40, -30),
        (120, -260),
        (-330, 280),
        (230, 290),
    ):
        parts.append(f"M{x} {y}q34-20 76-4M{x + 40} {y - 11}q30-14 62 2")
    return "".join(parts)
