"""Updates of the read models from the log.

The library's ``ProjectionRunner`` needs a recorder with subscriptions, which SQLite's lacks, so
this one polls the log: shortly after each save, at intervals, and before a read. Position and rows
are written in one transaction, so a crash neither loses nor duplicates anything. Each worker may
run one: if two fold the same batch, the second to write it writes nothing.

A match that cannot be folded (undecodable bytes, a removed game, numbers out of a column's range)
is set aside: counted, logged once, and left out of every list, while all others continue. It is
restored as soon as it can be folded: at a rebuild, with its next decision, or when a worker starts.

If the tables are far behind, have another layout, or are ahead of a restored log, a new generation
is built beside them (`projections.rebuild`) while they are still read.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import NamedTuple, Protocol
from uuid import UUID

from cachetools import LRUCache
from eventsourcing.persistence import IntegrityError, OperationalError, PersistenceError

from domain.match.history import Decision
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from projections import snapshots
from projections.database.postgres import LockTimeout
from projections.database.sql import is_deadlock, is_locked, lock_timeout
from projections.read_models import Generation, Quarantined, ReadModels, Retired, Row
from projections.rebuild import LogEntry, RebuildStopped, ScannableLog, fold_all, fold_row
from projections.snapshots import Snapshots, resume_from_snapshot

log = logging.getLogger("caravanserai")

_BATCH_DECISIONS = 200
_MAX_BATCH_DECISIONS = 2_000
"""Maximum number of decisions in a batch. It exceeds `_BATCH_DECISIONS` only if the decisions
belong to few matches, because each match is written only once.
"""
_CACHED_TIMELINES = 200
_MAX_READ_LAG_DECISIONS = 2_000
"""Maximum lag, in decisions, that a reader makes up itself; a larger one is left to the background
thread.
"""
_REBUILD_LAG_DECISIONS = 20_000
"""Lag, in decisions, above which building a new generation is faster than following the log."""
_MAX_LOCKED_S = 30.0
"""Seconds after which a lock held by another session counts as a failure."""


class Log(ScannableLog, Protocol):
    """The event store as the read models use it."""

    def read_entries(self, after: int, limit: int) -> Sequence[LogEntry]:
        """Return up to ``limit`` decisions of all matches after id ``after``, in saved order."""

    def newest_entry_id(self) -> int:
        """Return the id of the newest decision; 0 if there is none."""

    def history(self, match: UUID, after: int, upto: int | None = None) -> Sequence[Decision]:
        """Return a match's decisions that begin after version ``after``, up to version ``upto``."""


FindTimeline = Callable[[UUID], Timeline | None]
"""Function that returns a match's timeline if it is cached, otherwise None."""

BatchContext = Callable[[Sequence[LogEntry]], AbstractContextManager[object]]


class RefreshResult(NamedTuple):
    """Result of a refresh.

    ``is_current``: whether the tables contain everything saved before the refresh.
    ``has_written``: whether the refresh wrote to them.
    """

    is_current: bool
    has_written: bool


