"""Hexagons in axial coordinates ``(q, r)``. Ships to the browser."""

from collections.abc import Sequence

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six steps to a neighbour; each is the one before it turned by 60 degrees."""


def neighbours(q: int, r: int) -> list[tuple[int, int]]:
    """The six cells around a cell, in the order of `DIRECTIONS`."""
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def around(places: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """For each place the number of its neighbour in each of the `DIRECTIONS`, -1 for none."""
    left, top = min([q for q, _ in places]) - 1, min([r for _, r in places]) - 1
    wide, high = max([q for q, _ in places]) - left + 2, max([r for _, r in places]) - top + 2
    numbers = [-1] * (wide * high)  # by row, with an empty margin
    spots = [(r - top) * wide + q - left for q, r in places]
    for number, spot in enumerate(spots):
        numbers[spot] = number
    ways = [dr * wide + dq for dq, dr in DIRECTIONS]
    return tuple([tuple([numbers[spot + way] for way in ways]) for spot in spots])


def ring(inside: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The cells that touch the given ones and are none of them, sorted."""
    around = {cell for q, r in inside for cell in neighbours(q, r)}
    return tuple(sorted(around - set(inside)))
