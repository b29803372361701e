"""Hexagonal grids in axial coordinates ``(q, r)``. Ships to the browser."""

from collections.abc import Sequence

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Offsets to the six neighbours, each rotated by 60 degrees from the previous one."""


def neighbours(q: int, r: int) -> list[tuple[int, int]]:
    """Return the six neighbours of a cell, in the order of `DIRECTIONS`."""
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def neighbour_indexes(places: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return, for each place, the indexes in ``places`` of its neighbours; -1 where there is none.

    The neighbours are in the order of `DIRECTIONS`.
    """
    left, top = min([q for q, _ in places]) - 1, min([r for _, r in places]) - 1
    wide, high = max([q for q, _ in places]) - left + 2, max([r for _, r in places]) - top + 2
    numbers = [-1] * (wide * high)  # by row, with an empty margin
    spots = [(r - top) * wide + q - left for q, r in places]
    for number, spot in enumerate(spots):
        numbers[spot] = number
    offsets = [dr * wide + dq for dq, dr in DIRECTIONS]
    return tuple([tuple([numbers[spot + offset] for offset in offsets]) for spot in spots])


def surrounding_cells(inside: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return the cells adjacent to the given ones but not among them, sorted."""
    around = {cell for q, r in inside for cell in neighbours(q, r)}
    return tuple(sorted(around - set(inside)))
