"""Choosing among laying moves by cells and kinds: what is still possible after some taps.

A candidate is ``(kind, path, declined, command)``: a colour and the path of a block, or "camel"
or "lying" with a path of one cell.
"""

from collections.abc import Sequence
from typing import Any

from domain.caravanserai.events import SetGood, StartAt
from frontend.app.typed import Command

Candidate = tuple[str, tuple[int, ...], tuple[int, ...], Any]

CAMEL_COMMANDS = {"PlaceCamel": "camel", "LayCamelDown": "lying"}


def candidates(commands: Sequence[Command]) -> list[Candidate]:
    """The laying moves among commands."""
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
    """Those of a kind (None: any) whose path begins with ``path``."""
    count = len(path)
    return [each for each in found if kind in (None, each[0]) and each[1][:count] == path]


def kinds(found: Sequence[Candidate]) -> set[Any]:
    """The kinds that are still possible."""
    return {each[0] for each in found}


def next_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Cells that one more tap can add right after ``path``."""
    count = len(path)
    return {each[1][count] for each in found if len(each[1]) > count}


def far_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Cells further along some path."""
    count = len(path)
    return {cell for each in found for cell in each[1][count:]}


def tapped(found: Sequence[Candidate], path: tuple[int, ...], cell: Any) -> tuple[int, ...] | None:
    """The path after a tap on a cell: cut back, or led on to the cell the shortest way.

    None when the cell is not on any way.
    """
    if cell in path:
        return path[: path.index(cell)]
    ways = {each[1][: each[1].index(cell) + 1] for each in found if cell in each[1]}
    return min(ways, key=len) if ways else None


def complete(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> list[Candidate]:
    """The moves that are exactly this kind and path: several when a standing good may be used
    or not."""
    return [each for each in found if each[0] == kind and each[1] == path]


def settled(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> Candidate | None:
    """The one move that is left, when nothing more can be chosen."""
    if kind is None or not path:
        return None
    exact = complete(found, kind, path)
    longer = narrowed(found, kind, path)
    return exact[0] if len(exact) == 1 and len(longer) == 1 else None


class Choosing:
    """What has been tapped so far of the moves there are.

    ``found``: laying moves, see above; ``targets``: where there are none, the moves that are one
    cell each, by cell. ``kind`` and ``path`` of the first, ``target`` of the second are what was
    chosen.
    """

    def __init__(self) -> None:
        self.offer(())
        self.forget()

    def forget(self) -> None:
        """Begins anew."""
        self.kind: str | None = None
        self.path: tuple[int, ...] = ()
        self.target: int | None = None

    def offer(self, commands: Sequence[Command]) -> None:
        """Takes what may be done now."""
        self.found = candidates(commands)
        single = () if self.found else commands
        self.targets = {each.cell: each for each in single if type(each) in (StartAt, SetGood)}

    def left(self) -> list[Candidate]:
        """The laying moves that are still possible."""
        return narrowed(self.found, self.kind, self.path)

    def near(self) -> set[int]:
        """Cells that can be tapped next."""
        return next_cells(self.left(), self.path) if self.found else set(self.targets)

    def far(self) -> set[int]:
        """Cells further on, once it is clear what is laid."""
        return far_cells(self.left(), self.path) if self.kind else set()

    def tap(self, cell: Any) -> bool:
        """Leads the path on to a cell, or cuts it back; whether that can be."""
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
        """Chooses what is laid, or not any more."""
        self.kind = None if self.kind == kind else kind
        if self.kind and not self.left():
            self.path = ()

    def settled(self) -> Candidate | None:
        """The one move that is left, or None."""
        return settled(self.found, self.kind, self.path)
