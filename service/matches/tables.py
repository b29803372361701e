"""The matches that are in use, folded and kept in memory.

A `Timeline` that others may be reading is never changed: growing makes a branch that shares
everything and takes its place after a successful save.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from domain.codec import codec_of
from domain.match import Timeline
from projections.views import row_of
from service.matches.problems import match_set_aside
from service.store import Recorded, Store
from service.store.saver import Saver

_DECISIONS = 250_000
"""Decisions of all tables in memory together, some 300 MB: one match may have many thousands."""


def folded(recorded: list[Recorded]) -> Timeline:
    """The timeline of a match's decisions; there is at least one."""
    rules = codec_of(recorded[0].game).rules
    return Timeline(rules, (r.decision for r in recorded))


@contextmanager
def _fit() -> Iterator[None]:
    """What is wrong with a match becomes a clear answer; the read models count and log it."""
    try:
        yield
    except (PersistenceError, OSError):
        raise
    except Exception:
        raise match_set_aside() from None


class Table:
    """One match in memory. ``lock`` is held while something is added to it.

    ``stuck``: the version at which its bots could not go on; then only the clock wakes them.
    """

    __slots__ = ("game", "id", "key", "lock", "stuck", "timeline")

    def __init__(self, key: UUID, timeline: Timeline) -> None:
        self.key = key
        self.id = str(key)
        self.timeline = timeline
        self.game = timeline.now.opened.game
        self.lock = asyncio.Lock()
        self.stuck = 0


class Tables:
    """At most ``size`` tables, and ``decisions`` in all of them; the longest unused leave first."""

    def __init__(self, store: Store, saver: Saver, size: int, decisions: int = _DECISIONS) -> None:
        self._store = store
        self._saver = saver
        self._size = size
        self._decisions = decisions
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
        timeline = await asyncio.to_thread(self._fold, key)
        if timeline is None:
            return None
        # Somebody else may have loaded it while this one waited.
        return self._tables.get(key) or self.add(key, timeline)

    def _fold(self, key: UUID) -> Timeline | None:
        """A match from the store, away from the event loop: it may be a long one."""
        with _fit():
            recorded = self._store.decisions(key)
            if not recorded:
                return None
            timeline = folded(recorded)
            row_of(str(key), timeline)
            return timeline

    def add(self, key: UUID, timeline: Timeline) -> Table:
        """Remembers a table."""
        table = self._tables[key] = Table(key, timeline)
        # A thousand of the longest would take 25 GB.
        held = sum(len(each.timeline.decisions) for each in self._tables.values())
        while len(self._tables) > 1 and (len(self._tables) > self._size or held > self._decisions):
            _, left = self._tables.popitem(last=False)
            held -= len(left.timeline.decisions)
        return table

    def peek(self, key: UUID) -> Timeline | None:
        """The timeline of a match that is in memory, for other threads to read."""
        table = self._tables.get(key)
        return table.timeline if table else None

    async def catch_up(self, table: Table) -> None:
        """Adds what the store holds beyond the table's version."""
        version = table.timeline.version
        with _fit():
            recorded = await self._saver.io(self._store.decisions, table.key, version)
        new = [r.decision for r in recorded if r.decision.version == table.timeline.version + 1]
        if not new:
            return
        twin = table.timeline.branch()
        with _fit():
            for r in recorded:
                if r.decision.version > twin.version:
                    twin.append(r.decision)
            row_of(table.id, twin)
        table.timeline = twin
