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
        if not self.found:
            return set(self.targets)
        count = len(self.path)
        return {each[1][count] for each in self.remaining_moves() if len(each[1]) > count}

    def further_cells(self) -> set[int]:
        """Return all later cells once the kind is chosen, otherwise an empty set."""
        moves = self.remaining_moves() if self.kind else ()
        return {cell for each in moves for cell in each[1][len(self.path) :]}

    def tap(self, cell: Any) -> bool:
        """Extend the path to a cell or cut it before the cell; return whether that was possible.

        Also sets the kind if only one is left.
        """
        path = self._path_after_tap(cell)
        if path is None:
            return False
        self.path = path
        if self.kind is None and path:
            possible = possible_kinds(self.remaining_moves())
            if len(possible) == 1:
                self.kind = possible.pop()
        return True

    def _path_after_tap(self, cell: Any) -> tuple[int, ...] | None:
        """Return the path cut before a cell, or the shortest path that reaches the cell.

        A path that extends the current one comes before a shorter one that starts again, as a
        marked cell may be adjacent to the camel too. Returns None if neither the path nor a
        candidate of the kind contains the cell.
        """
        if cell in self.path:
            return self.path[: self.path.index(cell)]
        found = filter_candidates(self.found, self.kind, ())
        reaching = [each for each in found if cell in each[1]]
        extending = filter_candidates(reaching, None, self.path)
        paths = [each[1][: each[1].index(cell) + 1] for each in extending or reaching]
        return min(paths, key=len) if paths else None

    def pick(self, kind: str | None) -> None:
        """Select the kind to lay, or deselect it; clear the path if it does not fit the kind."""
        self.kind = None if self.kind == kind else kind
        if self.kind and not self.remaining_moves():
            self.path = ()

    def complete_moves(self) -> list[Candidate]:
        """Return the candidates with exactly this kind and path.

        There are several if standing goods may be used or sent back.
        """
        return [each for each in self.found if each[0] == self.kind and each[1] == self.path]

    def only_move(self) -> Candidate | None:
        """Return the candidate that a tap may play without a button, otherwise None.

        It is the only one left for the kind and path, and no block of this kind is longer, along
        whatever path.
        """
        left = self.remaining_moves()
        if self.kind is None or len(left) != 1 or left[0][1] != self.path:
            return None
        longest = max([len(each[1]) for each in self.found if each[0] == self.kind])
        return left[0] if len(self.path) == longest else None
