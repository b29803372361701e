"""Addition of decisions to matches, the basis of all match actions.

Decisions are computed on a branch and saved in one transaction; only then does the branch replace
the timeline that other requests and the bots see. The response waits a short time for bots, without
holding the lock.
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
from domain.match.deadlines import end_expired_phase, phase_deadline
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.common.coalescing import Coalescer
from service.http.problems import ApiProblem
from service.http.rate_limits import SocialLimits
from service.matches.access import can_view
from service.matches.bot_runner import BotRunner, bots_to_act
from service.matches.idempotency import RequestFingerprint, build_receipt, to_stored_decisions
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.problems import (
    imported_match_problem,
    no_such_match,
    not_your_seat,
    seat_not_held,
    version_conflict,
)
from service.matches.share_codes import ShareCodes
from service.matches.signing import SigningKeys
from service.notifications.triggers import Notification, PlanPlayed, notifications_for
from service.observability.spans import span
from service.players.identity import Player
from service.social.personal_store import Contact, PersonalStore
from service.store import Store, VersionConflict
from service.store.group_commit import GroupCommitWriter

MAX_ATTEMPTS = 8
"""Maximum number of attempts of an action while other workers write to the same match."""


@lru_cache(4096)
def _parse_match_id(match_id: str) -> uuid.UUID | None:
    """Parse a match id; return None if it is not a UUID in canonical form."""
    try:
        key = uuid.UUID(match_id)
    except ValueError:
        return None
    return key if str(key) == match_id else None


def _no_access(match: LoadedMatch, caller: str | None) -> ApiProblem:
    """Return `ApiProblem` 404 for a caller without access to the match.

    The problem tells a player whose seat has moved to another device so, with ``seat_moved``;
    everyone else gets the same problem as for a match that does not exist.
    """
    if any(old == caller for _seat, old, _new in match.timeline.latest.moved):
        return ApiProblem(
            404,
            "no_such_match",
            "Your seat at this table has moved to another device.",
            seat_moved=True,
        )
    return no_such_match()


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
        raise not_your_seat()
    request = branch.latest.recovery
    if request is None or request.about not in held:
        return
    if not any(isinstance(each, ObjectToRecovery | AnswerRecovery) for each in commands):
        branch.play(request.about, [ObjectToRecovery()], now_ms(), draws_from_seed)


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


class ContactList(Protocol):
    """The data about players' contacts that actions need.

    ``personal``: mutes and blocks; ``list_contacts``: returns the contacts of a player, for whom
    the player can reserve seats.
    """

    personal: PersonalStore

    async def list_contacts(self, player: str) -> list[Contact]: ...


class MatchWriter:
    """Base class of the match actions.

    ``announce(match_id, version)`` is called after each change, and ``on_seat_lost(match_id,
    player, seat)`` after a seat has moved from a player to another device.
    """

    def __init__(
        self,
        store: Store,
        writer: GroupCommitWriter,
        matches: MatchCache,
        keys: SigningKeys,
        announce: Callable[[str, int], None],
        limits: SocialLimits,
        bots: BotRunner,
        share_codes: ShareCodes,
        contacts: ContactList,
        on_seat_lost: Callable[[str, str, int], None] | None = None,
    ) -> None:
        self._on_seat_lost = on_seat_lost
        self._contacts = contacts
        self._personal = contacts.personal
        self._store = store
        self._writer = writer
        self._matches = matches
        self._keys = keys
        self._announce = announce
        self._limits = limits
        self._bots = bots
        self.share_codes = share_codes
        self._latest_timelines: Coalescer[str, dict[str, Timeline]] = Coalescer(self._load_latest)

    async def find_match(
        self,
        match_id: str,
        player: Player | None,
        invite: str | None = None,
        *,
        fresh: bool = True,
    ) -> LoadedMatch:
        """Return a match that the caller may see; also restarts its bots if they have stopped.

        ``invite``: an invite or share code; ``fresh``: as in `MatchCache.find`. Raises `ApiProblem`
        404 if there is no such match or the caller may not see it.
        """
        key = _parse_match_id(match_id)
        match = await self._matches.find(key, fresh=fresh) if key else None
        if match is None:
            raise no_such_match()
        self._bots.wake_if_stalled(match)
        caller = player.id if player else None
        if not self._can_view(match.id, match.timeline, caller, invite):
            # The caller may have joined through another worker.
            if not fresh:
                await self._matches.catch_up(match)
            if fresh or not self._can_view(match.id, match.timeline, caller, invite):
                raise _no_access(match, caller)
        return match

    def _can_view(
        self, match_id: str, timeline: Timeline, caller: str | None, code: str | None
    ) -> bool:
        by_code = self.share_codes.accepts(match_id, timeline, code)
        return by_code or can_view(timeline, caller, code)

    async def accessible_seats(
        self, match_id: str, version: int, player: str | None, code: str | None
    ) -> frozenset[int] | None:
        """Return the seats that a player holds in a match at a version or later.

        ``code``: an invite or share code. Returns None if the caller may not see the match. An
        invite gives no access to a player whom the host has blocked. Concurrent calls for one match
        share the query for decisions that this worker does not have yet.
        """
        timeline = self._matches.peek(uuid.UUID(match_id))
        if timeline is None or timeline.version < version:
            timeline = (await self._latest_timelines.submit(match_id)).get(match_id)
        if timeline is None or not self._can_view(match_id, timeline, player, code):
            return None
        seats = frozenset(held_seats(timeline, player))
        as_member = can_view(timeline, player) or self.share_codes.accepts(match_id, timeline, code)
        if player is None or as_member:
            return seats
        blocked = await self._writer.run(
            self._personal.is_blocked, timeline.latest.opened.owner, player
        )
        return None if blocked else seats

    async def _load_latest(self, matches: set[str]) -> dict[str, Timeline]:
        found = {}
        for match_id in matches:
            match = await self._matches.find(uuid.UUID(match_id), fresh=True)
            if match is not None:
                found[match_id] = match.timeline
        return found

    async def run_action(
        self,
        match: LoadedMatch,
        player: Player,
        seat: int,
        expected_version: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        fingerprint: RequestFingerprint | None,
        *,
        allow_parallel: bool = False,
    ) -> ActionResult:
        """Execute commands of a seat, and wait a short time for the bots that this starts.

        ``expected_version``: the version that the caller has seen, None for any. ``commands``:
        returns the commands for a timeline. ``fingerprint``: identifies a repeated request, which
        gets the stored result. ``allow_parallel``: whether to accept an older version if the seat's
        choices have not been affected since. Raises `ApiProblem` 403 if the player does not hold
        the seat, 409 ``imported`` or ``version_conflict``.
        """
        with span("command", match=match.id, game=match.game, seat=seat):
            done = await self._try_action(
                match, player, seat, expected_version, commands, fingerprint, allow_parallel
            )
        return await self._wait_for_bots(done, fingerprint)

    async def _try_action(
        self,
        match: LoadedMatch,
        player: Player,
        seat: int,
        expected_version: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        fingerprint: RequestFingerprint | None,
        allow_parallel: bool,
    ) -> ActionResult:
        async with match.lock:
            if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
                return earlier
            if expected_version is None or expected_version != match.timeline.version:
                await self._matches.catch_up(match)
            for _ in range(MAX_ATTEMPTS):
                timeline = match.timeline
                self._check_seat(timeline, player, seat)
                current = expected_version in (None, timeline.version)
                if not current and not (
                    allow_parallel and timeline.still_valid_since(seat, expected_version or 0)
                ):
                    break
                branch = timeline.branch()
                requested = commands(timeline)
                _object_to_recovery(branch, player, seat, requested)
                branch.play(seat, requested, now_ms(), draws_from_seed)
                try:
                    return await self._save_branch(match, timeline, branch, seat, fingerprint)
                except VersionConflict:
                    # Another worker wrote first, possibly for the same request.
                    if fingerprint and (
                        earlier := await self._replayed_result(fingerprint, player)
                    ):
                        return earlier
                    await self._matches.catch_up(match)
            raise version_conflict(match.timeline.version)

    @staticmethod
    def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
        if seat not in held_seats(timeline, player.id):
            raise seat_not_held(timeline, player.id, seat)
        # A match from a file signed by this service keeps only the original players' messages.
        if is_for_review(timeline) or timeline.latest.opened.source == SIGNED_FILE:
            raise imported_match_problem()

    async def _save_branch(
        self,
        match: LoadedMatch,
        timeline: Timeline,
        branch: Timeline,
        seat: int,
        fingerprint: RequestFingerprint | None,
        plan_played: PlanPlayed | None = None,
        extra_notifications: tuple[Notification, ...] = (),
    ) -> ActionResult:
        """Save a branch, then publish it and start the bots if they are to move.

        ``timeline``: the timeline from which the branch was made; ``plan_played``: the plan that
        the branch executes; ``extra_notifications``: notifications that cannot be derived from the
        match, sent only to players who get no other. Raises `VersionConflict` if another worker has
        written to the match.
        """
        before = timeline.version
        decisions = to_stored_decisions(
            match.key, branch, branch.decisions.tail(len(timeline.decisions))
        )
        bots_started = self._bots.can_start(match, branch)
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
        await self._writer.save(decisions, receipt, notifications)
        match.timeline = branch
        self._announce(match.id, branch.version)
        if self._on_seat_lost is not None:
            for moved, old, _new in branch.latest.moved[len(timeline.latest.moved) :]:
                self._on_seat_lost(match.id, old, moved)
        self._bots.start(match)  # Including bots that stopped during the save.
        return ActionResult(match.id, branch, seat, before, bots_started=bots_started)

    async def _wait_for_bots(
        self, result: ActionResult, fingerprint: RequestFingerprint | None
    ) -> ActionResult:
        """Wait a limited time for the bots and return the result with their moves.

        Must be called without the match's lock. The receipt is updated, so that a repeated request
        gets the same response. Returns the result unchanged if no bots were started.
        """
        if not result.bots_started:
            return result
        match = await self._matches.find(uuid.UUID(result.match_id), fresh=False)
        if match is None:
            return result
        await self._bots.wait_for_bots(match)
        after = max(result.timeline.version, match.timeline.version)
        if fingerprint:
            after = await self._writer.run(self._store.complete_receipt, fingerprint.key, after)
        return replace(
            result, timeline=await self._at_version(match.key, after), bots_started=False
        )

    async def _create_match(
        self,
        key: uuid.UUID,
        timeline: Timeline,
        status: int,
        player: Player,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Save a new match, or return the match that the same request has already created.

        Raises `VersionConflict` if the match exists and was not created by the same request.
        """
        decisions = to_stored_decisions(key, timeline, timeline.decisions.tail(0))
        bots_started = bool(bots_to_act(timeline))
        receipt = build_receipt(fingerprint, str(key), 0, 0, timeline.version, status, bots_started)
        try:
            await self._writer.save(decisions, receipt, notifications_for(str(key), None, timeline))
        except VersionConflict:
            # The id of the match is usually new, so it is the receipt that already exists.
            if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
                return await self._wait_for_bots(earlier, fingerprint)
            raise
        table = self._matches.add(key, timeline)
        self._announce(table.id, timeline.version)
        self._bots.start(table)
        return await self._wait_for_bots(
            ActionResult(table.id, timeline, 0, 0, status, bots_started), fingerprint
        )

    async def advance(self, match: LoadedMatch) -> bool:
        """Restart stopped bots, and record expired time limits of seats and of the phase.

        Returns False if there was nothing to do; the scheduler then waits longer.
        """
        moved = await self._record_time_outs(match)
        bots_started = self._bots.can_start(match, match.timeline)
        self._bots.start(match)
        return moved or bots_started

    async def _record_time_outs(self, match: LoadedMatch) -> bool:
        """Record time-outs of seats, and play the game's own commands if a phase has expired.

        Returns whether there was anything to record.
        """
        async with match.lock:
            await self._matches.catch_up(match)
            timeline = match.timeline
            if is_for_review(timeline):
                return False
            branch = timeline.branch()
            now = now_ms()
            # Record all time-outs up to now before anything else.
            branch.play(None, [], now, draws_from_seed)
            if (deadline := phase_deadline(branch)) is not None and deadline <= now:
                end_expired_phase(branch, now, draws_from_seed)
            if branch.version == timeline.version:
                return False
            try:
                await self._save_branch(match, timeline, branch, 0, None)
            except VersionConflict:
                await self._matches.catch_up(match)
            return True

    async def _replayed_result(
        self, fingerprint: RequestFingerprint, player: Player
    ) -> ActionResult | None:
        """Return the stored result of a repeated request, or None for a new request.

        Raises `ApiProblem` 422 ``key_reused`` if the key was used with another body.
        """
        receipt = await self._writer.run(self._store.find_receipt, fingerprint.key)
        if receipt is None:
            return None
        if receipt.body != fingerprint.body:
            raise ApiProblem(
                422, "key_reused", "This Idempotency-Key came with another body before."
            )
        timeline = await self._at_version(uuid.UUID(receipt.match), abs(receipt.after))
        bots_started = receipt.after < 0
        return ActionResult(
            receipt.match, timeline, receipt.seat, receipt.before, receipt.status, bots_started
        )

    async def prune_receipts(self, before: int) -> int:
        """Delete some receipts made before ``before`` (ms since 1970 UTC); return their number."""
        return await self._writer.run(self._store.prune_receipts, before)

    async def _at_version(self, key: uuid.UUID, version: int) -> Timeline:
        """Return a match at a version, which must be the end of one of its decisions.

        The result is derived from the match in memory, so the cost does not depend on its length.
        """
        match = await self._matches.find(key, fresh=False)
        assert match is not None  # A receipt is stored together with a decision of its match.
        if match.timeline.version < version:
            await self._matches.catch_up(match)
        return match.timeline.branch_until(version)
