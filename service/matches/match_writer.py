"""Addition of decisions to matches, the basis of all match actions.

Decisions are computed on a branch and saved in one transaction; only then does the branch replace
the timeline that other requests and the bots see. The response waits a short time for bots, without
holding the lock.
"""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.match.commands import AnswerRecovery, ObjectToRecovery
from domain.match.seats import SIGNED_FILE
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.matches import problems
from service.matches.bot_runner import BotRunner, bots_to_act
from service.matches.idempotency import RequestFingerprint, build_receipt, to_stored_decisions
from service.matches.match_cache import LoadedMatch, MatchCache
from service.notifications.triggers import Notification, PlanPlayed, notifications_for
from service.observability.spans import span
from service.players.identity import Player
from service.store import Store, VersionConflict
from service.store.group_commit import GroupCommitWriter

MAX_ATTEMPTS = 8
"""Maximum number of attempts of an action while other workers write to the same match."""


def _object_to_recovery(
    branch: Timeline, player: Player, seat: int, commands: Sequence[Any]
) -> None:
    """Object on ``branch`` to an open recovery of one of the player's seats.

    Called before the player's commands are executed: a player who acts still has the device. Does
    not object if the commands answer a recovery or object themselves. Raises `ApiProblem` 403 if
    ``seat`` has moved to another device meanwhile.
    """
    if branch.latest.recovery is None:
        return
    branch.play(None, [], now_ms(), draws_from_seed)
    held = held_seats(branch, player.id)
    if seat not in held:
        raise problems.not_your_seat()
    request = branch.latest.recovery
    if request is None or request.about not in held:
        return
    if not any(isinstance(each, ObjectToRecovery | AnswerRecovery) for each in commands):
        branch.play(request.about, [ObjectToRecovery()], now_ms(), draws_from_seed)


def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
    if seat not in held_seats(timeline, player.id):
        raise problems.seat_not_held(timeline, player.id, seat)
    # A match from a file signed by this service keeps only the original players' messages.
    if is_for_review(timeline) or timeline.latest.opened.source == SIGNED_FILE:
        raise problems.imported_match_problem()


class ActionResult(Struct, frozen=True):
    """The result of an action: the match after it, as ``timeline``.

    ``seat``: the seat that acted; ``version_before``: the version before the action; ``status``:
    the HTTP status of the response; ``bots_started``: whether bots have been started, for which the
    response still has to wait a short time.
    """

    match_id: str
    timeline: Timeline
    seat: int
    version_before: int
    status: int = 200
    bots_started: bool = False


_R = TypeVar("_R", bound="ActionResult | None")


class Caller(Struct, frozen=True):
    """A player who acts in a match.

    ``fingerprint``: hashes that identify a repeated request, which gets the stored result; None
    without an Idempotency-Key.
    """

    player: Player
    match: LoadedMatch
    fingerprint: RequestFingerprint | None = None


