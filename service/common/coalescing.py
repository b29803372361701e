"""Coalescing of concurrent queries into one."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

_A = TypeVar("_A")
_T = TypeVar("_T")


class Coalescer(Generic[_A, _T]):
    """Helper that calls ``run`` once for the keys of several callers, one run after another.

    A run in progress may have read its data too early for a new caller, so new callers wait for the
    next run, together with all that arrive before it begins. An exception in a run is raised for
    all of its callers. ``pause_s``: minimum seconds between a run with a true result and the next
    run, so that a series of callers does not cost one run each.
    """

    def __init__(self, run: Callable[[set[_A]], Awaitable[_T]], pause_s: float = 0.0) -> None:
        self._run = run
        self._pause_s = pause_s
        self._last_hit_s = -pause_s
        self._pending_keys: set[_A] = set()
        self._current_run: asyncio.Task[_T] | None = None
        self._next_run: asyncio.Task[_T] | None = None

    async def submit(self, key: _A) -> _T:
        """Add ``key`` to the next run and return the result of that run."""
        self._pending_keys.add(key)
        if self._next_run is None:
            self._next_run = asyncio.get_running_loop().create_task(
                self._run_after(self._current_run)
            )
        # A caller that is cancelled must not cancel the run for the others.
        return await asyncio.shield(self._next_run)

    async def _run_after(self, previous: "asyncio.Task[_T] | None") -> _T:
        if previous is not None:
            await asyncio.wait([previous])
        left = self._last_hit_s + self._pause_s - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
        self._current_run, self._next_run = self._next_run, None
        keys, self._pending_keys = self._pending_keys, set()
        found = await self._run(keys)
        if found:
            self._last_hit_s = time.monotonic()
        return found
