"""Saves decisions, many at once.

Requests that arrive close together are written in one transaction (group commit), so that the
price of a commit is shared. With SQLite a small write happens in the event loop: it is shorter
than handing it to a thread would take. With PostgreSQL, or when it is large, it happens in a
thread, and what arrives meanwhile makes up the next group.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from service.store import Receipt, Recorded, Store

_T = TypeVar("_T")
_GROUP = 64
_MANY = 500
"""Decisions in one group that are written away from the event loop, whatever the database."""
_PATIENCE = 8
"""Turns of the event loop (some microseconds each) a request takes to get from socket to here."""


class _Write(Struct):
    recorded: list[Recorded]
    receipts: list[Receipt]
    done: "asyncio.Future[None]"


class Saver:
    """The one way decisions get into the store."""

    def __init__(self, store: Store, saved: Callable[[], None]) -> None:
        self._store = store
        self._saved = saved
        self._waiting: list[_Write] = []
        self._busy = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def io(self, call: Callable[..., _T], *values: Any) -> _T:
        """Runs a call to the database where it does the least harm."""
        if self._store.is_postgres:
            return await asyncio.to_thread(call, *values)
        return call(*values)

    async def save(self, recorded: list[Recorded], receipt: Receipt | None = None) -> None:
        """Returns when all of it is durable; raises `Taken` when none of it is."""
        loop = asyncio.get_running_loop()
        write = _Write(recorded, [receipt] if receipt else [], loop.create_future())
        self._waiting.append(write)
        if not self._busy:
            self._busy = True
            task = loop.create_task(self._drain())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await write.done

    async def _drain(self) -> None:
        while self._waiting:
            await self._gather()
            group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
            if sum(len(write.recorded) for write in group) > _MANY:
                # A whole match that came in a file takes longer than handing it to a thread.
                results = await asyncio.to_thread(self._write, group)
            else:
                results = await self.io(self._write, group)
            for write, error in zip(group, results, strict=True):
                if write.done.cancelled():
                    continue
                if error is None:
                    write.done.set_result(None)
                else:
                    write.done.set_exception(error)
            self._saved()
        self._busy = False

    async def _gather(self) -> None:
        """Waits while others join in: as long as some do every few turns of the event loop."""
        turns = 0
        while turns < _PATIENCE and len(self._waiting) < _GROUP:
            known = len(self._waiting)
            await asyncio.sleep(0)
            turns = turns + 1 if len(self._waiting) == known else 0

    def _write(self, group: list[_Write]) -> list[Exception | None]:
        if len(group) > 1:
            try:
                self._put(group)
            except Exception:
                # One of them spoils it for all; below each gets its own transaction.
                pass
            else:
                return [None] * len(group)
        return [self._write_one(write) for write in group]

    def _write_one(self, write: _Write) -> Exception | None:
        try:
            self._put([write])
        except Exception as error:
            return error
        return None

    def _put(self, group: list[_Write]) -> None:
        recorded = [r for write in group for r in write.recorded]
        receipts = [r for write in group for r in write.receipts]
        self._store.put(recorded, receipts)
