"""How matches grow: decisions are computed on a branch, saved in one transaction, and only then is
the branch shown to others and to the bots. An answer waits a moment for the bots, without the lock.
"""

import uuid
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.answers.viewing import held_seats, is_for_review
from domain.deadlines import deadline_of, time_is_up
from domain.draws import seeded
from domain.match import (
    SIGNED_FILE,
    AnswerRecovery,
    ObjectToRecovery,
    Timeline,
)
from service.base.limits import Pace
from service.base.now import clock
from service.base.problems import Fault
from service.base.rounds import Rounds
from service.matches.answers import may_look
from service.matches.bots import Bots, bots_to_act
from service.matches.codes import Codes
from service.matches.problems import (
    imported,
    no_seat,
    no_such_match,
    not_your_seat,
    version_conflict,
)
from service.matches.receipts import Idempotency, receipt_of, recorded
from service.matches.signing import Keys
from service.matches.tables import Table, Tables
from service.notices.told import Notice, PlanPlayed, told
from service.people.company import Company
from service.players.identity import Player
from service.seeing.spans import span
from service.store import Store, Taken
from service.store.saver import Saver

TRIES = 8
"""How often an action is tried again when another worker was quicker."""


@lru_cache(4096)
def _key_of(match_id: str) -> uuid.UUID | None:
    """The key of a match by its id; None for what is none, or is written otherwise."""
    try:
        key = uuid.UUID(match_id)
    except ValueError:
        return None
    return key if str(key) == match_id else None


def _not_open_to(table: Table, caller: str | None) -> Fault:
    """A stranger is told that there is no such match; the device that a seat has left, why."""
    if any(old == caller for _seat, old, _new in table.timeline.now.moved):
        return Fault(
            404,
            "no_such_match",
            "Your seat at this table has moved to another device.",
            seat_moved=True,
        )
    return no_such_match()


def _object_by_acting(twin: Timeline, player: Player, seat: int, commands: Sequence[Any]) -> None:
    """Object to an open recovery of the player's seat before they do anything else: who acts has
    their device. `Fault` 403 where the seat has moved by now."""
    if twin.now.recovery is None:
        return
    twin.play(None, [], clock(), seeded)
    held = held_seats(twin, player.id)
    if seat not in held:
        raise not_your_seat()
    request = twin.now.recovery
    if request is None or request.about not in held:
        return
    if not any(isinstance(each, ObjectToRecovery | AnswerRecovery) for each in commands):
        twin.play(request.about, [ObjectToRecovery()], clock(), seeded)


class Done(Struct, frozen=True):
    """What an action led to: the match up to ``timeline.version``, ``before`` it began.

    ``woken``: bots have begun to think about it, and the answer is to wait a moment for them.
    """

    match_id: str
    timeline: Timeline
    seat: int
    before: int
    status: int = 200
    woken: bool = False


