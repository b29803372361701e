"""The matches that are in use, folded and kept in memory.

A `Timeline` that others may be reading is never changed: growing makes a branch that shares
everything and takes its place after a successful save. A long match is opened from a snapshot,
so that it costs no more than a short one; what lies before is read when it is asked for.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from domain.codec import codec_of
from domain.match import Timeline
from projections.snapshots import Snapshots, due, resumed
from projections.views import row_of
from service.base.rounds import Rounds
from service.matches.problems import match_set_aside
from service.matches.weight import Scales
from service.seeing import meters
from service.seeing.spans import span
from service.store import Recorded, Store
from service.store.saver import Saver

_T = TypeVar("_T")
_GROWN = 16
"""Decisions by which a match has grown when it is weighed anew."""


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


def _fitting(call: Callable[..., _T]) -> Callable[..., _T]:
    """The call, of which the same is told."""

    def fitting(*values: Any) -> _T:
        with _fit():
            return call(*values)

    return fitting


def _recall(timeline: Timeline) -> None:
    """Reads what every answer tells of, if it lies before the snapshot: where one's last move was,
    which may be long ago after a take-back. Later it would be read on the event loop."""
    if timeline.moments.away:
        for seat in range(len(timeline.now.seats)):
            timeline.undo_kind(seat)
            timeline.turn_start(seat)


class Table:
    """One match in memory. ``lock`` is held while something is added to it.

    ``stuck``: the version at which its bots could not go on; then only the clock wakes them.
    ``kept``: the index of the decision after which its snapshot was made.
    """

    __slots__ = ("game", "id", "kept", "key", "lock", "stuck", "timeline", "weighed", "weight")

    def __init__(self, key: UUID, timeline: Timeline) -> None:
        self.key = key
        self.id = str(key)
        self.timeline = timeline
        self.game = timeline.now.opened.game
        self.lock = asyncio.Lock()
        self.stuck = 0
        self.kept = timeline.decisions.away
        self.weight = self.weighed = 0


class Tables:
    """Tables of about ``most`` bytes in all, one at least; the longest unused leave first."""

    def __init__(self, store: Store, saver: Saver, snapshots: Snapshots, most: int) -> None:
        self._store = store
        self._saver = saver
        self._snapshots = snapshots
        self._further: Rounds[Table, Collection[str]] = Rounds(self._reached)
        self._keeping = ThreadPoolExecutor(1, "snapshots")
        self._most = most
        self._held = 0
        self._scales = Scales()
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
        if table.timeline.held >= table.weighed + _GROWN:
            self._weigh(table)
        if fresh:
            await self._refresh(table)
        return table

    async def _refresh(self, table: Table) -> None:
        """Catches up; with PostgreSQL many who look ask together whether there is anything."""
        if not self._store.is_postgres or table.id in await self._further.ask(table):
            await self.catch_up(table)

    async def _reached(self, tables: set[Table]) -> Collection[str]:
        """The ids of the matches that have come further in the store than here."""
        known: dict[str, int] = {}
        for table in tables:
            # A table may have left the memory, and another of the match come.
            known[table.id] = min(
                table.timeline.version, known.get(table.id, table.timeline.version)
            )
        return await asyncio.to_thread(self._store.reached, known)

    async def _load(self, key: UUID) -> Table | None:
        timeline = await asyncio.to_thread(self._fold, key)
        if timeline is None:
            return None
        # Somebody else may have loaded it while this one waited.
        return self._tables.get(key) or self.add(key, timeline)

    def _fold(self, key: UUID) -> Timeline | None:
        """A match from the store, away from the event loop: it may be a long one."""
        with _fit(), meters.fold_seconds.time(), span("fold", match=key):
            timeline = self._resumed(key) or self._whole(key)
            if timeline is not None:
                row_of(str(key), timeline)
                _recall(timeline)
            return timeline

    def _whole(self, key: UUID) -> Timeline | None:
        """All decisions from the first on."""
        recorded = self._store.decisions(key)
        return folded(recorded) if recorded else None

    def _resumed(self, key: UUID) -> Timeline | None:
        """A match from its snapshot; None where there is none, or none that the log bears out."""
        return resumed(self._snapshots, key, _fitting(partial(self._store.history, key)))

    def add(self, key: UUID, timeline: Timeline) -> Table:
        """Remembers a table."""
        before = self._tables.pop(key, None)
        self._held -= before.weight if before else 0
        table = self._tables[key] = Table(key, timeline)
        self._weigh(table)
        return table

    def _weigh(self, table: Table) -> None:
        """Notes what a table weighs by now, and lets others go if that is too much."""
        weight = self._scales.weigh(table.timeline)
        self._held += weight - table.weight
        table.weight, table.weighed = weight, table.timeline.held
        while self._held > self._most and len(self._tables) > 1:
            _, left = self._tables.popitem(last=False)
            self._held -= left.weight
        if numbers := due(table.timeline, table.kept):
            table.kept = numbers[-1]
            self._keeping.submit(self._snapshots.keep, table.key, table.timeline, numbers)

    def close(self) -> None:
        """Ends the making of snapshots."""
        self._keeping.shutdown(wait=True, cancel_futures=True)

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
