"""The matches that are in use, folded and kept in memory.

A `Timeline` that others may be reading is never changed: growing makes a branch that shares
everything and takes its place after a successful save.
"""

import asyncio
from collections import OrderedDict
from uuid import UUID

from domain.codec import codec_of
from domain.match import Timeline
from service.saver import Saver
from service.store import Recorded, Store


def branch(timeline: Timeline) -> Timeline:
    """A timeline with the same past that can grow without touching this one."""
    twin = Timeline(timeline.rules)
    twin.decisions = timeline.decisions.copy()
    twin.moments = timeline.moments.copy()
    twin._ends = timeline._ends.copy()
    return twin


def folded(recorded: list[Recorded]) -> Timeline:
    """The timeline of a match's decisions; there is at least one."""
    rules = codec_of(recorded[0].game).rules
    return Timeline(rules, (r.decision for r in recorded))


class Table:
    """One match in memory. ``lock`` is held while something is added to it."""

    __slots__ = ("game", "id", "key", "lock", "timeline")

    def __init__(self, key: UUID, timeline: Timeline) -> None:
        self.key = key
        self.id = str(key)
        self.timeline = timeline
        self.game = timeline.now.opened.game
        self.lock = asyncio.Lock()


class Tables:
    """At most ``size`` tables, the longest unused leave first."""

    def __init__(self, store: Store, saver: Saver, size: int) -> None:
        self._store = store
        self._saver = saver
        self._size = size
        self._tables: OrderedDict[UUID, Table] = OrderedDict()

    async def find(self, key: UUID, *, fresh: bool) -> Table | None:
        """The table of a match, or None when there is no such match.

        ``fresh``: ask the store for what other workers have added meanwhile (one query). Who is
        about to write need not: the store refuses a version that exists.
        """
        table = self._tables.get(key)
        if table is None:
            return await self._load(key)
        self._tables.move_to_end(key)
        if fresh:
            await self.catch_up(table)
        return table

    async def _load(self, key: UUID) -> Table | None:
        recorded = await self._saver.io(self._store.decisions, key)
        if not recorded:
            return None
        # Somebody else may have loaded it while this one waited.
        return self._tables.get(key) or self.add(key, folded(recorded))

    def add(self, key: UUID, timeline: Timeline) -> Table:
        """Remembers a table."""
        table = self._tables[key] = Table(key, timeline)
        while len(self._tables) > self._size:
            self._tables.popitem(last=False)
        return table

    def peek(self, key: UUID) -> Timeline | None:
        """The timeline of a match that is in memory, for other threads to read."""
        table = self._tables.get(key)
        return table.timeline if table else None

    async def catch_up(self, table: Table) -> None:
        """Adds what the store holds beyond the table's version."""
        recorded = await self._saver.io(self._store.decisions, table.key, table.timeline.version)
        new = [r.decision for r in recorded if r.decision.version == table.timeline.version + 1]
        if not new:
            return
        twin = branch(table.timeline)
        for r in recorded:
            if r.decision.version > twin.version:
                twin.append(r.decision)
        table.timeline = twin
