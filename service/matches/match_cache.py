"""Match cache: the matches in use, folded and kept in memory.

A `Timeline` that others may be reading is never changed: new decisions are added to a branch that
shares the past and replaces the timeline after a successful save. A long match is loaded from a
snapshot, so that it costs no more than a short one; earlier decisions are read on demand.
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

from domain.match import Timeline
from domain.matchfile.codec import codec_of
from projections.read_models import row_of
from projections.snapshots import Snapshots, due_indexes, resume_from_snapshot
from service.common.coalescing import Rounds
from service.matches.memory_size import Scales
from service.matches.problems import match_set_aside
from service.observability import metrics
from service.observability.spans import span
from service.store import Recorded, Store
from service.store.group_commit import Saver

_T = TypeVar("_T")
_GROWN = 16
"""Number of new decisions after which the size of a match is estimated again."""


def folded(recorded: list[Recorded]) -> Timeline:
    """Fold the decisions of a match, at least one, into a timeline."""
    rules = codec_of(recorded[0].game).rules
    return Timeline(rules, (r.decision for r in recorded))


@contextmanager
def _fit() -> Iterator[None]:
    """Turn an error of folding a match into `Fault` 409 ``match_set_aside``.

    Database and I/O errors pass through. Counting and logging is done by the read models.
    """
    try:
        yield
    except (PersistenceError, OSError):
        raise
    except Exception:
        raise match_set_aside() from None


def _fitting(call: Callable[..., _T]) -> Callable[..., _T]:
    """Wrap a call so that its errors are treated as by `_fit`."""

    def fitting(*values: Any) -> _T:
        with _fit():
            return call(*values)

    return fitting


def _recall(timeline: Timeline) -> None:
    """Read what every answer needs from before the snapshot: each seat's last move and turn.

    After an undo these may be far back. Read later, they would block the event loop.
    """
    if timeline.moments.unloaded:
        for seat in range(len(timeline.latest.seats)):
            timeline.undo_kind(seat)
            timeline.turn_start(seat)


class Table:
    """One match in memory. ``lock`` is held while decisions are added.

    ``stuck``: the version at which its bots failed; until it changes only the scheduler wakes
    them. ``kept``: the index of the decision after which its latest snapshot was made. ``weight``:
    the estimated size in bytes, ``weighed``: the number of decisions in memory at that time.
    """

    __slots__ = ("game", "id", "kept", "key", "lock", "stuck", "timeline", "weighed", "weight")

    def __init__(self, key: UUID, timeline: Timeline) -> None:
        self.key = key
        self.id = str(key)
        self.timeline = timeline
        self.game = timeline.latest.opened.game
        self.lock = asyncio.Lock()
        self.stuck = 0
        self.kept = timeline.decisions.unloaded
        self.weight = self.weighed = 0


class Tables:
    """LRU cache of matches, up to about ``most`` bytes in all; it holds at least one match."""

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
        """Return the match, loading it if necessary; None when there is no such match.

        ``fresh``: read what other workers have added meanwhile (one query). A caller about to
        write does not need it: the store refuses a version that exists.
        """
        table = self._tables.get(key)
        if table is None:
            return await self._load(key)
        self._tables.move_to_end(key)
        if table.timeline.loaded_count >= table.weighed + _GROWN:
            self._weigh(table)
        if fresh:
            await self._refresh(table)
        return table

    async def _refresh(self, table: Table) -> None:
        """Catch up with the store; with PostgreSQL, concurrent readers share one query first."""
        if not self._store.is_postgres or table.id in await self._further.ask(table):
            await self.catch_up(table)

    async def _reached(self, tables: set[Table]) -> Collection[str]:
        """Return the ids of the matches that have a higher version in the store than here."""
        known: dict[str, int] = {}
        for table in tables:
            # A match may have been evicted and loaded again, so two objects may have one id.
            known[table.id] = min(
                table.timeline.version, known.get(table.id, table.timeline.version)
            )
        return await asyncio.to_thread(self._store.reached, known)

    async def _load(self, key: UUID) -> Table | None:
        timeline = await asyncio.to_thread(self._fold, key)
        if timeline is None:
            return None
        # Another task may have loaded it meanwhile.
        return self._tables.get(key) or self.add(key, timeline)

    def _fold(self, key: UUID) -> Timeline | None:
        """Load a match from the store; runs in a thread because the match may be long."""
        with _fit(), metrics.fold_seconds.time(), span("fold", match=key):
            timeline = self._resumed(key) or self._whole(key)
            if timeline is not None:
                row_of(str(key), timeline)
                _recall(timeline)
            return timeline

    def _whole(self, key: UUID) -> Timeline | None:
        """Load a match from its first decision; None when there is no such match."""
        recorded = self._store.decisions(key)
        return folded(recorded) if recorded else None

    def _resumed(self, key: UUID) -> Timeline | None:
        """Load a match from its snapshot; None without one, or if the log contradicts it."""
        return resume_from_snapshot(self._snapshots, key, _fitting(partial(self._store.history, key)))

    def add(self, key: UUID, timeline: Timeline) -> Table:
        """Put a match into the cache, replacing an earlier object of it."""
        before = self._tables.pop(key, None)
        self._held -= before.weight if before else 0
        table = self._tables[key] = Table(key, timeline)
        self._weigh(table)
        return table

    def _weigh(self, table: Table) -> None:
        """Update the size of a match, evict others if necessary, and store due snapshots."""
        weight = self._scales.weigh(table.timeline)
        self._held += weight - table.weight
        table.weight, table.weighed = weight, table.timeline.loaded_count
        while self._held > self._most and len(self._tables) > 1:
            _, left = self._tables.popitem(last=False)
            self._held -= left.weight
        if numbers := due_indexes(table.timeline, table.kept):
            table.kept = numbers[-1]
            self._keeping.submit(self._snapshots.save, table.key, table.timeline, numbers)

    def close(self) -> None:
        """Stop the thread that stores snapshots; a snapshot in progress is completed."""
        self._keeping.shutdown(wait=True, cancel_futures=True)

    def peek(self, key: UUID) -> Timeline | None:
        """Return the timeline of a match in memory, else None; other threads may read it."""
        table = self._tables.get(key)
        return table.timeline if table else None

    async def catch_up(self, table: Table) -> None:
        """Append the decisions that the store has beyond the version in memory."""
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
