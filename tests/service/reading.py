"""Counts how many decisions of a match are read on the event loop and off it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from domain.match.append_only import AppendOnlyList
from service.store import Store


class Counted:
    """Counters of decisions read.

    ``here``: decisions, and moments after them, read on the event loop; ``away``: in other threads;
    ``log``: those read from the log on the event loop.
    """

    here = away = log = 0

    def note(self, number: int) -> None:
        if _on_loop():
            self.here += number
        else:
            self.away += number


def _on_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    """Count while the block runs."""
    found = Counted()
    one, tail, history = AppendOnlyList.__getitem__, AppendOnlyList.tail, Store.history

    def counted_one(self: Any, index: int) -> Any:
        found.note(1)
        return one(self, index)

    def counted_tail(self: Any, first: int) -> Any:
        entries = tail(self, first)
        found.note(len(entries))
        return entries

    def counted_history(self: Any, *values: Any) -> Any:
        decisions = history(self, *values)
        found.log += len(decisions) if _on_loop() else 0
        return decisions

    with monkeypatch.context() as patch:
        patch.setattr(AppendOnlyList, "__getitem__", counted_one)
        patch.setattr(AppendOnlyList, "tail", counted_tail)
        patch.setattr(Store, "history", counted_history)
        yield found