class Projector:
    """The component that folds the log into the read models.

    ``find_timeline`` returns timelines that are cached elsewhere. ``open_log`` opens the log in
    another process, for rebuilding from a long log. ``batch_context`` returns the context manager
    within which a batch is folded and written.
    """

    def __init__(
        self,
        log: Log,
        views: ReadModels,
        find_timeline: FindTimeline | None = None,
        open_log: Callable[[], ScannableLog] | None = None,
        batch_context: BatchContext | None = None,
    ) -> None:
        self._log = log
        self._views = views
        self._snapshots = Snapshots(views)
        self._find_timeline = find_timeline or (lambda match: None)
        self._open_log = open_log
        self._batch_context = batch_context or nullcontext
        self._timelines: LRUCache[UUID, Timeline] = LRUCache(_CACHED_TIMELINES)
        self._lock = Lock()
        self._has_retried_quarantined = False
        self._quarantined: dict[str, Quarantined] = {}

    # -- following -------------------------------------------------------------------------

    def catch_up(self, stopping: Event | None = None) -> int:
        """Follow the log to its end and return the number of decisions folded. Thread-safe.

        When it returns, everything saved before the call is in the tables, unless ``stopping`` is
        set, or a new generation is needed and another worker is building it.
        """
        stopping = stopping or Event()
        with self._lock:
            if not self._has_retried_quarantined:
                self._retry_quarantined()
                self._has_retried_quarantined = True
        generation = self._find_followable()
        if generation is None:
            return self._build_generation(stopping)
        seen = 0
        while not stopping.is_set() and (notices := self._pull(generation)):
            seen += len(notices)
        return seen

    def refresh(self, timeout_s: float) -> RefreshResult:
        """Update the tables before a read.

        Takes no lock if there is nothing to do; otherwise takes at most ``timeout_s`` seconds plus
        the time for one batch. Tables that are far behind are left as they are.
        """
        until = time.monotonic() + timeout_s
        newest = self._log.newest_entry_id()
        wrote = False
        while True:
            generation, position = self._views.position_of_live()
            behind = newest - (position or 0)
            if generation is None or not 0 < behind <= _MAX_READ_LAG_DECISIONS:
                return RefreshResult(generation is not None and behind <= 0, wrote)
            if not self._lock.acquire(timeout=_remaining_s(until)):
                return RefreshResult(False, wrote)
            try:
                # Another worker or an operator's session may hold the database lock for long.
                with lock_timeout(_remaining_s(until)):
                    wrote |= bool(self._pull_batch(generation))
            finally:
                self._lock.release()

    def count_behind(self) -> int:
        """Return the number of decisions that are not yet in the tables."""
        return max(self._log.newest_entry_id() - (self._views.position_of_live()[1] or 0), 0)

    def _find_followable(self) -> Generation | None:
        """Return the generation that can follow the log; None if a new one is needed."""
        generation, position = self._views.position_of_live()
        behind = self._log.newest_entry_id() - (position or 0)
        return generation if 0 <= behind <= _REBUILD_LAG_DECISIONS else None

    def _pull(self, generation: Generation) -> Sequence[LogEntry]:
        with self._lock:
            return self._pull_batch(generation)

    def _pull_batch(self, generation: Generation) -> Sequence[LogEntry]:
        notices = self._next_entries(self._views.position(generation) or 0)
        if notices:
            try:
                with self._batch_context(notices):
                    self._fold_batch(notices, generation)
            except Retired:
                # The next generation contains these decisions, or will.
                return []
            except OperationalError as error:
                # Its tables are being removed; the next attempt finds that it is retired.
                if not is_deadlock(error):
                    raise
        return notices

    def _next_entries(self, after: int) -> Sequence[LogEntry]:
        notices = list(self._log.read_entries(after, _BATCH_DECISIONS))
        more = notices
        while len(more) == _BATCH_DECISIONS and len(notices) < _MAX_BATCH_DECISIONS:
            if len({notice.match for notice in notices}) > _BATCH_DECISIONS // 2:
                break
            more = list(self._log.read_entries(notices[-1].id, _BATCH_DECISIONS))
            notices += more
        return notices

    def _fold_batch(self, notices: Sequence[LogEntry], generation: Generation) -> None:
        newest = {notice.match: notice for notice in notices}
        rows = [self._row(notice) for notice in newest.values()]
        # If another worker has written these, continue from its position.
        with suppress(IntegrityError):
            self._views.write(rows, notices[-1].id, generation)

    def _retry_quarantined(self) -> None:
        """Retry the matches set aside, as this version may be able to fold them."""
        for aside in self._views.list_quarantined():
            row = self._row(LogEntry(0, UUID(aside.match), aside.game, aside.version))
            if isinstance(row, Row):
                self._views.unquarantine(row)

    def _row(self, notice: LogEntry) -> Row | Quarantined:
        row = fold_row(notice, lambda: self._timeline(notice))
        self._log_quarantined(row)
        return row

    def _log_quarantined(self, row: Row | Quarantined) -> None:
        """Log a match that was set aside, once; omit the error message, as it may quote secrets."""
        if isinstance(row, Quarantined) and self._quarantined.get(row.match) != row:
            log.error(
                "match %s set aside at version %s: %s",
                *(row.match, row.version, row.reason),
                extra={"match": row.match},
            )
            self._quarantined[row.match] = row

    def _timeline(self, notice: LogEntry) -> Timeline:
        timeline = self._find_timeline(notice.match)
        if timeline is not None and timeline.version >= notice.version:
            return timeline
        kept = self._timelines.pop(notice.match, None) or self._open_timeline(notice)
        if kept.version < notice.version:
            for decision in self._log.history(notice.match, kept.version):
                kept.append(decision)
        self._timelines[notice.match] = kept
        return kept

    def _open_timeline(self, notice: LogEntry) -> Timeline:
        """Return the timeline of a long match at its latest snapshot, of any other one empty."""
        found = None
        if notice.version > snapshots.SNAPSHOT_INTERVAL:
            read = partial(self._log.history, notice.match)
            found = resume_from_snapshot(self._snapshots, notice.match, read)
        return found or Timeline(codec_of(notice.game).rules)

    # -- a new generation ------------------------------------------------------------------

    def rebuild(self) -> int:
        """Fold the whole log into new tables and switch to them; return the number of decisions.

        Returns 0 if it is stopped or another rebuild replaces it.
        """
        return self._build_generation(Event(), force=True)

    def _build_generation(self, stopping: Event, *, force: bool = False) -> int:
        builder = f"{socket.gethostname()}/{os.getpid()}"
        generation = self._views.begin(builder, force=force)
        if generation is None:
            return 0
        try:
            return self._fill(generation, stopping)
        except (Retired, RebuildStopped):
            return 0
        finally:
            # If it is unfinished, abandon it, so that the next builder need not wait.
            with suppress(PersistenceError):
                self._views.abandon(generation)

    def _fill(self, generation: Generation, stopping: Event) -> int:
        upto = self._log.newest_entry_id()
        with closing(fold_all(self._log, self._open_log, upto, stopping)) as found:
            for rows, done, whole in found:
                for row in rows:
                    self._log_quarantined(row)
                self._views.fill(generation, rows, done, whole)
        self._views.finish_filling(generation, upto)
        return upto + self._catch_up_and_switch(generation, stopping)

    def _catch_up_and_switch(self, generation: Generation, stopping: Event) -> int:
        """Follow the log until the new generation has caught up with the live one, then switch."""
        seen = 0
        while not stopping.is_set():
            notices = self._pull(generation)
            seen += len(notices)
            if not notices and self._views.switch(generation, self._log.newest_entry_id()):
                break
        return seen


