"""Match cache: recently used matches, folded and kept in memory.

A `Timeline` that others may be reading is never changed: new decisions are added to a branch that
shares the past and replaces the timeline after a successful save. A long match is loaded from a
snapshot, so that loading costs no more than for a short one; earlier decisions are read on demand.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from projections.read_models import row_of
from projections.snapshots import Snapshots, due_indexes, resume_from_snapshot
from service.common.coalescing import Coalescer
from service.matches.problems import match_set_aside
from service.observability import metrics
from service.observability.spans import span
from service.store import Store, StoredDecision
from service.store.group_commit import GroupCommitWriter

_DECISIONS_PER_ESTIMATE = 16
"""Number of new decisions after which the size of a match is estimated again."""
_MATCH_BYTES, _DECISION_BYTES = 25_000, 1_350
"""Assumed bytes in memory of a match without its decisions, and of a decision with its moment.

One pair for all games: by `benchmarks.memory` a whole match takes 90 to 310 KB, and the estimate is
0.7 to 1.5 times that.
"""


def estimate_bytes(timeline: Timeline) -> int:
    """Return the estimated bytes of the part of a match that is in memory."""
    return _MATCH_BYTES + _DECISION_BYTES * timeline.loaded_count


def fold_decisions(stored: list[StoredDecision]) -> Timeline:
    """Return the timeline folded from all decisions of a match, of which there must be one."""
    rules = codec_of(stored[0].game).rules
    return Timeline(rules, (r.decision for r in stored))


@contextmanager
def _report_fold_errors() -> Iterator[None]:
    """Convert errors in folding a match into `ApiProblem` 409 ``match_set_aside``.

    Database and I/O errors pass through. The original error is not logged here, because the read
    models count and log matches that cannot be folded.
    """
    try:
        yield
    except (PersistenceError, OSError):
        raise
    except Exception:
        raise match_set_aside() from None


def _preload(timeline: Timeline) -> None:
    """Load each seat's last move and turn, which every response needs, from before the snapshot.

    After an undo these may be far back. Loading them later would block the event loop.
    """
    if timeline.moments.unloaded:
        for seat in range(len(timeline.latest.seats)):
            timeline.undo_kind(seat)
            timeline.turn_start(seat)


class LoadedMatch:
    """One match in memory; ``lock`` is held while decisions are added.

    ``bots_stuck_at``: the version at which the match's bots failed; until the version changes, only
    the scheduler restarts them. ``snapshot_index``: the index of the decision after which its
    latest snapshot was made. ``size_bytes``: the estimated size in bytes; ``measured_at``: the
    number of decisions in memory when the size was estimated.
    """

    __slots__ = (
        "bots_stuck_at",
        "game",
        "id",
        "key",
        "lock",
        "measured_at",
        "size_bytes",
        "snapshot_index",
        "timeline",
    )

    def __init__(self, key: UUID, timeline: Timeline) -> None:
        self.key = key
        self.id = str(key)
        self.timeline = timeline
        self.game = timeline.latest.opened.game
        self.lock = asyncio.Lock()
        self.bots_stuck_at = 0
        self.snapshot_index = timeline.decisions.unloaded
        self.size_bytes = self.measured_at = 0


class MatchCache:
    """LRU cache of matches, up to about ``max_bytes`` bytes in total but at least one match."""

    def __init__(
        self, store: Store, writer: GroupCommitWriter, snapshots: Snapshots, max_bytes: int
    ) -> None:
        self._store = store
        self._writer = writer
        self._snapshots = snapshots
        self._newer_versions: Coalescer[LoadedMatch, Collection[str]] = Coalescer(self._find_newer)
        self._snapshot_thread = ThreadPoolExecutor(1, "snapshots")
        self._max_bytes = max_bytes
        self._size_bytes = 0
        self._matches: OrderedDict[UUID, LoadedMatch] = OrderedDict()

    async def find(self, key: UUID, *, fresh: bool) -> LoadedMatch | None:
        """Return a match, loading it if necessary; None if there is no such match.

        ``fresh``: whether to load decisions that other workers have added meanwhile, which costs a
        query. A caller about to write need not do so, because the store rejects a version that
        exists already. Raises `ApiProblem` 409 ``match_set_aside`` if the match cannot be folded.
        """
        table = self._matches.get(key)
        if table is None:
            return await self._load(key)
        self._matches.move_to_end(key)
        if table.timeline.loaded_count >= table.measured_at + _DECISIONS_PER_ESTIMATE:
            self._update_size(table)
        if fresh:
            await self._refresh(table)
        return table

    async def _refresh(self, match: LoadedMatch) -> None:
        """Load missing decisions from the store.

        With PostgreSQL, concurrent callers first share one query for the matches that have any.
        """
        if not self._store.is_postgres or match.id in await self._newer_versions.submit(match):
            await self.catch_up(match)

    async def _find_newer(self, matches: set[LoadedMatch]) -> Collection[str]:
        """Return the ids of the matches that have a higher version in the store than in memory."""
        known: dict[str, int] = {}
        for table in matches:
            # A match may have been evicted and loaded again, so two objects may have one id.
            known[table.id] = min(
                table.timeline.version, known.get(table.id, table.timeline.version)
            )
        return await asyncio.to_thread(self._store.newer_versions, known)

    async def _load(self, key: UUID) -> LoadedMatch | None:
        timeline = await asyncio.to_thread(self._fold, key)
        if timeline is None:
            return None
        # Another task may have loaded the match meanwhile.
        return self._matches.get(key) or self.add(key, timeline)

    def _fold(self, key: UUID) -> Timeline | None:
        """Load a match from the store; None if there is no such match.

        Must run in a thread, because the match may be long.
        """
        with _report_fold_errors(), metrics.fold_seconds.time(), span("fold", match=key):
            timeline = self._load_from_snapshot(key) or self._load_whole(key)
            if timeline is not None:
                row_of(str(key), timeline)
                _preload(timeline)
            return timeline

    def _load_whole(self, key: UUID) -> Timeline | None:
        """Load a match from its first decision on; None if there is no such match."""
        recorded = self._store.decisions(key)
        return fold_decisions(recorded) if recorded else None

    def _load_from_snapshot(self, key: UUID) -> Timeline | None:
        """Load a match from its snapshot; None if there is none or it contradicts the log."""
        load_history = _report_fold_errors()(partial(self._store.history, key))
        return resume_from_snapshot(self._snapshots, key, load_history)

    def add(self, key: UUID, timeline: Timeline) -> LoadedMatch:
        """Put a match into the cache, replacing an earlier entry, and return the new entry."""
        before = self._matches.pop(key, None)
        self._size_bytes -= before.size_bytes if before else 0
        table = self._matches[key] = LoadedMatch(key, timeline)
        self._update_size(table)
        return table

    def _update_size(self, match: LoadedMatch) -> None:
        """Update a match's size, evict the least recently used matches, store due snapshots."""
        weight = estimate_bytes(match.timeline)
        self._size_bytes += weight - match.size_bytes
        match.size_bytes, match.measured_at = weight, match.timeline.loaded_count
        while self._size_bytes > self._max_bytes and len(self._matches) > 1:
            _, left = self._matches.popitem(last=False)
            self._size_bytes -= left.size_bytes
        if numbers := due_indexes(match.timeline, match.snapshot_index):
            match.snapshot_index = numbers[-1]
            self._snapshot_thread.submit(self._snapshots.save, match.key, match.timeline, numbers)

    def close(self) -> None:
        """Stop the thread that stores snapshots; a snapshot in progress is completed."""
        self._snapshot_thread.shutdown(wait=True, cancel_futures=True)

    def peek(self, key: UUID) -> Timeline | None:
        """Return a match's timeline if it is in the cache, otherwise None.

        Safe to call from other threads.
        """
        table = self._matches.get(key)
        return table.timeline if table else None

    async def catch_up(self, match: LoadedMatch) -> None:
        """Append the decisions that the store has beyond the version in memory.

        Raises `ApiProblem` 409 ``match_set_aside`` if they cannot be folded.
        """
        version = match.timeline.version
        with _report_fold_errors():
            recorded = await self._writer.run(self._store.decisions, match.key, version)
        new = [r.decision for r in recorded if r.decision.version == match.timeline.version + 1]
        if not new:
            return
        branch = match.timeline.branch()
        with _report_fold_errors():
            for r in recorded:
                if r.decision.version > branch.version:
                    branch.append(r.decision)
            row_of(match.id, branch)
        match.timeline = branch