@dataclass(kw_only=True, eq=False)
class MatchWriter:
    """Writer of decisions to matches: branches, saves, and retries after conflicts.

    ``announce(match_id, version)`` is called after each change, and ``on_seat_lost(match_id,
    player, seat)`` after a seat has moved from a player to another device.
    """

    store: Store
    saver: GroupCommitWriter
    matches: MatchCache
    bots: BotRunner
    announce: Callable[[str, int], None]
    on_seat_lost: Callable[[str, str, int], None]

    async def run_action(
        self,
        caller: Caller,
        seat: int,
        commands: Callable[[Timeline], Sequence[Any]],
        *,
        expected_version: int | None = None,
        allow_parallel: bool = False,
    ) -> ActionResult:
        """Execute commands of a seat, and wait a short time for the bots that this starts.

        ``commands``: returns the commands for a timeline. ``expected_version``: the version that
        the caller has seen, None for any. ``allow_parallel``: whether to accept an older version if
        the seat's choices have not been affected since. Raises `ApiProblem` 403 if the player does
        not hold the seat, 409 ``imported`` or ``version_conflict``.
        """
        player, match, fingerprint = caller.player, caller.match, caller.fingerprint

        async def attempt(timeline: Timeline) -> ActionResult:
            _check_seat(timeline, player, seat)
            current = expected_version in (None, timeline.version)
            if not current and not (
                allow_parallel and timeline.still_valid_since(seat, expected_version or 0)
            ):
                raise problems.version_conflict(timeline.version)
            branch = timeline.branch()
            requested = commands(timeline)
            _object_to_recovery(branch, player, seat, requested)
            branch.play(seat, requested, now_ms(), draws_from_seed)
            return await self.save_branch(match, timeline, branch, seat, fingerprint)

        with span("command", match=match.id, game=match.game, seat=seat):
            result = await self.retry_on_conflict(
                match, attempt, fingerprint, fresh=True, unless_at=expected_version
            )
        return await self.wait_for_bots(result, fingerprint)

    async def retry_on_conflict(
        self,
        match: LoadedMatch,
        attempt: Callable[[Timeline], Awaitable[_R]],
        fingerprint: RequestFingerprint | None = None,
        *,
        fresh: bool = False,
        unless_at: int | None = None,
    ) -> _R | ActionResult:
        """Return the result of ``attempt(timeline)``, a change that starts from that timeline.

        Holds the lock of the match. If `VersionConflict` is raised because another worker has
        written to the match, ``attempt`` is called again with the newer timeline, up to
        `MAX_ATTEMPTS` times in total; then `ApiProblem` 409 ``version_conflict`` is raised.
        ``fingerprint``: identifies a repeated request, which gets the stored result. ``fresh``:
        whether to load decisions of other workers before the first attempt, ``unless_at``: unless
        the match is at this version once the lock is held.
        """
        async with match.lock:
            if earlier := await self._find_result(fingerprint):
                return earlier
            if fresh and match.timeline.version != unless_at:
                await self.matches.catch_up(match)
            for _ in range(MAX_ATTEMPTS):
                try:
                    return await attempt(match.timeline)
                except VersionConflict:
                    # The other worker may have executed the same request.
                    if earlier := await self._find_result(fingerprint):
                        return earlier
                    await self.matches.catch_up(match)
            raise problems.version_conflict(match.timeline.version)

    async def save_branch(
        self,
        match: LoadedMatch,
        timeline: Timeline,
        branch: Timeline,
        seat: int,
        fingerprint: RequestFingerprint | None = None,
        *,
        plan_played: PlanPlayed | None = None,
        extra_notifications: tuple[Notification, ...] = (),
    ) -> ActionResult:
        """Save a branch, then publish it and start the bots if they are to move.

        The caller must hold the lock of the match, as in `retry_on_conflict`. ``timeline``: the
        timeline from which the branch was made; ``plan_played``: the plan that the branch executes;
        ``extra_notifications``: notifications that cannot be derived from the match, sent only to
        players who get no other. Raises `VersionConflict` if another worker has written to the
        match.
        """
        before = timeline.version
        decisions = to_stored_decisions(
            match.key, branch, branch.decisions.tail(len(timeline.decisions))
        )
        bots_started = self.bots.can_start(match, branch)
        receipt = build_receipt(
            fingerprint, match.id, seat, before, branch.version, 200, bots_started
        )
        notifications = notifications_for(match.id, timeline, branch)
        if plan_played:
            notifications = replace(notifications, plan_played=plan_played)
        notified_players = {notice.player for notice in notifications.notifications}
        if more := [
            notice for notice in extra_notifications if notice.player not in notified_players
        ]:
            notifications = replace(
                notifications, notifications=(*notifications.notifications, *more)
            )
        await self.saver.save(decisions, receipt, notifications)
        match.timeline = branch
        self.announce(match.id, branch.version)
        for moved, old, _new in branch.latest.moved[len(timeline.latest.moved) :]:
            self.on_seat_lost(match.id, old, moved)
        self.bots.start(match)  # Including bots that stopped during the save.
        return ActionResult(match.id, branch, seat, before, bots_started=bots_started)

    async def wait_for_bots(
        self, result: ActionResult, fingerprint: RequestFingerprint | None
    ) -> ActionResult:
        """Wait a limited time for the bots and return the result with their moves.

        Must be called without the match's lock. The receipt is updated, so that a repeated request
        gets the same response. Returns the result unchanged if no bots were started.
        """
        if not result.bots_started:
            return result
        match = await self.matches.find(uuid.UUID(result.match_id), fresh=False)
        if match is None:
            return result
        await self.bots.wait_for_bots(match)
        after = max(result.timeline.version, match.timeline.version)
        if fingerprint:
            after = await self.saver.run(self.store.complete_receipt, fingerprint.key, after)
        return replace(
            result, timeline=await self._at_version(match.key, after), bots_started=False
        )

    async def create_match(
        self, key: uuid.UUID, timeline: Timeline, fingerprint: RequestFingerprint | None
    ) -> ActionResult:
        """Save a new match, or return the match that the same request has already created.

        The status of the result is 201. Raises `VersionConflict` if the match exists and was not
        created by the same request.
        """
        decisions = to_stored_decisions(key, timeline, timeline.decisions.tail(0))
        bots_started = bool(bots_to_act(timeline))
        receipt = build_receipt(fingerprint, str(key), 0, 0, timeline.version, 201, bots_started)
        try:
            await self.saver.save(decisions, receipt, notifications_for(str(key), None, timeline))
        except VersionConflict:
            # The id of the match is usually new, so it is the receipt that already exists.
            if earlier := await self.replay(fingerprint):
                return earlier
            raise
        table = self.matches.add(key, timeline)
        self.announce(table.id, timeline.version)
        self.bots.start(table)
        return await self.wait_for_bots(
            ActionResult(table.id, timeline, 0, 0, 201, bots_started), fingerprint
        )

    async def replay(self, fingerprint: RequestFingerprint | None) -> ActionResult | None:
        """Return the stored result of a repeated request, or None for a new request.

        Waits for bots if the first response still had to. Raises `ApiProblem` 422 ``key_reused`` if
        the key was used with another body.
        """
        found = await self._find_result(fingerprint)
        return await self.wait_for_bots(found, fingerprint) if found else None

    async def _find_result(self, fingerprint: RequestFingerprint | None) -> ActionResult | None:
        if fingerprint is None:
            return None
        receipt = await self.saver.run(self.store.find_receipt, fingerprint.key)
        if receipt is None:
            return None
        if receipt.body != fingerprint.body:
            raise ApiProblem(422, "key_reused", "error.key_reused")
        timeline = await self._at_version(uuid.UUID(receipt.match), abs(receipt.after))
        bots_started = receipt.after < 0
        return ActionResult(
            receipt.match, timeline, receipt.seat, receipt.before, receipt.status, bots_started
        )

    async def prune_receipts(self, before: int) -> int:
        """Delete some receipts made before ``before`` (ms since 1970 UTC); return their number."""
        return await self.saver.run(self.store.prune_receipts, before)

    async def _at_version(self, key: uuid.UUID, version: int) -> Timeline:
        """Return a match at a version, which must be the end of one of its decisions.

        The result is derived from the match in memory, so the cost does not depend on its length.
        """
        match = await self.matches.find(key, fresh=False)
        assert match is not None  # A receipt is stored together with a decision of its match.
        if match.timeline.version < version:
            await self.matches.catch_up(match)
        return match.timeline.branch_until(version)
