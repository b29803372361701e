"""The clock of the machine as it was believed before a worker began.

A worker knows by itself that the clock jumped only while it runs (`service.base.now`): one that
began right after the jump believed it at once, and everybody's time was over. Since a machine was
switched on, it counts time by a second clock that nobody sets and that goes on while it sleeps. How
far both are apart is kept, and who begins compares. What happened before the machine was switched
on last nobody can tell: it may have been off for as long as the clock says.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from service.base.now import Steady, machine
from service.store.store import Store

log = logging.getLogger("caravanserai")

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_ROUND = 60.0
"""Seconds between two notes."""
_LITTLE = 1_000
"""Milliseconds that are not worth a note."""

SinceBoot = Callable[[], tuple[str, int] | None]
"""Which time it was that the machine was switched on, and the milliseconds since; None where the
system does not tell."""


def since_boot() -> tuple[str, int] | None:
    """As Linux tells it."""
    try:
        boot = _BOOT.read_text().strip()
        return boot, time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    except (OSError, AttributeError):
        return None


def recall(store: Store, clock: Steady, since: SinceBoot = since_boot) -> None:
    """Lets a clock that is further on than it was believed be doubted."""
    if (known := since()) is None:
        return
    boot, count = known
    with store.transaction(commit=False) as sql:
        row = sql.one("SELECT apart FROM {0}clocks WHERE boot = ?", boot)
    if row is not None and clock.recall(row["apart"] + count):
        log.warning("the clock was put forward while no worker looked: believed after a grace")


def remember(store: Store, clock: Steady, since: SinceBoot = since_boot) -> None:
    """Notes what is believed by now."""
    if (known := since()) is None:
        return
    boot, count = known
    with store.transaction(commit=True) as sql:
        sql.run(
            "INSERT INTO {0}clocks AS c VALUES (?,?) ON CONFLICT (boot) DO UPDATE"
            " SET apart = excluded.apart WHERE abs(c.apart - excluded.apart) > ?",
            *(boot, clock() - count, _LITTLE),
        )


@asynccontextmanager
async def remembering(store: Store) -> AsyncIterator[None]:
    """Recalls now, and notes from time to time while the block runs; unless the time comes from
    elsewhere."""
    clock = machine()
    if clock is None:
        yield
        return
    await asyncio.to_thread(recall, store, clock)
    task = asyncio.create_task(_remember(store, clock))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _remember(store: Store, clock: Steady) -> None:
    while True:
        try:
            await asyncio.to_thread(remember, store, clock)
        except Exception as error:
            log.error("clock: %s", type(error).__name__)
        await asyncio.sleep(_ROUND)
