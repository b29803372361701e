"""The sender: takes due rows from the outbox, checks whether they still apply, and sends them.

Before a notification is sent, it is checked that it is still true, that the player wants it now,
and that the player is not looking at the match anyway. Several matches that wait for a player are
sent as one message. Temporary failures are retried with growing delays for a day. Players are
served independently: the outbox is read again while messages are on their way. A channel that
fails repeatedly is paused, and its owner is notified by another channel.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from domain.match import Timeline, is_automatic
from domain.match.deadlines import seat_deadlines
from domain.presentation.viewpoint import held_seats, seats_to_act
from projections.summary import Summary
from service.common.clock import clock
from service.http.i18n import Languages, speak
from service.matches.match_cache import Tables
from service.notifications import timeouts
from service.notifications.channels import Way, Ways, Wishes, quiet_until
from service.notifications.delivery.message_text import of_pause, of_row, of_several, words_of
from service.notifications.delivery.transports import Carriers
from service.notifications.mail_link_codes import Codes
from service.notifications.message import Message
from service.notifications.outbox import Outbox
from service.notifications.outbox_sql import WITHDRAWN, Row
from service.notifications.presence import Presence
from service.notifications.push import Gone
from service.notifications.safe_http import Answer
from service.notifications.triggers import (
    NEWS,
    URGENT,
    is_asked_about_recovery,
    seat_of_turn,
    undecided,
)
from service.observability import metrics
from service.social.personal_store import Own, Shunned

log = logging.getLogger("caravanserai")

PAUSE = 1.0
"""Seconds between two polls of the outbox while nothing is due."""
LOOKING = 30_000
"""Milliseconds after which presence is checked again for a player who is using the match."""
MOVED = 120_000
"""Milliseconds after their own move for which a player counts as present."""
APART = 300_000
"""Minimum interval in milliseconds between turn notifications to a player who has not come."""
DAY = 86_400_000
"""Milliseconds after the first attempt during which a row is retried."""
_FIRST, _LAST = 30_000, 3_600_000
"""Milliseconds before the first retry, and the maximum delay."""
_PREPARED_AT_ONCE = 8
"""Players whose rows are prepared concurrently, which reads matches and queries the database."""
_SENT_AT_ONCE = 512
"""Players who are sent to concurrently. More than a connection pool of `Outside` holds, so that
calls queue there and hanging ones are cut short (`service.notifications.bulkheads`)."""
BUSY = 1_000
"""Milliseconds for which rows are put off while their player is still being sent to."""
_PRUNING = 900
"""Rounds of the sender between two prunings of the outbox."""

DROP = -1
"""The row need not be sent; used in place of the time at which to check the row again."""

Ready = tuple[Row, Timeline]


class Sender:
    """The background task of a worker that sends notifications.

    ``io`` runs a database call; ``waiting`` returns how many matches wait for a player and
    ``waiting_tables`` which ones; ``pause_after``: failures in a row after which a channel is
    paused, 0 for never.
    """

    def __init__(
        self,
        outbox: Outbox,
        ways: Ways,
        tables: Tables,
        presence: Presence,
        carriers: Carriers,
        languages: Languages,
        own: Own,
        codes: Codes,
        io: Callable[..., Any],
        waiting: Callable[[str], int],
        waiting_tables: Callable[[str], list[Summary]],
        pause_after: int = 0,
    ) -> None:
        self._codes = codes
        self._outbox = outbox
        self._ways = ways
        self._tables = tables
        self._presence = presence
        self._carriers = carriers
        self._languages = languages
        self._own = own
        self._io = io
        self._waiting = waiting
        self._waiting_tables = waiting_tables
        self._pause_after = pause_after
        self._preparing = asyncio.Semaphore(_PREPARED_AT_ONCE)
        self._under_way: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send while the block runs; what is unfinished when it ends is sent again later."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            tasks = [task, *self._under_way.values()]
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        rounds = 0
        while True:
            try:
                if len(self._under_way) >= _SENT_AT_ONCE:
                    await asyncio.wait(
                        self._under_way.values(), return_when=asyncio.FIRST_COMPLETED
                    )
                if not (await self._begin())[0]:
                    await asyncio.sleep(PAUSE)
                if rounds % _PRUNING == 0:
                    await self._io(self._outbox.prune, clock())
                rounds += 1
            except Exception as error:
                # Any error: claimed rows are sent again once their claim has expired.
                log.error("notices: %s", type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def round(self) -> int:
        """Send the due rows of some players, wait until done, and return the number of rows."""
        count, tasks = await self._begin()
        await asyncio.gather(*tasks)
        return count

    async def _begin(self) -> tuple[int, list[asyncio.Task[None]]]:
        """Start sending the due rows of some players; return the number of rows and the tasks."""
        rows: list[Row] = await self._io(self._outbox.claim, clock())
        by_player = groupby(sorted(rows, key=lambda row: row.player), key=lambda row: row.player)
        tasks = []
        for player, theirs in by_player:
            if player in self._under_way:
                # Combining matches and spacing messages both depend on what was sent last.
                for row in theirs:
                    await self._io(self._outbox.hold, row, clock() + BUSY)
                continue
            task = asyncio.create_task(self._serve_safely(player, list(theirs)))
            self._under_way[player] = task
            tasks.append(task)
        return len(rows), tasks

    async def _serve_safely(self, player: str, rows: list[Row]) -> None:
        try:
            await self._serve(player, rows)
        except Exception as error:
            log.error("notices: %s", type(error).__name__)
        finally:
            del self._under_way[player]

    async def _serve(self, player: str, rows: list[Row]) -> None:
        async with self._preparing:
            withdrawn, ready, ways, deaf = await self._prepare(player, rows)
        await asyncio.gather(*[self._withdraw(row, ways) for row in withdrawn])
        now = clock()
        await self._tell(player, ready, [way for way in ways if not way.is_paused(now)], deaf)
        if self._pause_after and ready:
            await self._warn(player)

    async def _prepare(
        self, player: str, rows: list[Row]
    ) -> tuple[list[Row], list[Ready], list[Way], Collection[str]]:
        """Return rows to withdraw, rows to send, channels, and whom the player muted or blocked."""
        ways = [w for w in await self._io(self._ways.of, player) if w.confirmed is not None]
        resumes = min((way.paused for way in ways), default=0)
        wishes = await self._io(self._ways.wishes, player)
        shunned: Shunned = await self._io(self._own.shunned_by, player)
        withdrawn: list[Row] = []
        ready: list[Ready] = []
        for row in rows:
            if row.state == WITHDRAWN:
                withdrawn.append(row)
                continue
            timeline = await self._timeline(row.match)
            later = await self._later(row, timeline, wishes, shunned) if ways else DROP
            if later is None and resumes > clock():
                later = resumes
            if later == DROP or timeline is None:
                await self._io(self._outbox.drop, row)
            elif later is not None:
                await self._io(self._outbox.hold, row, later)
            else:
                ready.append((row, timeline))
        return withdrawn, ready, ways, shunned.deaf_to

    async def _timeline(self, match: str) -> Timeline | None:
        try:
            table = await self._tables.find(UUID(match), fresh=True)
        except Exception as error:
            # A match that cannot be folded causes no notifications.
            log.warning("notices: %s: %s", match, type(error).__name__, extra={"match": match})
            return None
        return table.timeline if table else None

    # -- whether and when --------------------------------------------------------------------

    async def _later(
        self, row: Row, timeline: Timeline | None, wishes: Wishes, shunned: Shunned
    ) -> int | None:
        """Return when to check the row again, `DROP` for never, None to send it now."""
        now = clock()
        if timeline is None or not still_so(row, timeline):
            return DROP
        if row.kind in URGENT:
            return None
        if row.kind not in wishes.kinds:
            return DROP
        if not _by_others(row, timeline, shunned):
            return DROP
        if await self._io(self._ways.muted, row.player, row.match):
            return DROP
        if row.kind == "turn":
            # Avoid a second notification: the plan is played soon, or dropped, which sends its own.
            planned = await self._io(self._outbox.plan_of, row, now)
            if planned > 0 or (planned == DROP and "plan" in wishes.kinds):
                return int(planned)
        if row.kind == "reminder":
            return _hold_reminder(row, timeline, quiet_until(wishes.quiet, now), now)
        return await self._hold(row, timeline, wishes, shunned)

    async def _hold(
        self, row: Row, timeline: Timeline, wishes: Wishes, shunned: Shunned
    ) -> int | None:
        """Return until when the player must not be disturbed with the row, as `_later`."""
        now = clock()
        if await self._presence.is_at(row.player, row.match):
            return now + LOOKING
        if row.kind in NEWS and await self._has_seen(row, timeline, shunned.deaf_to):
            return DROP
        moved = last_move(timeline, row.player, now - MOVED)
        if moved is not None:
            return moved + MOVED
        if (quiet := quiet_until(wishes.quiet, now)) is not None:
            return quiet
        if row.kind == "turn" and not row.tries:
            told: int | None = await self._io(self._outbox.last_turn, row)
            if told is not None and told + APART > now:
                return told + APART
        return None

    async def _has_seen(self, row: Row, timeline: Timeline, deaf: Collection[str]) -> bool:
        """Tell whether the player has seen what the row is about, on any device."""
        seen, _note = await self._io(self._own.at, row.player, row.match)
        if seen is None or seen < row.version:
            return False
        return row.kind != "word" or not words_of(row, timeline, deaf, seen)

    # -- sending -----------------------------------------------------------------------------

    async def _tell(
        self, player: str, ready: Sequence[Ready], ways: Sequence[Way], deaf: Collection[str]
    ) -> None:
        waiting = await asyncio.to_thread(self._waiting, player) if ready else 0
        turns = [each for each in ready if each[0].kind == "turn" and not each[0].tries]
        if len(turns) > 1:
            rows = [row for row, _ in turns]
            muted = await self._io(self._ways.all_muted, player)
            tables = await asyncio.to_thread(self._waiting_tables, player)
            others = [summary for summary in tables if summary.id not in muted]
            await self._send(rows, ways, lambda: of_several(turns, others, waiting), None)
        alone = [each for each in ready if len(turns) < 2 or each not in turns]
        await asyncio.gather(
            *[
                self._send([row], ways, _maker(row, each, waiting, self._codes, deaf), each)
                for row, each in alone
            ]
        )

    async def _send(
        self,
        rows: Sequence[Row],
        ways: Sequence[Way],
        make: Callable[[], Message],
        timeline: Timeline | None,
    ) -> None:
        """Send one message for some rows by the channels that have not delivered it yet."""
        left = [way for way in ways if way.id not in rows[0].sent]
        tasks = [asyncio.create_task(self._by(way, make, timeline)) for way in left]
        answers = await asyncio.gather(*tasks)
        now = clock()
        sent = list(rows[0].sent)
        wait: int | None = None
        for way, answer in zip(left, answers, strict=True):
            await self._note(way, answer)
            if answer.good:
                sent.append(way.id)
            elif answer.passing:
                wait = max(wait or 0, (answer.wait or 0) * 1000)
        for row in rows:
            started = row.tried or now
            if wait is not None and now - started < DAY:
                due = now + max(wait, back_off(row.tries))
                await self._io(self._outbox.retry, row, due, now, tuple(sent))
            else:
                await self._io(self._outbox.finish, row, now, tuple(sent))

    async def _by(self, way: Way, make: Callable[[], Message], timeline: Timeline | None) -> Answer:
        """Send by one channel in its language.

        Run this in a task of its own: the language is set in the task's context.
        """
        speak(self._languages[way.language])
        try:
            return await self._carriers.tell(way, make(), timeline)
        except Exception as error:
            log.error("notices by %s: %s", way.way, type(error).__name__)
            return Answer(500)

    async def _note(self, way: Way, answer: Answer) -> None:
        metrics.of_notice(way.way, answer.good).inc()
        problem = problem_of(answer)
        if answer.gone:
            await self._io(self._ways.forget, way)
        elif problem and self._is_strangers(way) and not answer.busy:
            await self._io(self._ways.note_failure, way, problem, clock(), self._pause_after)
        else:
            await self._io(self._ways.note, way, problem)

    def _is_strangers(self, way: Way) -> bool:
        """Tell whether failures of a channel concern its owner's address only, not everybody's.

        False for mail and for well-known push services. Only such channels are paused.
        """
        if way.way == "push":
            return self._carriers.outside.pool_of_push(way.address) != "push"
        return way.way != "mail"

    async def _warn(self, player: str) -> None:
        """Notify a player of each newly paused channel, by the first other one that accepts it."""
        now = clock()
        ways = [w for w in await self._io(self._ways.of, player) if w.confirmed is not None]
        others = [way for way in ways if not way.paused]
        for paused in ways:
            if not paused.is_paused(now) or paused.warned or not others:
                continue
            wishes: Wishes = await self._io(self._ways.wishes, player)
            if quiet_until(wishes.quiet, now) is not None:
                return
            if not await self._io(self._ways.warn, paused):
                continue
            message = partial(of_pause, paused)
            for way in others:
                answer = await asyncio.create_task(self._by(way, message, None))
                await self._note(way, answer)
                if answer.good:
                    break

    async def _withdraw(self, row: Row, ways: Sequence[Way]) -> None:
        """Withdraw a notification from the channels it was sent by; failures are ignored."""
        waiting = await asyncio.to_thread(self._waiting, row.player)
        gone = Gone(row.match, waiting)
        went = [self._carriers.withdraw(way, gone) for way in ways if way.id in row.sent]
        await asyncio.gather(*went)
        await self._io(self._outbox.finish, row, clock(), row.sent)


def _hold_reminder(row: Row, timeline: Timeline, quiet: int | None, now: int) -> int | None:
    """Return when to check a reminder again, as `Sender._later`; never after its deadline.

    ``quiet``: when the current quiet hours end, None outside of them.
    """
    seat = seat_of_turn(row.turn)
    ends, clocks = seat_deadlines(timeline), timeline.latest.clocks
    deadline = ends[seat] if seat < len(ends) else None
    if (deadline is not None and deadline <= now) or (seat < len(clocks) and clocks[seat].out):
        return DROP
    is_in_time = quiet is not None and (deadline is None or quiet < deadline)
    return quiet if is_in_time else None


def _maker(
    row: Row, timeline: Timeline, waiting: int, codes: Codes, deaf: Collection[str]
) -> Callable[[], Message]:
    return lambda: of_row(row, timeline, waiting, codes, deaf)


def _by_others(row: Row, timeline: Timeline, shunned: Shunned) -> bool:
    """Tell whether a row was caused by somebody whom the player has not muted or blocked.

    Applies to invitations and chat messages. Other kinds count whoever caused them: the match
    waits for the player.
    """
    match row.kind:
        case "rematch":
            return timeline.latest.opened.owner not in shunned.blocked
        case "word":
            deaf = shunned.deaf_to
            return not deaf or bool(words_of(row, timeline, deaf))
        case _:
            return True


def still_so(row: Row, timeline: Timeline) -> bool:
    """Tell whether the row is still true of the match."""
    now = timeline.latest
    if row.kind == "recovered":
        return True
    if row.kind == "recovery":
        return is_asked_about_recovery(now, row.player, row.version)
    if row.kind == "rematch" and "declined" in row.args:
        return now.opened.owner == row.player
    if row.kind == "rematch":
        return any(s.kind == "open" and s.player == row.player for s in now.seats)
    held = set(held_seats(timeline, row.player))
    if row.kind == "time":
        concerned = bool(timeouts.own_seats(timeline, row.player, held))
        return concerned and timeouts.is_true(row.args, timeline, row.player)
    if not held:
        return False
    match row.kind:
        case "turn" | "reminder" | "plan":
            return bool(held & set(seats_to_act(timeline, now)))
        case "proposal":
            asked = now.proposal
            if asked is None:
                return bool(undecided(now, row.player))
            return asked.seat not in held and row.player not in asked.accepted
        case _:
            return True


def last_move(timeline: Timeline, player: str, since: int) -> int | None:
    """Return when the player last acted in the match, None if not later than ``since``."""
    held = held_seats(timeline, player)
    for index in range(len(timeline.decisions) - 1, -1, -1):
        decision = timeline.decisions[index]
        if decision.at <= since:
            return None
        if decision.seat in held and not is_automatic(decision):
            return decision.at
    return None


def back_off(tries: int) -> int:
    """Return the milliseconds before the next attempt: exponential, with 20 % jitter."""
    return int(min(_FIRST * 4**tries, _LAST) * random.uniform(0.8, 1.2))


def problem_of(answer: Answer) -> str:
    """Return the problem to store with a channel.

    "" on success, "refused" if the address was not called, "0" without an answer, else the
    status.
    """
    if answer.good:
        return ""
    return "refused" if answer.refused else str(answer.status)
