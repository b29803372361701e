"""Adding decisions to matches, the base of all match actions.

Decisions are computed on a branch and saved in one transaction; only then does the branch replace
the timeline that others and the bots see. The answer waits a short time for bots, without the lock.
"""

import uuid
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.match import (
    SIGNED_FILE,
    AnswerRecovery,
    ObjectToRecovery,
    Timeline,
)
from domain.match.deadlines import phase_deadline, end_expired_phase
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import clock
from service.common.coalescing import Rounds
from service.http.problems import Fault
from service.http.rate_limits import Pace
from service.matches.access import may_look
from service.matches.bot_runner import Bots, bots_to_act
from service.matches.idempotency import Idempotency, receipt_of, recorded
from service.matches.match_cache import Table, Tables
from service.matches.problems import (
    imported,
    no_seat,
    no_such_match,
    not_your_seat,
    version_conflict,
)
from service.matches.share_codes import Codes
from service.matches.signing import Keys
from service.notifications.triggers import Notice, PlanPlayed, told
from service.observability.spans import span
from service.players.identity import Player
from service.social.personal_store import Companion, Own
from service.store import Store, Taken
from service.store.group_commit import Saver

TRIES = 8
"""Number of attempts of an action when other workers write to the same match."""


@lru_cache(4096)
def _key_of(match_id: str) -> uuid.UUID | None:
    """Parse the id of a match; None unless it is a UUID in canonical form."""
    try:
        key = uuid.UUID(match_id)
    except ValueError:
        return None
    return key if str(key) == match_id else None


def _not_open_to(table: Table, caller: str | None) -> Fault:
    """Return `Fault` 404 for a caller without access to the match.

    A player whose seat has moved to another device gets that reason and ``seat_moved``; everyone
    else the same answer as for a match that does not exist.
    """
    if any(old == caller for _seat, old, _new in table.timeline.latest.moved):
        return Fault(
            404,
            "no_such_match",
            "Your seat at this table has moved to another device.",
            seat_moved=True,
        )
    return no_such_match()


def _object_by_acting(twin: Timeline, player: Player, seat: int, commands: Sequence[Any]) -> None:
    """Object to an open recovery of the player's seat before executing their commands.

    A player who acts still has their device. Raises `Fault` 403 where the seat has moved by now.
    """
    if twin.latest.recovery is None:
        return
    twin.play(None, [], clock(), draws_from_seed)
    held = held_seats(twin, player.id)
    if seat not in held:
        raise not_your_seat()
    request = twin.latest.recovery
    if request is None or request.about not in held:
        return
    if not any(isinstance(each, ObjectToRecovery | AnswerRecovery) for each in commands):
        twin.play(request.about, [ObjectToRecovery()], clock(), draws_from_seed)


class Done(Struct, frozen=True):
    """The result of an action: the match up to ``timeline.version``.

    ``before``: the version before the action; ``status``: the HTTP status of the answer;
    ``woken``: bots have been started, and the answer waits a short time for them.
    """

    match_id: str
    timeline: Timeline
    seat: int
    before: int
    status: int = 200
    woken: bool = False


class ContactList(Protocol):
    """What actions need to know about the contacts of players.

    ``own``: mutes and blocks; ``known``: the contacts of a player, for whom seats can be reserved.
    """

    own: Own

    async def known(self, player: str) -> list[Companion]: ...