class Commits:
    """What all actions share. ``announce(match_id, version)`` is called after each change,
    ``lost_seat(match_id, player, seat)`` when a seat has gone from a player's device to another."""

    def __init__(
        self,
        store: Store,
        saver: Saver,
        tables: Tables,
        keys: Keys,
        announce: Callable[[str, int], None],
        pace: Pace,
        bots: Bots,
        codes: Codes,
        company: Company,
        lost_seat: Callable[[str, str, int], None] | None = None,
    ) -> None:
        self._lost_seat = lost_seat
        self._company = company
        self._own = company.own
        self._store = store
        self._saver = saver
        self._tables = tables
        self._keys = keys
        self._announce = announce
        self._pace = pace
        self._bots = bots
        self.codes = codes
        self._followed: Rounds[str, dict[str, Timeline]] = Rounds(self._latest)

    async def table(
        self,
        match_id: str,
        player: Player | None,
        invite: str | None = None,
        *,
        fresh: bool = True,
    ) -> Table:
        """The table of a match the caller may look at; `Fault` 404 otherwise."""
        key = _key_of(match_id)
        table = await self._tables.find(key, fresh=fresh) if key else None
        if table is None:
            raise no_such_match()
        self._bots.remind(table)
        caller = player.id if player else None
        if not self._opens(table.id, table.timeline, caller, invite):
            # Somebody may have sat down by way of another worker.
            if not fresh:
                await self._tables.catch_up(table)
            if fresh or not self._opens(table.id, table.timeline, caller, invite):
                raise _not_open_to(table, caller)
        return table

    def _opens(
        self, match_id: str, timeline: Timeline, caller: str | None, code: str | None
    ) -> bool:
        by_code = self.codes.opens(match_id, timeline, code)
        return by_code or may_look(timeline, caller, code)

    async def seats_to_follow(
        self, match_id: str, version: int, player: str | None, code: str | None
    ) -> frozenset[int] | None:
        """The seats of somebody who follows a match as it stands at the version or later; None
        where they may not look at it any more.

        An invitation opens no stream for a player whom the host blocks. Listeners of one match
        share the reading of what this worker has not folded yet.
        """
        timeline = self._tables.peek(uuid.UUID(match_id))
        if timeline is None or timeline.version < version:
            timeline = (await self._followed.ask(match_id)).get(match_id)
        if timeline is None or not self._opens(match_id, timeline, player, code):
            return None
        seats = frozenset(held_seats(timeline, player))
        as_member = may_look(timeline, player) or self.codes.opens(match_id, timeline, code)
        if player is None or as_member:
            return seats
        blocked = await self._saver.io(self._own.blocks, timeline.now.opened.owner, player)
        return None if blocked else seats

    async def _latest(self, matches: set[str]) -> dict[str, Timeline]:
        found = {}
        for match_id in matches:
            table = await self._tables.find(uuid.UUID(match_id), fresh=True)
            if table is not None:
                found[match_id] = table.timeline
        return found

    async def _act(
        self,
        table: Table,
        player: Player,
        seat: int,
        expected: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        repeat: Idempotency | None,
        *,
        parallel: bool = False,
    ) -> Done:
        """Carries out a seat's commands, and waits a moment for the bots that it wakes."""
        with span("command", match=table.id, game=table.game, seat=seat):
            done = await self._carry_out(table, player, seat, expected, commands, repeat, parallel)
        return await self._settled(done, repeat)

    async def _carry_out(
        self,
        table: Table,
        player: Player,
        seat: int,
        expected: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        repeat: Idempotency | None,
        parallel: bool,
    ) -> Done:
        async with table.lock:
            if repeat and (earlier := await self._earlier(repeat, player)):
                return earlier
            if expected is None or expected != table.timeline.version:
                await self._tables.catch_up(table)
            for _ in range(TRIES):
                timeline = table.timeline
                self._check_seat(timeline, player, seat)
                current = expected in (None, timeline.version)
                if not current and not (parallel and timeline.undisturbed(seat, expected or 0)):
                    break
                twin = timeline.branch()
                asked = commands(timeline)
                _object_by_acting(twin, player, seat, asked)
                twin.play(seat, asked, clock(), seeded)
                try:
                    return await self._commit(table, timeline, twin, seat, repeat)
                except Taken:
                    # Another worker was quicker; perhaps with this very request.
                    if repeat and (earlier := await self._earlier(repeat, player)):
                        return earlier
                    await self._tables.catch_up(table)
            raise version_conflict(table.timeline.version)

    @staticmethod
    def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
        if seat not in held_seats(timeline, player.id):
            raise no_seat(timeline, player.id, seat)
        # What is said in a match that bears our signature was said by those who played it.
        if is_for_review(timeline) or timeline.now.opened.source == SIGNED_FILE:
            raise imported()

    async def _commit(
        self,
        table: Table,
        timeline: Timeline,
        twin: Timeline,
        seat: int,
        repeat: Idempotency | None,
        played: PlanPlayed | None = None,
        also: tuple[Notice, ...] = (),
    ) -> Done:
        """Saves, only then shows what happened, and wakes the bots if it is theirs to go on.

        ``played``: the plan that this carries out; ``also``: notifications that do not follow from
        the match alone, for people who get none that does."""
        before = timeline.version
        decisions = recorded(table.key, twin, twin.decisions.tail(len(timeline.decisions)))
        woken = self._bots.would_wake(table, twin)
        receipt = receipt_of(repeat, table.id, seat, before, twin.version, 200, woken)
        telling = told(table.id, timeline, twin)
        if played:
            telling = replace(telling, played=played)
        told_already = {notice.player for notice in telling.notices}
        if more := [notice for notice in also if notice.player not in told_already]:
            telling = replace(telling, notices=(*telling.notices, *more))
        await self._saver.save(decisions, receipt, telling)
        table.timeline = twin
        self._announce(table.id, twin.version)
        if self._lost_seat is not None:
            for moved, old, _new in twin.now.moved[len(timeline.now.moved) :]:
                self._lost_seat(table.id, old, moved)
        self._bots.wake(table)  # also those that went to sleep while this was saved
        return Done(table.id, twin, seat, before, woken=woken)

    async def _settled(self, done: Done, repeat: Idempotency | None) -> Done:
        """The answer with what the bots have done meanwhile; waits for them, but not for long.

        Called without the table's lock. Repeated requests get this very answer.
        """
        if not done.woken:
            return done
        table = await self._tables.find(uuid.UUID(done.match_id), fresh=False)
        if table is None:
            return done
        await self._bots.settled(table)
        after = max(done.timeline.version, table.timeline.version)
        if repeat:
            after = await self._saver.io(self._store.settle, repeat.key, after)
        return replace(done, timeline=await self._as_of(table.key, after), woken=False)

    async def _found(
        self,
        key: uuid.UUID,
        timeline: Timeline,
        status: int,
        player: Player,
        repeat: Idempotency | None,
    ) -> Done:
        """Saves a match that is new, or finds the one that the same request has made already."""
        decisions = recorded(key, timeline, timeline.decisions.tail(0))
        woken = bool(bots_to_act(timeline))
        receipt = receipt_of(repeat, str(key), 0, 0, timeline.version, status, woken)
        try:
            await self._saver.save(decisions, receipt, told(str(key), None, timeline))
        except Taken:
            # The key of the match is new, so it is the receipt that was there first.
            if repeat and (earlier := await self._earlier(repeat, player)):
                return await self._settled(earlier, repeat)
            raise
        table = self._tables.add(key, timeline)
        self._announce(table.id, timeline.version)
        self._bots.wake(table)
        return await self._settled(Done(table.id, timeline, 0, 0, status, woken), repeat)

    async def nudge(self, table: Table) -> bool:
        """Goes on where bots stopped or where the time of a seat or a phase is over.

        False when there was nothing to do, so that nobody asks again at the same version.
        """
        moved = await self._end_phase(table)
        woken = self._bots.would_wake(table, table.timeline)
        self._bots.wake(table)
        return moved or woken

    async def _end_phase(self, table: Table) -> bool:
        """Notes whose time has run out, and does what is due when that of a phase is over."""
        async with table.lock:
            await self._tables.catch_up(table)
            timeline = table.timeline
            if is_for_review(timeline):
                return False
            twin = timeline.branch()
            now = clock()
            # What time has run out by now comes before whatever is done.
            twin.play(None, [], now, seeded)
            if (deadline := deadline_of(twin)) is not None and deadline <= now:
                time_is_up(twin, now, seeded)
            if twin.version == timeline.version:
                return False
            try:
                await self._commit(table, timeline, twin, 0, None)
            except Taken:
                await self._tables.catch_up(table)
            return True

    async def _earlier(self, repeat: Idempotency, player: Player) -> Done | None:
        """What the same request led to before; `Fault` 422 when its body was another."""
        receipt = await self._saver.io(self._store.receipt, repeat.key)
        if receipt is None:
            return None
        if receipt.body != repeat.body:
            raise Fault(422, "key_reused", "This Idempotency-Key came with another body before.")
        timeline = await self._as_of(uuid.UUID(receipt.match), abs(receipt.after))
        woken = receipt.after < 0
        return Done(receipt.match, timeline, receipt.seat, receipt.before, receipt.status, woken)

    async def forget_receipts(self, before: int) -> int:
        """Forgets some receipts made earlier than ``before`` (milliseconds); gives how many."""
        return await self._saver.io(self._store.prune_receipts, before)

    async def _as_of(self, key: uuid.UUID, version: int) -> Timeline:
        """A match as it was when a decision had brought it to a version.

        Cut from the match in memory, so that it costs the same however long the match is.
        """
        table = await self._tables.find(key, fresh=False)
        assert table is not None  # of a match with a receipt there is the first decision
        if table.timeline.version < version:
            await self._tables.catch_up(table)
        return table.timeline.until(version)
