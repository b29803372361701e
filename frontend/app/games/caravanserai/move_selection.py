"""Filtering of laying moves by tapped cells and kinds: what is possible after some taps.

A candidate is ``(kind, path, declined, command)``: a colour and the path of a block, or "camel" or
"lying" with a path of one cell.
"""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserai.commands import SetGood, StartAt
from frontend.app.core.types import Command

Candidate = tuple[str, tuple[int, ...], tuple[int, ...], Any]

CAMEL_COMMANDS = {"PlaceCamel": "camel", "LayCamelDown": "lying"}


def candidates(commands: Sequence[Command]) -> list[Candidate]:
    """Return the laying moves among commands."""
    found: list[Candidate] = []
    for command in commands:
        name = type(command).__name__
        if name == "LayBlock":
            found.append((command.colour, command.path, command.declined, command))
        elif name in CAMEL_COMMANDS:
            found.append((CAMEL_COMMANDS[name], (command.cell,), (), command))
    return found


def narrowed(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> list[Candidate]:
    """Return the moves of a kind (None: any) whose path begins with ``path``."""
    count = len(path)
    return [each for each in found if kind in (None, each[0]) and each[1][:count] == path]


def kinds(found: Sequence[Candidate]) -> set[Any]:
    """Return the kinds that are still possible."""
    return {each[0] for each in found}


def next_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Return the cells that can directly follow ``path``."""
    count = len(path)
    return {each[1][count] for each in found if len(each[1]) > count}


def far_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Return all cells that can follow ``path`` at any distance."""
    count = len(path)
    return {cell for each in found for cell in each[1][count:]}


def tapped(found: Sequence[Candidate], path: tuple[int, ...], cell: Any) -> tuple[int, ...] | None:
    """Return the path after a tap on a cell: cut back, or extended to it the shortest way.

    None if no candidate contains the cell.
    """
    if cell in path:
        return path[: path.index(cell)]
    ways = {each[1][: each[1].index(cell) + 1] for each in found if cell in each[1]}
    return min(ways, key=len) if ways else None


def complete(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> list[Candidate]:
    """Return the moves with exactly this kind and path.

    There are several when a standing good may be used or not.
    """
    return [each for each in found if each[0] == kind and each[1] == path]


def settled(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> Candidate | None:
    """Return the only move that is left, when nothing more can be chosen."""
    if kind is None or not path:
        return None
    exact = complete(found, kind, path)
    longer = narrowed(found, kind, path)
    return exact[0] if len(exact) == 1 and len(longer) == 1 else None


class Choosing:
    """The state of choosing a move by taps.

    ``found``: laying moves, see above; ``targets``: where there are none, the moves of one cell
    each, by cell. ``kind`` and ``path`` are chosen among ``found``, ``target`` among ``targets``.
    """

    def __init__(self) -> None:
        self.offer(())
        self.forget()

    def forget(self) -> None:
        """Reset the choice."""
        self.kind: str | None = None
        self.path: tuple[int, ...] = ()
        self.target: int | None = None

    def offer(self, commands: Sequence[Command]) -> None:
        """Set the legal commands."""
        self.found = candidates(commands)
        single = () if self.found else commands
        self.targets = {each.cell: each for each in single if type(each) in (StartAt, SetGood)}

    def left(self) -> list[Candidate]:
        """Return the laying moves that are still possible."""
        return narrowed(self.found, self.kind, self.path)

    def near(self) -> set[int]:
        """Return the cells that can be tapped next."""
        return next_cells(self.left(), self.path) if self.found else set(self.targets)

    def far(self) -> set[int]:
        """Return the cells further on, once the kind is chosen."""
        return far_cells(self.left(), self.path) if self.kind else set()

    def tap(self, cell: Any) -> bool:
        """Extend the path to a cell, or cut it back; return whether that was possible."""
        path = tapped(narrowed(self.found, self.kind, ()), self.path, cell)
        if path is None:
            return False
        self.path = path
        if self.kind is None and path:
            possible = kinds(narrowed(self.found, None, path))
            if len(possible) == 1:
                self.kind = possible.pop()
        return True

    def pick(self, kind: str | None) -> None:
        """Choose the kind to lay, or deselect it."""
        self.kind = None if self.kind == kind else kind
        if self.kind and not self.left():
            self.path = ()

    def settled(self) -> Candidate | None:
        """Return the only move that is left, or None."""
        return settled(self.found, self.kind, self.path)