class Commits:
    """Base class of the match actions.

    ``announce(match_id, version)`` is called after each change, ``lost_seat(match_id, player,
    seat)`` when a seat has moved from a player to another device.
    """

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
        company: ContactList,
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
        """Return a match that the caller may see; raises `Fault` 404 otherwise.

        ``invite``: an invite or share code; ``fresh``: see `Tables.find`.
        """
        key = _key_of(match_id)
        table = await self._tables.find(key, fresh=fresh) if key else None
        if table is None:
            raise no_such_match()
        self._bots.remind(table)
        caller = player.id if player else None
        if not self._opens(table.id, table.timeline, caller, invite):
            # The caller may have joined through another worker.
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
        """Return the seats a caller holds in a match at the version or later; None without access.

        An invite gives no access to the stream to a player whom the host has blocked. Concurrent
        calls for one match share the read of decisions that this worker does not have yet.
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
        blocked = await self._saver.io(self._own.blocks, timeline.latest.opened.owner, player)
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
        """Execute commands of a seat, and wait a short time for the bots this starts.

        ``expected``: the version the caller has seen, None for any. ``parallel``: accept an older
        one if the seat's choices are undisturbed since. Raises `Fault` 409 ``version_conflict``.
        """
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
                if not current and not (parallel and timeline.still_valid_since(seat, expected or 0)):
                    break
                twin = timeline.branch()
                asked = commands(timeline)
                _object_by_acting(twin, player, seat, asked)
                twin.play(seat, asked, clock(), draws_from_seed)
                try:
                    return await self._commit(table, timeline, twin, seat, repeat)
                except Taken:
                    # Another worker wrote first, perhaps for this very request.
                    if repeat and (earlier := await self._earlier(repeat, player)):
                        return earlier
                    await self._tables.catch_up(table)
            raise version_conflict(table.timeline.version)

    @staticmethod
    def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
        if seat not in held_seats(timeline, player.id):
            raise no_seat(timeline, player.id, seat)
        # A match from a file with our signature keeps the messages of those who played it.
        if is_for_review(timeline) or timeline.latest.opened.source == SIGNED_FILE:
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
        """Save the branch, then publish it and start the bots if they are to move.

        ``played``: the plan that is executed by this; ``also``: notifications that do not follow
        from the match alone, for people who get none that does. Raises `Taken` if another worker
        has written to the match.
        """
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
            for moved, old, _new in twin.latest.moved[len(timeline.latest.moved) :]:
                self._lost_seat(table.id, old, moved)
        self._bots.wake(table)  # also bots that stopped while this was saved
        return Done(table.id, twin, seat, before, woken=woken)

    async def _settled(self, done: Done, repeat: Idempotency | None) -> Done:
        """Wait a limited time for the bots and return the result with their moves.

        Called without the lock of the match. The receipt is updated, so that a repeated request
        gets the same answer.
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
        """Save a new match, or return the one that the same request has created already."""
        decisions = recorded(key, timeline, timeline.decisions.tail(0))
        woken = bool(bots_to_act(timeline))
        receipt = receipt_of(repeat, str(key), 0, 0, timeline.version, status, woken)
        try:
            await self._saver.save(decisions, receipt, told(str(key), None, timeline))
        except Taken:
            # Usually the key of the match is new, so it is the receipt that exists already.
            if repeat and (earlier := await self._earlier(repeat, player)):
                return await self._settled(earlier, repeat)
            raise
        table = self._tables.add(key, timeline)
        self._announce(table.id, timeline.version)
        self._bots.wake(table)
        return await self._settled(Done(table.id, timeline, 0, 0, status, woken), repeat)

    async def nudge(self, table: Table) -> bool:
        """Start stopped bots, and record time limits of seats and of the phase that are over.

        Returns False when there was nothing to do, so that the scheduler does not ask again soon.
        """
        moved = await self._end_phase(table)
        woken = self._bots.would_wake(table, table.timeline)
        self._bots.wake(table)
        return moved or woken

    async def _end_phase(self, table: Table) -> bool:
        """Record time-outs of seats, and play the game's own commands when a phase is over.

        Returns whether there was something to do.
        """
        async with table.lock:
            await self._tables.catch_up(table)
            timeline = table.timeline
            if is_for_review(timeline):
                return False
            twin = timeline.branch()
            now = clock()
            # Time-outs up to now are recorded before anything else.
            twin.play(None, [], now, draws_from_seed)
            if (deadline := phase_deadline(twin)) is not None and deadline <= now:
                end_expired_phase(twin, now, draws_from_seed)
            if twin.version == timeline.version:
                return False
            try:
                await self._commit(table, timeline, twin, 0, None)
            except Taken:
                await self._tables.catch_up(table)
            return True

    async def _earlier(self, repeat: Idempotency, player: Player) -> Done | None:
        """Return the result of the same request made before, None for a new one.

        Raises `Fault` 422 ``key_reused`` when the key came with another body.
        """
        receipt = await self._saver.io(self._store.receipt, repeat.key)
        if receipt is None:
            return None
        if receipt.body != repeat.body:
            raise Fault(422, "key_reused", "This Idempotency-Key came with another body before.")
        timeline = await self._as_of(uuid.UUID(receipt.match), abs(receipt.after))
        woken = receipt.after < 0
        return Done(receipt.match, timeline, receipt.seat, receipt.before, receipt.status, woken)

    async def forget_receipts(self, before: int) -> int:
        """Delete some receipts made before an instant (ms since 1970 UTC); return how many."""
        return await self._saver.io(self._store.prune_receipts, before)

    async def _as_of(self, key: uuid.UUID, version: int) -> Timeline:
        """Return a match as it stood at the end of a decision, given by version.

        It is cut from the match in memory, so the cost does not depend on the match's length.
        """
        table = await self._tables.find(key, fresh=False)
        assert table is not None  # a receipt is stored together with a decision of its match
        if table.timeline.version < version:
            await self._tables.catch_up(table)
        return table.timeline.branch_until(version)
