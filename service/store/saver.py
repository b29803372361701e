"""Saves decisions, many at once.

Requests that arrive close together are written in one transaction (group commit), so that the
price of a commit is shared. With SQLite a small write happens in the event loop: it is shorter
than handing it to a thread would take. With PostgreSQL, or when it is large, it happens in a
thread, and what arrives meanwhile makes up the next group.

Where another process holds the lock of an SQLite file, the event loop waits for a moment only; a
thread of its own waits for the rest, so that those who read are answered meanwhile. Each commit
waits for the disk, too: after a slow one, those of the next seconds are made in a thread. Not
always: that cost a fifth of the commands or more on a quick disk.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from projections.postgres import Away
from projections.sql import is_locked, patient
from service.base.now import clock
from service.notices.told import NOTHING, Told
from service.seeing import meters
from service.seeing.spans import span
from service.store import Receipt, Recorded, Store, Taken

_T = TypeVar("_T")
_GROUP = 64
_MANY = 500
"""Decisions in one group that are written away from the event loop, whatever the database."""
_PATIENCE = 8
"""Turns of the event loop (some microseconds each) a request takes to get from socket to here."""

_MOMENT = 0.05
"""Seconds for which the event loop waits for a lock; not again while it is known to be held."""
_LOCKED = 5.0
"""Seconds after which a lock that somebody holds is too much."""
_PAUSE = 0.02
"""Seconds between two tries."""
_SLOW = 0.1
"""Seconds after which what the event loop asked of the database was slow."""
_REST, _LONGEST_REST = 5.0, 60.0
"""Seconds for which threads ask it then: twice as many each time that it is still slow."""
_WAITING = 4
"""Threads that wait for a lock or a slow disk. They are apart from those in which others read."""


class _Write(Struct):
    recorded: list[Recorded]
    receipts: list[Receipt]
    told: Told
    done: "asyncio.Future[None]"


class Saver:
    """The one way decisions get into the store. ``notice_delay``: seconds for which what people
    are to hear rests, so that who plays on or takes a move back disturbs nobody."""

    def __init__(self, store: Store, saved: Callable[[], None], notice_delay: float = 0.0) -> None:
        self._store = store
        self._saved = saved
        self._notice_delay = int(notice_delay * 1000)
        self._waiting: list[_Write] = []
        self._busy = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._late = 0
        self._rest = _REST
        self._slow_until = 0.0
        self.failing = False
        """Whether the last save was refused by the database: it is away, locked or full."""
        self._threads = ThreadPoolExecutor(_WAITING, "locked")

    def close(self) -> None:
        """What still waits for a lock is given up."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def io(self, call: Callable[..., _T], *values: Any) -> _T:
        """Runs a call to the database where it does the least harm."""
        if self._store.is_postgres:
            return await asyncio.to_thread(call, *values)
        if time.monotonic() < self._slow_until:
            return await self._waited(call, *values)
        try:
            with self._timed(), patient(0 if self._late else _MOMENT):
                return call(*values)
        except Exception as error:
            if not is_locked(error):
                raise
        return await self._waited(call, *values)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Notes how long the event loop was kept."""
        began = time.monotonic()
        yield
        ended = time.monotonic()
        if ended - began < _SLOW:
            self._rest = _REST
        else:
            self._slow_until = ended + self._rest
            self._rest = min(2 * self._rest, _LONGEST_REST)

    async def _waited(self, call: Callable[..., _T], *values: Any) -> _T:
        """Runs a call once the lock is free; as it fails when it is not."""
        until = time.monotonic() + _LOCKED

        def late() -> _T:
            # One thread writes at a time, and the event loop is to be that one at any moment.
            with patient(0):
                while True:
                    try:
                        return call(*values)
                    except Exception as error:
                        if not is_locked(error) or time.monotonic() >= until:
                            raise
                    time.sleep(_PAUSE)

        self._late += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, late)
        finally:
            self._late -= 1

    async def save(
        self, recorded: list[Recorded], receipt: Receipt | None = None, told: Told = NOTHING
    ) -> None:
        """Returns when all of it is durable; raises `Taken` when none of it is.

        ``told``: what people are to hear of it.
        """
        loop = asyncio.get_running_loop()
        write = _Write(recorded, [receipt] if receipt else [], told, loop.create_future())
        self._waiting.append(write)
        if not self._busy:
            self._busy = True
            task = loop.create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        with span("save", match=recorded[0].originator_id if recorded else "-"):
            await write.done

    async def _drain(self) -> None:
        while self._waiting:
            await self._gather()
            group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
            results = await self._written(group)
            for write, error in zip(group, results, strict=True):
                if write.done.cancelled():
                    continue
                if error is None:
                    write.done.set_result(None)
                else:
                    write.done.set_exception(error)
            self._saved()
        self._busy = False

    async def _written(self, group: list[_Write]) -> list[Exception | None]:
        try:
            if sum(len(write.recorded) for write in group) > _MANY:
                # A whole match that came in a file takes longer than handing it to a thread.
                return await self._waited(self._write, group)
            return await self.io(self._write, group)
        except Exception as error:
            self._note(error)
            return [error] * len(group)

    async def _gather(self) -> None:
        """Waits while others join in: as long as some do every few turns of the event loop."""
        turns = 0
        while turns < _PATIENCE and len(self._waiting) < _GROUP:
            known = len(self._waiting)
            await asyncio.sleep(0)
            turns = turns + 1 if len(self._waiting) == known else 0

    def _write(self, group: list[_Write]) -> list[Exception | None]:
        """What became of each. Raises when the database is locked or away: then nothing of any is
        saved, and none is tried by itself, which would take as long each time."""
        try:
            self._put(group)
        except Exception as error:
            if is_locked(error) or isinstance(error, Away):
                raise
            if len(group) == 1:
                return [self._counted(error)]
            # One of them spoils it for all; now each gets its own transaction.
            return [self._write_one(write) for write in group]
        return [None] * len(group)

    def _write_one(self, write: _Write) -> Exception | None:
        try:
            self._put([write])
        except Exception as error:
            return self._counted(error)
        return None

    def _put(self, group: list[_Write]) -> None:
        recorded = [r for write in group for r in write.recorded]
        receipts = [r for write in group for r in write.receipts]
        now = clock()
        told = [(write.told, now, now + self._notice_delay) for write in group if write.told]
        began = time.perf_counter()
        self._store.put(recorded, receipts, told)
        self.failing = False
        meters.save_seconds.observe(time.perf_counter() - began)

    def _counted(self, error: Exception) -> Exception:
        """The error, once metrics know when somebody else was quicker, or of the database."""
        if isinstance(error, Taken):
            meters.conflicts.inc()
        else:
            self._note(error)
        return error

    def _note(self, error: Exception) -> None:
        if isinstance(error, (PersistenceError, sqlite3.Error)):
            self.failing = True
            meters.save_failures.inc()
