"""A list that only grows, whose branches share what they have in common."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry")


class Growing(Generic[Entry]):
    """A list that only grows. Its branches share the entries, so that one costs no copy.

    Entries beyond the own end are those of a branch that went on. Appending what comes next there
    only moves the end; whoever appends something else parts from the others. So it is too when
    two threads append at the same moment: who comes second finds the place taken, and parts.

    Of the entries before ``away`` some may be in the log only: None stands in the place of each,
    and ``read(index)`` gives a stretch of them, with the index of its first.
    """

    read: Callable[[int], tuple[int, list[Entry]]]
    away = 0

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Entry:
        if index < 0:
            index += self.length
        if not 0 <= index < self.length:
            raise IndexError(index)
        entry: Entry | None = self.entries[index]
        return self._fetched(index) if entry is None else entry

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.tail(0))

    def tail(self, first: int) -> list[Entry]:
        """The entries from an index on."""
        for index in range(first, min(self.away, self.length)):
            if self.entries[index] is None:
                self._fetched(index)
        return self.entries[first : self.length]

    def _fetched(self, index: int) -> Entry:
        first, found = self.read(index)
        self.put(first, found)
        return found[index - first]

    def put(self, first: int, found: list[Entry]) -> None:
        """Puts entries that were away in their place, for the branches too."""
        found = found[: max(self.away - first, 0)]
        self.entries[first : first + len(found)] = found

    def next(self) -> Entry | None:
        """The entry that a branch has put after the own last one, None when there is none."""
        entries, length = self.entries, self.length
        return entries[length] if length < len(entries) else None

    def append(self, entry: Entry) -> bool:
        """One more entry at the end; False when that parted the list from its branches."""
        entries, length = self.entries, self.length
        if length == len(entries):
            entries.append(entry)
        shared = entries[length] is entry
        if not shared:
            self.part()
            self.entries.append(entry)
        self.length = length + 1
        return shared

    def part(self) -> None:
        """Shares nothing any more with branches that went on."""
        self.entries = self.entries[: self.length]
        self.away = min(self.away, self.length)

    def resume(
        self, index: int, entry: Entry, read: Callable[[int], tuple[int, list[Entry]]]
    ) -> None:
        """Makes an empty list begin with the entry of an index; those before it are away."""
        self.entries = [*[None] * index, entry]
        self.length = index + 1
        self.away, self.read = index, read

    def branch(self) -> "Growing[Entry]":
        """The same entries in a list that goes its own way."""
        twin: Growing[Entry] = Growing()
        twin.entries, twin.length = self.entries, self.length
        if self.away:
            twin.away, twin.read = self.away, self.read
        return twin
