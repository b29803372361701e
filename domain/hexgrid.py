"""Hexagons in axial coordinates ``(q, r)``. Ships to the browser."""

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six steps to a neighbour; each is the one before it turned by 60 degrees."""


def neighbours(q: int, r: int) -> list[tuple[int, int]]:
    """The six cells around a cell, in the order of `DIRECTIONS`."""
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def ring(inside: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The cells that touch the given ones and are none of them, sorted."""
    around = {cell for q, r in inside for cell in neighbours(q, r)}
    return tuple(sorted(around - set(inside)))
