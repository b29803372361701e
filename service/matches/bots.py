"""What is done for seats that do not do it themselves: bots, and those whose time is up.

Bots think in threads of their own, outside the request and without the table's lock: a person's
move is stored and shown before a bot begins to think about it, and nobody's move waits for a bot's.
A bot's move is stored like a person's, if the match is still the one that it thought about. Where
the process ends meanwhile, the next one finds the match by the clock (`service.matches.clock`), or
whoever looks at it first does.
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

from domain import deadlines
from domain.answers.viewing import is_for_review
from domain.bots import Thinking, suggested
from domain.deadlines import BOTS_PAUSE
from domain.draws import seeded
from domain.game import LEVELS, Level, pick_any
from domain.match import RunOut, Timeline
from service.base.now import clock
from service.matches.receipts import recorded
from service.matches.tables import Table, Tables
from service.notices.told import told
from service.store import Taken
from service.store.saver import Saver

log = logging.getLogger("caravanserai")

BUDGET = 0.04
"""Seconds that a bot may think about a move."""
SLICE = 0.1
"""Seconds of bots' moves that are stored together: so often does the match show how they go on."""
BOT_STEPS = 400
"""Decisions of bots that are stored together at most."""


def bots_to_act(timeline: Timeline) -> list[int]:
    """The seats for which bots are to move; a match that is for review only waits for nobody."""
    return [] if is_for_review(timeline) else deadlines.bots_to_act(timeline)


def command_of(timeline: Timeline, seat: int) -> object:
    """What the bot of a seat wants to do; anything where it fails, so that nobody waits for it."""
    now = timeline.now
    level = cast(Level, now.seats[seat].level or LEVELS[-1])
    enough = time.monotonic() + BUDGET
    thinking = Thinking(secrets.randbelow, level, lambda: time.monotonic() < enough)
    try:
        return suggested(now.opened.game, now.state, seat, thinking)
    except Exception as error:
        log.error("bot of %s: %s", now.opened.game, type(error).__name__)
        return pick_any(timeline.rules.choices(now.state, seat), secrets.randbelow)


def ahead(timeline: Timeline) -> Timeline:
    """A branch on which the bots have made their next moves: one at least, a slice's at most."""
    twin = timeline.branch()
    enough = time.monotonic() + SLICE
    for _ in range(BOT_STEPS):
        seats = bots_to_act(twin)
        if not seats or (twin.version > timeline.version and time.monotonic() > enough):
            break
        # By chance, so that the order does not tell which bot has done something in secret.
        seat = secrets.choice(seats)
        twin.play(seat, [command_of(twin, seat)], clock(), seeded)
    return twin


def rebased(timeline: Timeline, before: Timeline, after: Timeline) -> Timeline | None:
    """What bots have made of a match, on the match as it is by now; None when it comes too late.

    Where only others have made their choices meanwhile, the first of the bots' moves still holds.
    """
    if timeline.version == before.version:
        return after
    made = after.decisions.tail(len(before.decisions))
    first = next((each for each in made if not isinstance(each.command, RunOut)), made[0])
    if first.seat is None or not timeline.undisturbed(first.seat, before.version):
        return None
    if first.seat not in bots_to_act(timeline):
        return None
    twin = timeline.branch()
    twin.play(first.seat, [first.command], clock(), seeded)
    return twin


class Bots:
    """Plays for the bots of all matches, one task a match.

    ``announce(match_id, version)`` is called after each change. ``patience``: seconds that the
    answer to a person's move waits for the bots it has woken.
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
        """Ends what bots are about when the block ends; the next process goes on with it."""
        try:
            yield
        finally:
            tasks = [*self._playing.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._thinkers.shutdown(wait=False, cancel_futures=True)

    def would_wake(self, table: Table, timeline: Timeline) -> bool:
        """Whether bots begin to play when the table comes to this; not if they do already."""
        return table.key not in self._playing and bool(bots_to_act(timeline))

    def wake(self, table: Table) -> None:
        """Lets the bots of a match play if it waits for any."""
        if self.would_wake(table, table.timeline):
            self._playing[table.key] = asyncio.get_running_loop().create_task(self._play(table))

    def remind(self, table: Table) -> None:
        """For whoever looks: wakes bots that should have moved by now."""
        timeline = table.timeline
        if table.stuck == timeline.version or table.key in self._playing:
            return
        if clock() - timeline.decisions[-1].at >= BOTS_PAUSE:
            self.wake(table)

    async def settled(self, table: Table) -> None:
        """Returns when the bots of a match have moved, or when that takes too long."""
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
            # Whatever it is, it must not keep others from playing; the clock tries again.
            table.stuck = table.timeline.version
            log.error("bots: %s: %s", table.id, type(error).__name__, extra={"match": table.id})
        finally:
            # In the same breath as the last look: whoever moves from now on wakes them anew.
            self._playing.pop(table.key, None)

    async def _keep(self, table: Table, before: Timeline, after: Timeline) -> None:
        """Stores what bots did, if it still holds; the table's lock is held."""
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
