"""Bot moves, for the seats of bots and for seats whose time is up.

Bots run in their own threads, outside the request and without holding the match's lock: a player's
move is saved and published before any bot starts, and no move waits for a bot. A bot's move is
saved like a player's, provided it is still valid in the match by then. If the process ends first,
the scheduler (`service.matches.scheduler`) or the next request for the match restarts its bots.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast
from uuid import UUID

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import LEVELS, Level, pick_any
from domain.match import deadlines
from domain.match.commands import RunOut
from domain.match.deadlines import BOT_STALL_MS
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.matches.idempotency import to_stored_decisions
from service.matches.match_cache import LoadedMatch, MatchCache
from service.notifications.triggers import notifications_for
from service.store import VersionConflict
from service.store.group_commit import GroupCommitWriter

log = logging.getLogger("caravanserai")

THINKING_TIME_S = 0.04
"""Thinking time of a bot for one move, in seconds."""
SAVE_INTERVAL_S = 0.1
"""Seconds of bot moves after which they are saved and the match is updated."""
MAX_BOT_DECISIONS = 400
"""Maximum number of bot decisions that are saved together."""


def bots_to_act(timeline: Timeline) -> list[int]:
    """Return the seats for which bots are to move; empty for a match that is for review only."""
    return [] if is_for_review(timeline) else deadlines.bots_to_act(timeline)


def choose_command(timeline: Timeline, seat: int) -> object:
    """Return the command that a seat's bot chooses, or a random legal one if the bot fails."""
    now = timeline.latest
    level = cast(Level, now.seats[seat].level or LEVELS[-1])
    enough = time.monotonic() + THINKING_TIME_S
    thinking = Thinking(secrets.randbelow, level, lambda: time.monotonic() < enough)
    try:
        return suggest_command(now.opened.game, now.state, seat, thinking)
    except Exception as error:
        log.error("bot of %s: %s", now.opened.game, type(error).__name__)
        return pick_any(timeline.rules.choices(now.state, seat), secrets.randbelow)


def play_bots(timeline: Timeline) -> Timeline:
    """Return a branch with the bots' next moves, at least one if a bot is to move.

    Stops after `SAVE_INTERVAL_S` seconds or `MAX_BOT_DECISIONS` decisions.
    """
    branch = timeline.branch()
    enough = time.monotonic() + SAVE_INTERVAL_S
    for _ in range(MAX_BOT_DECISIONS):
        seats = bots_to_act(branch)
        if not seats or (branch.version > timeline.version and time.monotonic() > enough):
            break
        # Random, so that the order does not reveal which bot has made a secret move.
        seat = secrets.choice(seats)
        branch.play(seat, [choose_command(branch, seat)], now_ms(), draws_from_seed)
    return branch


def rebase_bot_moves(timeline: Timeline, base: Timeline, played: Timeline) -> Timeline | None:
    """Return a branch of the current match with the bot moves, or None if they are outdated.

    ``base`` and ``played``: the match before and after the bots moved. If other seats have only
    made their simultaneous choices meanwhile, the branch has the first of the bot moves.
    """
    if timeline.version == base.version:
        return played
    made = played.decisions.tail(len(base.decisions))
    first = next((each for each in made if not isinstance(each.command, RunOut)), made[0])
    if first.seat is None or not timeline.still_valid_since(first.seat, base.version):
        return None
    if first.seat not in bots_to_act(timeline):
        return None
    branch = timeline.branch()
    branch.play(first.seat, [first.command], now_ms(), draws_from_seed)
    return branch


@dataclass(kw_only=True, eq=False)
class BotRunner:
    """Runner of the bots of all matches, with one task per match.

    ``announce(match_id, version)`` is called after each change. ``wait_s``: maximum seconds that
    the response to a player's move waits for the bots started by it.
    """

    saver: GroupCommitWriter
    matches: MatchCache
    announce: Callable[[str, int], None]
    wait_s: float
    _tasks: dict[UUID, asyncio.Task[None]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._threads = ThreadPoolExecutor(2, "bots")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Allow bots to run while the block runs, then cancel their tasks.

        The next process resumes the bots.
        """
        try:
            yield
        finally:
            tasks = [*self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._threads.shutdown(wait=False, cancel_futures=True)

    def can_start(self, match: LoadedMatch, timeline: Timeline) -> bool:
        """Return whether `start` would start bots for this timeline; False if they are running."""
        return match.key not in self._tasks and bool(bots_to_act(timeline))

    def start(self, match: LoadedMatch) -> None:
        """Start the bots of a match if any is to move and they are not running already."""
        if self.can_start(match, match.timeline):
            self._tasks[match.key] = asyncio.get_running_loop().create_task(self._run(match))

    def wake_if_stalled(self, match: LoadedMatch) -> None:
        """Start the bots of a match if its last decision is at least `BOT_STALL_MS` old.

        Called on every request for the match. Does nothing if the bots failed at this version.
        """
        timeline = match.timeline
        if match.bots_stuck_at == timeline.version or match.key in self._tasks:
            return
        if now_ms() - timeline.decisions[-1].at >= BOT_STALL_MS:
            self.start(match)

    async def wait_for_bots(self, match: LoadedMatch) -> None:
        """Wait until the bots of a match have finished, for at most ``wait_s`` seconds."""
        task = self._tasks.get(match.key)
        if task is not None:
            await asyncio.wait([task], timeout=self.wait_s)

    async def _run(self, match: LoadedMatch) -> None:
        loop = asyncio.get_running_loop()
        try:
            while bots_to_act(before := match.timeline):
                after = await loop.run_in_executor(self._threads, play_bots, before)
                async with match.lock:
                    await self._save(match, before, after)
        except Exception as error:
            # An error must not stop the match for the players; the scheduler tries again.
            match.bots_stuck_at = match.timeline.version
            log.error("bots: %s: %s", match.id, type(error).__name__, extra={"match": match.id})
        finally:
            # There is no await since the last check, so any later move starts the bots again.
            self._tasks.pop(match.key, None)

    async def _save(self, match: LoadedMatch, before: Timeline, after: Timeline) -> None:
        """Save the bot moves if they are still valid; the caller must hold the match's lock."""
        timeline = match.timeline
        branch = rebase_bot_moves(timeline, before, after)
        if branch is None:
            return
        decisions = branch.decisions.tail(len(timeline.decisions))
        try:
            batch = notifications_for(match.id, timeline, branch, by_bot=True)
            await self.saver.save(to_stored_decisions(match.key, branch, decisions), None, batch)
        except VersionConflict:
            await self.matches.catch_up(match)
            return
        match.timeline = branch
        self.announce(match.id, branch.version)
