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
BOX = (-350, -388, 700, 790)
FORT = "M-40 34V-8h-5v-16h9v7h8v-7h9v7h8v-7h22v7h8v-7h9v7h8v-7h9v16h-5v42Z"
GATE = "M-17 34V12q0-13 17-20 17 7 17 20v22Z"
SPRING = "M-37 12q4-15 37-15t37 15-37 17-37-17Z"
PALM = "M4 8Q8-10 3-24M3-24Q-14-30-20-16M3-24Q-8-40-22-36M3-24Q12-42 26-36M3-24Q20-30 26-14"
SABRES = "M-17-17Q2-8 14 13l-4 3Q-10 6-17-17ZM9 17l8-8M17-17Q-2-8-14 13l4 3Q10 6 17-17ZM-9 17l-8-8"
CARAVANS_PER_ROW = 3  # number of caravans side by side below a place, unless there are many
ACROSS, DOWN = 56, 38  # horizontal and vertical distance between caravans at a place


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


def caravan_points(at: Points, where: dict[tuple[int, int], str]) -> dict[tuple[int, int], Point]:
    """Return the point of each caravan; those at the same place or trail are side by side.

    ``where``: ``{(seat, caravan): position}``.
    """
    crowds: dict[str, list[tuple[int, int]]] = {}
    for key, position in where.items():
        crowds.setdefault(trail_of(position) or position, []).append(key)
    found: dict[tuple[int, int], Point] = {}
    for spot, keys in crowds.items():
        beside = _below if len(spot) == 1 else _along
        found.update(zip(keys, beside(at, spot, len(keys)), strict=True))
    return found


def _below(at: Points, place: str, count: int) -> list[Point]:
    """Return the points of ``count`` caravans at the same place, in rows below it."""
    x, y = at[place]
    wide = CARAVANS_PER_ROW if count <= 2 * CARAVANS_PER_ROW else 4
    step = ACROSS if wide == CARAVANS_PER_ROW else 54
    rows = [min(wide, count - first) for first in range(0, count, wide)]
    return [
        (x + step * (2 * number - row + 1) // 2, y + 46 + DOWN * line)
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


def looters_point(at: Points, trail: str) -> Point:
    """Return the point of looters beside the middle of a trail."""
    (ax, ay), (bx, by) = at[trail[0]], at[trail[1]]
    ux, uy = unit_vector(bx - ax, by - ay)
    return int((ax + bx) / 2 - 56 * uy), int((ay + by) / 2 + 56 * ux)


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
