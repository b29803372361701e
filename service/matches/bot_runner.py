"""Bot moves, for the seats of bots and for seats whose time is up.

Bots think in threads of their own, outside the request and without the match's lock: a person's
move is stored and published before a bot starts on it, and no move waits for a bot. A bot's move is
stored like a person's, if it still fits the match by then. If the process ends meanwhile, the bots
of the match are started again by the scheduler (`service.matches.scheduler`) or by the next request
for the match.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import cast
from uuid import UUID

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import LEVELS, Level, pick_any
from domain.match import RunOut, Timeline, deadlines
from domain.match.deadlines import BOT_STALL_MS
from domain.presentation.viewpoint import is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import clock
from service.matches.idempotency import recorded
from service.matches.match_cache import Table, Tables
from service.notifications.triggers import told
from service.store import Taken
from service.store.group_commit import Saver

log = logging.getLogger("caravanserai")

BUDGET = 0.04
"""Thinking time of a bot for one move, in seconds."""
SLICE = 0.1
"""Seconds of bot moves that are saved together; the match is updated at this interval."""
BOT_STEPS = 400
"""Maximum number of bot decisions that are saved together."""


def bots_to_act(timeline: Timeline) -> list[int]:
    """Return the seats for which bots are to move; none in a match that is for review only."""
    return [] if is_for_review(timeline) else deadlines.bots_to_act(timeline)


def command_of(timeline: Timeline, seat: int) -> object:
    """Choose the command of a seat's bot, or a random legal command if the bot raises an error."""
    now = timeline.latest
    level = cast(Level, now.seats[seat].level or LEVELS[-1])
    enough = time.monotonic() + BUDGET
    thinking = Thinking(secrets.randbelow, level, lambda: time.monotonic() < enough)
    try:
        return suggest_command(now.opened.game, now.state, seat, thinking)
    except Exception as error:
        log.error("bot of %s: %s", now.opened.game, type(error).__name__)
        return pick_any(timeline.rules.choices(now.state, seat), secrets.randbelow)


def ahead(timeline: Timeline) -> Timeline:
    """Return a branch with the bots' next moves: at least one, up to `SLICE` and `BOT_STEPS`."""
    twin = timeline.branch()
    enough = time.monotonic() + SLICE
    for _ in range(BOT_STEPS):
        seats = bots_to_act(twin)
        if not seats or (twin.version > timeline.version and time.monotonic() > enough):
            break
        # Random, so that the order does not reveal which bot has made a secret move.
        seat = secrets.choice(seats)
        twin.play(seat, [command_of(twin, seat)], clock(), draws_from_seed)
    return twin


def rebased(timeline: Timeline, before: Timeline, after: Timeline) -> Timeline | None:
    """Return a branch of the current match with the bot moves; None if they do not fit any more.

    ``before`` and ``after``: the match before and after the bots moved. If only other seats have
    made their simultaneous choices meanwhile, the first of the bot moves is still valid.
    """
    if timeline.version == before.version:
        return after
    made = after.decisions.tail(len(before.decisions))
    first = next((each for each in made if not isinstance(each.command, RunOut)), made[0])
    if first.seat is None or not timeline.still_valid_since(first.seat, before.version):
        return None
    if first.seat not in bots_to_act(timeline):
        return None
    twin = timeline.branch()
    twin.play(first.seat, [first.command], clock(), draws_from_seed)
    return twin


class Bots:
    """Plays for the bots of all matches, with one task for each match.

    ``announce(match_id, version)`` is called after each change. ``patience``: seconds that the
    answer to a person's move waits for the bots it has started.
    """

    def __init__(
        self, saver: Saver, tables: Tables, announce: Callable[[str, int], None], patience: float
    ) -> None:
        self._saver = saver
        self._tables = tables
        self._announce = announce
        self._patience = patience
        self._playing: dict[UUID, asyncio.Task[None]] = {}
        self._thinkers = ThreadPoolExecutor(2, "bots")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Cancel all bot tasks when the block ends; the next process resumes them."""
        try:
            yield
        finally:
            tasks = [*self._playing.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._thinkers.shutdown(wait=False, cancel_futures=True)

    def would_wake(self, table: Table, timeline: Timeline) -> bool:
        """Return whether `wake` would start bots at this timeline; False if they are running."""
        return table.key not in self._playing and bool(bots_to_act(timeline))

    def wake(self, table: Table) -> None:
        """Start the bots of a match if it waits for any and they are not running."""
        if self.would_wake(table, table.timeline):
            self._playing[table.key] = asyncio.get_running_loop().create_task(self._play(table))

    def remind(self, table: Table) -> None:
        """Start bots that should have moved by now (`BOT_STALL_MS`); called on every request."""
        timeline = table.timeline
        if table.stuck == timeline.version or table.key in self._playing:
            return
        if clock() - timeline.decisions[-1].at >= BOT_STALL_MS:
            self.wake(table)

    async def settled(self, table: Table) -> None:
        """Wait until the bots of a match have moved, at most ``patience`` seconds."""
        task = self._playing.get(table.key)
        if task is not None:
            await asyncio.wait([task], timeout=self._patience)

    async def _play(self, table: Table) -> None:
        loop = asyncio.get_running_loop()
        try:
            while bots_to_act(before := table.timeline):
                after = await loop.run_in_executor(self._thinkers, ahead, before)
                async with table.lock:
                    await self._keep(table, before, after)
        except Exception as error:
            # No error may keep others from playing; the scheduler tries again.
            table.stuck = table.timeline.version
            log.error("bots: %s: %s", table.id, type(error).__name__, extra={"match": table.id})
        finally:
            # No await since the last check: any move from now on starts the bots again.
            self._playing.pop(table.key, None)

    async def _keep(self, table: Table, before: Timeline, after: Timeline) -> None:
        """Save the bot moves if they still fit; the caller holds the match's lock."""
        timeline = table.timeline
        twin = rebased(timeline, before, after)
        if twin is None:
            return
        decisions = twin.decisions.tail(len(timeline.decisions))
        try:
            what = told(table.id, timeline, twin, by_bot=True)
            await self._saver.save(recorded(table.key, twin, decisions), None, what)
        except Taken:
            await self._tables.catch_up(table)
            return
        table.timeline = twin
        self._announce(table.id, twin.version)