def _remaining_s(until: float) -> float:
    return max(until - time.monotonic(), 0)


class Runner:
    """Background thread that updates the tables after saves and at intervals.

    It updates them ``pause_s`` seconds after `wake`, and at least every ``interval_s`` plus
    ``pause_s`` seconds. ``last_error``: the error that currently prevents updates, None if they
    succeed; they are retried after each pause. A lock held by another session counts as an error
    only after `_MAX_LOCKED_S` seconds.
    """

    def __init__(self, projector: Projector, pause_s: float = 1.0, interval_s: float = 5.0) -> None:
        self._projector = projector
        self._pause_s = pause_s
        self._interval_s = interval_s
        self._woken = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="projections", daemon=True)
        self.last_error: Exception | None = None
        self._locked_since: float | None = None

    def start(self) -> None:
        """Start the thread, which updates the tables at once."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Request an update, because something was saved."""
        self._woken.set()

    def count_behind(self) -> int:
        """Return the number of decisions that are not yet in the tables."""
        return self._projector.count_behind()

    def stop(self) -> None:
        """Stop the thread and wait for its end; unfolded decisions are folded at the next start."""
        self._stopping.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            # Continue even without a wake, as another worker may have ended before its update.
            self._woken.wait(self._interval_s)
            if self._stopping.wait(self._pause_s):
                return
            self._woken.clear()
            try:
                self._projector.catch_up(self._stopping)
                self.last_error = self._locked_since = None
            except Exception as error:
                # The tables stay as they were; the next wake or read retries.
                self._woken.set()
                if not self._is_briefly_locked(error):
                    self._record_error(error)

    def _is_briefly_locked(self, error: Exception) -> bool:
        """Return whether another session locks the tables, for less than `_MAX_LOCKED_S` so far."""
        if not (isinstance(error, LockTimeout) or is_locked(error)):
            self._locked_since = None
            return False
        now = time.monotonic()
        self._locked_since = self._locked_since or now
        return now - self._locked_since < _MAX_LOCKED_S

    def _record_error(self, error: Exception) -> None:
        if type(error) is not type(self.last_error):
            log.error("read models: %s", type(error).__name__)
        self.last_error = error
