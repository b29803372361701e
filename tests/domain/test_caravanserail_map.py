"""The map of Caravansérail: names beside the trails, stacks of caravans."""

import pytest

from domain.games.caravanserail.board import BOARDS
from domain.games.caravanserail.trail_geometry import (
    ALL_FANNED,
    BOX,
    EMBLEMS,
    NAME_SPOTS,
    caravan_points,
    points,
)

LETTER_WIDTH = 15  # average width of a letter of a name, in units
TRAIL_WIDTH = 10  # half the width of a trail


@pytest.mark.parametrize("seats", BOARDS)
def test_names_are_beside_the_trails_and_inside_the_picture(seats: int) -> None:
    board = BOARDS[seats]
    at = points([{"letter": p.letter, "x": p.x, "y": p.y} for p in board.places])
    for place in board.places:
        anchor, aside, down, is_split = NAME_SPOTS[len(at)][place.letter]
        lines = place.name.rsplit(" ", 1) if is_split else [place.name]
        x, y = at[place.letter]
        for above, line in enumerate(reversed(lines)):
            wide = LETTER_WIDTH * len(line)
            left = x + aside - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            assert BOX[0] <= left
            assert left + wide <= BOX[0] + BOX[2]
            bottom = y + down - 28 * above
            for trail in board.trails:
                assert not _crosses(at, trail, (left, bottom - 20, left + wide, bottom)), line


def _crosses(
    at: dict[str, tuple[int, int]], trail: str, box: tuple[float, float, float, float]
) -> bool:
    """Return whether a trail crosses a box, ``(left, top, right, bottom)``."""
    (ax, ay), (bx, by) = at[trail[0]], at[trail[1]]
    for step in range(101):
        x, y = ax + (bx - ax) * step / 100, ay + (by - ay) * step / 100
        inside = box[0] - TRAIL_WIDTH < x < box[2] + TRAIL_WIDTH
        if inside and box[1] < y < box[3]:
            return True
    return False


def test_caravans_at_one_place_are_stacked_or_fanned_out() -> None:
    at = {"A": (0, 0), "B": (200, 0)}
    where = {(0, 0): "A", (0, 1): "A", (1, 0): "AB", (1, 1): "BA", (1, 2): "AB"}
    stacked = caravan_points(at, where)
    assert stacked[0, 1][0] - stacked[0, 0][0] < 40
    fanned = caravan_points(at, where, "A")
    assert fanned[0, 1][0] - fanned[0, 0][0] >= 56
    assert fanned[1, 1] == stacked[1, 1]
    everywhere = caravan_points(at, where, ALL_FANNED)
    assert everywhere[1, 1] != stacked[1, 1]


def test_every_seat_has_an_emblem_of_its_own() -> None:
    assert len({*EMBLEMS}) == max(BOARDS)
