"""An append-only list whose branches share their common entries."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry")


class AppendOnlyList(Generic[Entry]):
    """An append-only list; branches share its entries, so that branching copies nothing.

    The shared ``entries`` may extend beyond this list's ``length``: the further entries belong to a
    branch that has grown since. Appending the entry that already follows only increases ``length``;
    appending a different one copies the list first. This also makes concurrent appends by two
    threads safe: the second one finds the slot taken and copies.

    Entries before the index ``unloaded`` may exist only in the log, with None as their placeholder.
    ``read(index)`` loads the range of entries around an index; it returns the index of the first
    one, and the entries.
    """

    read: Callable[[int], tuple[int, list[Entry]]]
    unloaded = 0

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
        return self._load(index) if entry is None else entry

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.tail(0))

    def tail(self, first: int) -> list[Entry]:
        """Return the entries from an index on."""
        for index in range(first, min(self.unloaded, self.length)):
            if self.entries[index] is None:
                self._load(index)
        return self.entries[first : self.length]

    def _load(self, index: int) -> Entry:
        first, found = self.read(index)
        self.put(first, found)
        return found[index - first]

    def put(self, first: int, loaded: list[Entry]) -> None:
        """Store loaded entries at their indexes, for all branches that share the list."""
        loaded = loaded[: max(self.unloaded - first, 0)]
        self.entries[first : first + len(loaded)] = loaded

    def next_shared(self) -> Entry | None:
        """Return the entry that a branch has appended after this list's last; None if none."""
        entries, length = self.entries, self.length
        return entries[length] if length < len(entries) else None

    def append(self, entry: Entry) -> bool:
        """Append an entry; return whether the list still shares its entries with its branches."""
        entries, length = self.entries, self.length
        if length == len(entries):
            entries.append(entry)
        shared = entries[length] is entry
        if not shared:
            self.unshare()
            self.entries.append(entry)
        self.length = length + 1
        return shared

    def unshare(self) -> None:
        """Copy the entries, so that they are no longer shared with branches."""
        self.entries = self.entries[: self.length]
        self.unloaded = min(self.unloaded, self.length)

    def resume(
        self, index: int, entry: Entry, read: Callable[[int], tuple[int, list[Entry]]]
    ) -> None:
        """Start an empty list at the entry with this index; ``read`` loads the earlier ones."""
        self.entries = [*[None] * index, entry]
        self.length = index + 1
        self.unloaded, self.read = index, read

    def branch(self) -> "AppendOnlyList[Entry]":
        """Return a list with the same entries that grows independently."""
        twin: AppendOnlyList[Entry] = AppendOnlyList()
        twin.entries, twin.length = self.entries, self.length
        if self.unloaded:
            twin.unloaded, twin.read = self.unloaded, self.read
        return twin
