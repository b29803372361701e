"""Group commit: saving the decisions of several requests in one transaction.

Requests that arrive close together are written in one transaction, so that they share the cost of
a commit. With SQLite a small group is written in the event loop, since that takes less time than
handing it to a thread. A large group, or any group with PostgreSQL, is written in a thread, and
requests that arrive meanwhile form the next group.

If another process holds the lock of the SQLite file, the event loop waits only
`_LOOP_LOCK_TIMEOUT_S` seconds; a separate thread waits for the rest, so that reads are served
meanwhile. Commits also wait for the disk: after a database call that took `_SLOW_CALL_S` seconds,
all calls of the next `_THREAD_PERIOD_S` seconds run in threads.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from projections.database.postgres import DatabaseUnavailable
from projections.database.sql import is_locked, lock_timeout
from service.common.clock import now_ms
from service.observability import metrics
from service.observability.spans import span
from service.store import Receipt, Store, StoredDecision, VersionConflict

_T = TypeVar("_T")
_MAX_GROUP = 64
"""Maximum number of requests in one group."""
_MAX_INLINE_DECISIONS = 500
"""Number of decisions above which a group is always written in a thread."""
_GATHER_ITERATIONS = 8
"""Event-loop iterations (some microseconds each) without a new request after which a group is
written; a request needs about as many from the socket to this module."""

_LOOP_LOCK_TIMEOUT_S = 0.05
"""Seconds for which the event loop waits for a lock; it does not wait while a thread does."""
_LOCK_TIMEOUT_S = 5.0
"""Seconds after which waiting for a lock fails."""
_LOCK_RETRY_S = 0.02
"""Seconds between two attempts to get the lock."""
_SLOW_CALL_S = 0.1
"""Duration in seconds from which a database call in the event loop counts as slow."""
_THREAD_PERIOD_S = 1.0
"""Seconds for which database calls run in threads after a slow one, in whichever of both it ran."""
_LOCK_THREADS = 4
"""Number of threads that wait for a lock or a slow disk, separate from the threads for reads."""


class _Write(Struct):
    """A request that waits to be saved; ``future`` is resolved once it is saved or has failed."""

    decisions: list[StoredDecision]
    receipts: list[Receipt]
    alongside: Any
    future: "asyncio.Future[None]"


class GroupCommitWriter:
    """The writer that saves all decisions in the store, by group commit.

    ``on_saved``: called after each group, even if it failed; ``notification_delay_s``: seconds
    until notifications are due, so that a move that is undone or followed by another one in that
    time causes no notification.
    """

    def __init__(
        self, store: Store, on_saved: Callable[[], None], notification_delay_s: float = 0.0
    ) -> None:
        self._store = store
        self._on_saved = on_saved
        self._notification_delay_ms = int(notification_delay_s * 1000)
        self._waiting: list[_Write] = []
        self._is_draining = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting_threads = 0
        self._threads_until_s = 0.0
        self.is_failing = False
        """Whether the last save failed because of the database: unavailable, locked or full."""
        self._threads = ThreadPoolExecutor(_LOCK_THREADS, "locked")

    def close(self) -> None:
        """Shut down the threads: cancel calls that have not started and wait for the others."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def run(self, call: Callable[..., _T], *values: Any) -> _T:
        """Run a database call in the event loop or a thread, whichever delays other work less."""
        if self._store.is_postgres:
            return await asyncio.to_thread(call, *values)
        if time.monotonic() < self._threads_until_s:
            return await self._run_after_lock(call, *values)
        try:
            with lock_timeout(0 if self._waiting_threads else _LOOP_LOCK_TIMEOUT_S):
                return self._timed(call, *values)
        except Exception as error:
            if not is_locked(error):
                raise
        return await self._run_after_lock(call, *values)

    def _timed(self, call: Callable[..., _T], *values: Any) -> _T:
        """Run a database call; if it is slow, the next ones run in threads."""
        began = time.monotonic()
        try:
            return call(*values)
        finally:
            if time.monotonic() - began >= _SLOW_CALL_S:
                self._threads_until_s = time.monotonic() + _THREAD_PERIOD_S

    async def _run_after_lock(self, call: Callable[..., _T], *values: Any) -> _T:
        """Run a call in a thread, retrying while the file is locked, for up to `_LOCK_TIMEOUT_S`
        seconds.

        Raises the error of the last attempt.
        """
        until = time.monotonic() + _LOCK_TIMEOUT_S

        def late() -> _T:
            # Do not block on the lock: only one thread can write at a time, and the event loop
            # must be able to do so at any moment.
            with lock_timeout(0):
                while True:
                    try:
                        return self._timed(call, *values)
                    except Exception as error:
                        if not is_locked(error) or time.monotonic() >= until:
                            raise
                    time.sleep(_LOCK_RETRY_S)

        self._waiting_threads += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, late)
        finally:
            self._waiting_threads -= 1

    async def save(
        self, decisions: list[StoredDecision], receipt: Receipt | None = None, alongside: Any = None
    ) -> None:
        """Save decisions durably, all or none.

        ``receipt``: saved in the same transaction; ``alongside``: further data for the same
        transaction, which is passed to the store with the current time and the time when
        notifications are due. Raises `VersionConflict` on a version conflict, or the error of the
        database.
        """
        loop = asyncio.get_running_loop()
        write = _Write(decisions, [receipt] if receipt else [], alongside, loop.create_future())
        self._waiting.append(write)
        if not self._is_draining:
            self._is_draining = True
            task = loop.create_task(self._write_waiting())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        with span("save", match=decisions[0].originator_id if decisions else "-"):
            await write.future

    async def _write_waiting(self) -> None:
        while self._waiting:
            await self._collect_batch()
            group, self._waiting = self._waiting[:_MAX_GROUP], self._waiting[_MAX_GROUP:]
            results = await self._write_group(group)
            for write, error in zip(group, results, strict=True):
                if write.future.cancelled():
                    continue
                if error is None:
                    write.future.set_result(None)
                else:
                    write.future.set_exception(error)
            self._on_saved()
        self._is_draining = False

    async def _write_group(self, group: list[_Write]) -> list[Exception | None]:
        try:
            if sum(len(write.decisions) for write in group) > _MAX_INLINE_DECISIONS:
                # For a whole imported match a thread is worth its cost.
                return await self._run_after_lock(self._try_group, group)
            return await self.run(self._try_group, group)
        except Exception as error:
            self._note_database_error(error)
            return [error] * len(group)

    async def _collect_batch(self) -> None:
        """Wait until the group is full or no request arrives for `_GATHER_ITERATIONS` iterations.

        These are iterations of the event loop.
        """
        turns = 0
        while turns < _GATHER_ITERATIONS and len(self._waiting) < _MAX_GROUP:
            known = len(self._waiting)
            await asyncio.sleep(0)
            turns = turns + 1 if len(self._waiting) == known else 0

    def _try_group(self, group: list[_Write]) -> list[Exception | None]:
        """Write a group; return for each request its error, or None if it was saved.

        Raises if the database is locked or unavailable. Then nothing is saved, and the requests are
        not tried one by one, since each attempt would take as long.
        """
        try:
            self._store_group(group)
        except Exception as error:
            if is_locked(error) or isinstance(error, DatabaseUnavailable):
                raise
            if len(group) == 1:
                return [self._count_error(error)]
            # One request made the whole transaction fail: retry each in its own transaction.
            return [self._write_one(write) for write in group]
        return [None] * len(group)

    def _write_one(self, write: _Write) -> Exception | None:
        try:
            self._store_group([write])
        except Exception as error:
            return self._count_error(error)
        return None

    def _store_group(self, group: list[_Write]) -> None:
        recorded = [r for write in group for r in write.decisions]
        receipts = [r for write in group for r in write.receipts]
        now = now_ms()
        due = now + self._notification_delay_ms
        alongside = [(write.alongside, now, due) for write in group if write.alongside]
        began = time.perf_counter()
        self._store.save_decisions(recorded, receipts, alongside)
        self.is_failing = False
        metrics.save_seconds.observe(time.perf_counter() - began)

    def _count_error(self, error: Exception) -> Exception:
        """Count a conflict or database error in the metrics and return the error."""
        if isinstance(error, VersionConflict):
            metrics.conflict_count.inc()
        else:
            self._note_database_error(error)
        return error

    def _note_database_error(self, error: Exception) -> None:
        if isinstance(error, (PersistenceError, sqlite3.Error)):
            self.is_failing = True
            metrics.save_failure_count.inc()
