"""Persistence of the trusted wall clock, so that a new worker detects an earlier clock jump.

A worker detects jumps of the wall clock only while it runs (`service.common.clock`). Without this
module, a worker started right after a jump would trust the new time at once, and all seats would
run out of time. A machine also has a clock that counts from boot, cannot be set and continues
during sleep. The difference between the two clocks is stored and checked when a worker starts.
Jumps before the last boot cannot be detected: the machine may have been off for that long.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from service.common.clock import JumpTolerantClock, system_clock
from service.store.store import Store

log = logging.getLogger("caravanserai")

_BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")
_SAVE_INTERVAL_S = 60.0
"""Seconds between two attempts to store the difference between the clocks."""
_MIN_CHANGE_MS = 1_000
"""Milliseconds by which the difference must change to be stored again."""

ReadBootTime = Callable[[], tuple[str, int] | None]
"""Function that returns the id of the last boot and the milliseconds since it, or None if the
system does not provide them."""


def read_boot_time() -> tuple[str, int] | None:
    """Return the id of the last boot and the milliseconds since it; None except on Linux."""
    try:
        boot = _BOOT_ID_FILE.read_text().strip()
        return boot, time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    except (OSError, AttributeError):
        return None


def restore_clock(
    store: Store, clock: JumpTolerantClock, read_boot: ReadBootTime = read_boot_time
) -> None:
    """Compare the clock with the stored difference; if it jumped, ignore the jump for a while.

    Does nothing if the time since boot is unknown or no difference is stored for this boot.
    """
    if (known := read_boot()) is None:
        return
    boot, count = known
    with store.transaction(commit=False) as sql:
        row = sql.one("SELECT apart FROM {0}clocks WHERE boot = ?", boot)
    if row is not None and clock.restore(row["apart"] + count):
        log.warning("the clock jumped forward while no worker ran; followed after a grace period")


def save_clock(
    store: Store, clock: JumpTolerantClock, read_boot: ReadBootTime = read_boot_time
) -> None:
    """Store the difference between the trusted clock and the time since boot.

    Does nothing if the time since boot is unknown, or if the difference has changed by no more
    than `_MIN_CHANGE_MS` milliseconds.
    """
    if (known := read_boot()) is None:
        return
    boot, count = known
    with store.transaction(commit=True) as sql:
        sql.run(
            "INSERT INTO {0}clocks AS c VALUES (?,?) ON CONFLICT (boot) DO UPDATE"
            " SET apart = excluded.apart WHERE abs(c.apart - excluded.apart) > ?",
            *(boot, clock() - count, _MIN_CHANGE_MS),
        )


@asynccontextmanager
async def persist_clock(store: Store) -> AsyncIterator[None]:
    """Restore the clock, then store it every `_SAVE_INTERVAL_S` seconds while the block runs.

    Does nothing if the machine's clock is replaced by `override_clock`.
    """
    clock = system_clock()
    if clock is None:
        yield
        return
    await asyncio.to_thread(restore_clock, store, clock)
    task = asyncio.create_task(_save_periodically(store, clock))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _save_periodically(store: Store, clock: JumpTolerantClock) -> None:
    while True:
        try:
            await asyncio.to_thread(save_clock, store, clock)
        except Exception as error:
            log.error("clock: %s", type(error).__name__)
        await asyncio.sleep(_SAVE_INTERVAL_S)
