"""The selection of a move by taps on kinds and cells, which filter the candidates.

A candidate is ``(kind, path, declined, command)``. The kind is the colour of a block, or "camel" or
"lying" with a path of one cell; ``declined`` are the cells whose standing goods are sent back.
"""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserai.commands import SetGood, StartAt
from frontend.app.core.types import Command

Candidate = tuple[str, tuple[int, ...], tuple[int, ...], Any]

CAMEL_COMMANDS = {"PlaceCamel": "camel", "LayCamelDown": "lying"}


def candidates(commands: Sequence[Command]) -> list[Candidate]:
    """Return a candidate for each command that lays a block or a camel."""
    found: list[Candidate] = []
    for command in commands:
        name = type(command).__name__
        if name == "LayBlock":
            found.append((command.colour, command.path, command.declined, command))
        elif name in CAMEL_COMMANDS:
            found.append((CAMEL_COMMANDS[name], (command.cell,), (), command))
    return found


def filter_candidates(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> list[Candidate]:
    """Return the candidates of a kind (None for any) whose path begins with ``path``."""
    count = len(path)
    return [each for each in found if kind in (None, each[0]) and each[1][:count] == path]


def possible_kinds(found: Sequence[Candidate]) -> set[Any]:
    """Return the kinds among the candidates."""
    return {each[0] for each in found}


def next_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Return the cells that directly follow ``path`` in candidates that begin with it."""
    count = len(path)
    return {each[1][count] for each in found if len(each[1]) > count}


def far_cells(found: Sequence[Candidate], path: tuple[int, ...]) -> set[Any]:
    """Return all later cells of candidates that begin with ``path``."""
    count = len(path)
    return {cell for each in found for cell in each[1][count:]}


def path_after_tap(
    found: Sequence[Candidate], path: tuple[int, ...], cell: Any
) -> tuple[int, ...] | None:
    """Return the path after a tap on a cell: cut before it, or the shortest path that reaches it.

    A path that extends ``path`` comes before a shorter one that starts again, as a marked cell may
    be adjacent to the camel too. Returns None if neither the path nor a candidate contains the
    cell.
    """
    if cell in path:
        return path[: path.index(cell)]
    reaching = [each for each in found if cell in each[1]]
    extending = filter_candidates(reaching, None, path)
    paths = [each[1][: each[1].index(cell) + 1] for each in extending or reaching]
    return min(paths, key=len) if paths else None


def complete_moves(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> list[Candidate]:
    """Return the candidates with exactly this kind and path.

    There are several if standing goods may be used or sent back.
    """
    return [each for each in found if each[0] == kind and each[1] == path]


def only_move(
    found: Sequence[Candidate], kind: str | None, path: tuple[int, ...]
) -> Candidate | None:
    """Return the candidate that a tap may play without a button, otherwise None.

    It is the only one left for the kind and path, and no block of this kind is longer, along
    whatever path.
    """
    if kind is None or not path:
        return None
    left = filter_candidates(found, kind, path)
    if len(left) != 1 or left[0][1] != path:
        return None
    longest = max([len(each[1]) for each in found if each[0] == kind])
    return left[0] if len(path) == longest else None


class MoveSelection:
    """The state of a move being chosen by taps.

    ``found``: the candidates; ``targets``: if there are none, the single-cell commands (`StartAt`,
    `SetGood`) by cell. ``kind`` and ``path`` are the choice among ``found``, ``target`` that among
    ``targets``.
    """

    def __init__(self) -> None:
        self.set_commands(())
        self.reset()

    def reset(self) -> None:
        """Clear the choice."""
        self.kind: str | None = None
        self.path: tuple[int, ...] = ()
        self.target: int | None = None

    def set_commands(self, commands: Sequence[Command]) -> None:
        """Set the legal commands, keeping the choice."""
        self.found = candidates(commands)
        single = () if self.found else commands
        self.targets = {each.cell: each for each in single if type(each) in (StartAt, SetGood)}

    def remaining_moves(self) -> list[Candidate]:
        """Return the candidates that match the choice."""
        return filter_candidates(self.found, self.kind, self.path)

    def next_cells(self) -> set[int]:
        """Return the cells that can be tapped next."""
        return next_cells(self.remaining_moves(), self.path) if self.found else set(self.targets)

    def further_cells(self) -> set[int]:
        """Return all later cells once the kind is chosen, otherwise an empty set."""
        return far_cells(self.remaining_moves(), self.path) if self.kind else set()

    def tap(self, cell: Any) -> bool:
        """Extend the path to a cell or cut it before the cell; return whether that was possible.

        Also sets the kind if only one is left.
        """
        path = path_after_tap(filter_candidates(self.found, self.kind, ()), self.path, cell)
        if path is None:
            return False
        self.path = path
        if self.kind is None and path:
            possible = possible_kinds(filter_candidates(self.found, None, path))
            if len(possible) == 1:
                self.kind = possible.pop()
        return True

    def pick(self, kind: str | None) -> None:
        """Select the kind to lay, or deselect it; clear the path if it does not fit the kind."""
        self.kind = None if self.kind == kind else kind
        if self.kind and not self.remaining_moves():
            self.path = ()

    def only_move(self) -> Candidate | None:
        """Return the only remaining candidate if the choice is complete, otherwise None."""
        return only_move(self.found, self.kind, self.path)
