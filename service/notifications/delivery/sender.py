"""The notification sender, which claims due outbox rows, checks them and sends them.

A notification is sent only if it still applies, the player's preferences allow it now, and the
player is not using the match. Several matches that wait for a player are combined into one message.
Temporary failures are retried with increasing delays for a day. Players are served independently:
the outbox is polled again while messages are being sent. A channel that fails repeatedly is paused,
and its owner is notified through another channel.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from uuid import UUID

from domain.match.clocks import is_automatic
from domain.match.deadlines import seat_deadlines
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, seats_to_act
from projections.summary import Summary
from service.common.clock import now_ms
from service.http.i18n import Languages, set_language
from service.matches.match_cache import MatchCache
from service.notifications import timeouts, triggers
from service.notifications.channels import Channel, ChannelStore, Preferences, quiet_until
from service.notifications.delivery.message_text import (
    message_for_matches,
    message_for_row,
    pause_message,
    unseen_chat_messages,
)
from service.notifications.delivery.transports import Transports
from service.notifications.mail_link_codes import MailLinkCodes
from service.notifications.message import COMBINED_TAG, Message, message_tag
from service.notifications.outbox import Outbox
from service.notifications.outbox_sql import WITHDRAWN, OutboxRow
from service.notifications.presence import Presence
from service.notifications.push import PushWithdrawal
from service.notifications.safe_http import DeliveryResult
from service.observability import metrics
from service.social.personal_store import BlockList, PersonalStore
from service.store.store import RunQuery

log = logging.getLogger("caravanserai")

POLL_INTERVAL_S = 1.0
"""Interval in seconds between polls of the outbox while nothing is due."""
PRESENCE_RECHECK_MS = 30_000
"""Milliseconds after which a row is checked again if its player is using the match."""
ACTIVE_AFTER_MOVE_MS = 120_000
"""Milliseconds for which players count as present after their own last action in the match."""
MIN_GAP_MS = 300_000
"""Minimum milliseconds between a turn notification and an earlier one that still applies."""
MAX_RETRY_AGE_MS = 86_400_000
"""Milliseconds after the first attempt for which a row is retried."""
_FIRST_RETRY_DELAY_MS, _MAX_RETRY_DELAY_MS = 30_000, 3_600_000
"""Delay before the first retry and maximum delay between retries, in milliseconds."""
_MAX_PREPARING = 8
"""Maximum number of players whose rows are prepared at once, which loads matches and queries the
database."""
_MAX_SENDING = 512
"""Maximum number of players who are sent to at once. It exceeds the connection pools of
`SafeHttpClient`, so that calls queue there, which ends hanging calls early
(`service.notifications.bulkheads`)."""
BUSY_DELAY_MS = 1_000
"""Milliseconds for which a row is postponed if other rows of its player are being sent."""
_ROUNDS_PER_PRUNING = 900
"""Number of sender loop iterations between prunings of the outbox."""

DROP = -1
"""Sentinel returned instead of a time to check a row again: the row need not be sent at all."""

ReadyRow = tuple[OutboxRow, Timeline]


@dataclass(kw_only=True, eq=False)
class NotificationSender:
    """A worker's background task that sends notifications.

    ``run_query`` runs a database call and awaits its result; ``count_waiting`` returns the number
    of matches that wait for a player, ``list_waiting`` the matches themselves; ``max_failures``:
    the number of consecutive failures at which a channel is paused, 0 for never.
    """

    outbox: Outbox
    channels: ChannelStore
    matches: MatchCache
    presence: Presence
    transports: Transports
    languages: Languages
    personal: PersonalStore
    codes: MailLinkCodes
    run_query: RunQuery
    count_waiting: Callable[[str], int]
    list_waiting: Callable[[str], list[Summary]]
    max_failures: int = 0
    _sending: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._preparing = asyncio.Semaphore(_MAX_PREPARING)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send notifications in the background while the block runs.

        Sends still in progress at the end of the block are cancelled; their rows are sent again
        once their claims have expired.
        """
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            tasks = [task, *self._sending.values()]
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        rounds = 0
        while True:
            try:
                if len(self._sending) >= _MAX_SENDING:
                    await asyncio.wait(self._sending.values(), return_when=asyncio.FIRST_COMPLETED)
                if not await self.start_batch():
                    await asyncio.sleep(POLL_INTERVAL_S)
                if rounds % _ROUNDS_PER_PRUNING == 0:
                    await self.run_query(self.outbox.prune, now_ms())
                rounds += 1
            except Exception as error:
                # Whatever the error, claimed rows are sent again once their claims have expired.
                log.error("notifications: %s", type(error).__name__)
                await asyncio.sleep(POLL_INTERVAL_S)

    async def start_batch(self) -> int:
        """Claim the due rows of some players and start sending them.

        Returns the number of claimed rows. Rows of players who are still being sent to are
        postponed by `BUSY_DELAY_MS`.
        """
        rows: list[OutboxRow] = await self.run_query(self.outbox.claim, now_ms())
        by_player = groupby(sorted(rows, key=lambda row: row.player), key=lambda row: row.player)
        for player, player_rows in by_player:
            if player in self._sending:
                # Combining matches and spacing out messages depend on what was sent last.
                for row in player_rows:
                    await self.run_query(self.outbox.postpone, row, now_ms() + BUSY_DELAY_MS)
                continue
            task = asyncio.create_task(self._process_player_safely(player, list(player_rows)))
            self._sending[player] = task
        return len(rows)

    async def _process_player_safely(self, player: str, rows: list[OutboxRow]) -> None:
        try:
            await self._process_player(player, rows)
        except Exception as error:
            log.error("notices: %s", type(error).__name__)
        finally:
            del self._sending[player]

    async def _process_player(self, player: str, rows: list[OutboxRow]) -> None:
        async with self._preparing:
            withdrawn, ready, channels, silenced_players = await self._prepare(player, rows)
        if withdrawn:
            await self._withdraw(player, withdrawn, channels)
        now = now_ms()
        await self._send_ready(
            player,
            ready,
            [channel for channel in channels if not channel.is_paused(now)],
            silenced_players,
        )
        if self.max_failures and ready:
            await self._warn_of_pause(player)

    async def _prepare(
        self, player: str, rows: list[OutboxRow]
    ) -> tuple[list[OutboxRow], list[ReadyRow], list[Channel], Collection[str]]:
        """Classify a player's claimed rows; drop or postpone those that must not be sent now.

        Returns the rows to withdraw, the rows to send, the player's confirmed channels, and the
        players whom they have muted or blocked.
        """
        channels = await self._confirmed_channels(player)
        resumes = min((channel.paused for channel in channels), default=0)
        preferences = await self.run_query(self.channels.preferences, player)
        block_list: BlockList = await self.run_query(self.personal.block_list, player)
        withdrawn: list[OutboxRow] = []
        ready: list[ReadyRow] = []
        for row in rows:
            if row.state == WITHDRAWN:
                withdrawn.append(row)
                continue
            timeline = await self._load_timeline(row.match)
            later = (
                await self._postponed_until(row, timeline, preferences, block_list)
                if channels
                else DROP
            )
            if later is None and resumes > now_ms():
                later = resumes
            if later == DROP or timeline is None:
                await self.run_query(self.outbox.drop, row)
            elif later is not None:
                await self.run_query(self.outbox.postpone, row, later)
            else:
                ready.append((row, timeline))
        return withdrawn, ready, channels, block_list.silenced

    async def _confirmed_channels(self, player: str) -> list[Channel]:
        channels = await self.run_query(self.channels.list_channels, player)
        return [channel for channel in channels if channel.confirmed is not None]

    async def _load_timeline(self, match: str) -> Timeline | None:
        try:
            loaded = await self.matches.find(UUID(match), fresh=True)
        except Exception as error:
            # There are no notifications about a match that cannot be folded.
            log.warning(
                "notifications: %s: %s", match, type(error).__name__, extra={"match": match}
            )
            return None
        return loaded.timeline if loaded else None

    # -- whether and when --------------------------------------------------------------------

    async def _postponed_until(
        self,
        row: OutboxRow,
        timeline: Timeline | None,
        preferences: Preferences,
        block_list: BlockList,
    ) -> int | None:
        """Return when to check the row again, `DROP` to discard it, or None to send it now."""
        now = now_ms()
        if timeline is None or not still_applies(row, timeline):
            return DROP
        if row.kind in triggers.URGENT_KINDS:
            return None
        if row.kind not in preferences.kinds:
            return DROP
        if not _is_wanted(row, timeline, block_list):
            return DROP
        if await self.run_query(self.channels.is_muted, row.player, row.match):
            return DROP
        if row.kind == "turn":
            # The plan is either played soon, or dropped, which causes a notification of its own.
            planned = await self.run_query(self.outbox.check_plan_at, row, now)
            if planned > 0 or (planned == DROP and "plan" in preferences.kinds):
                return int(planned)
        if row.kind == "reminder":
            return _reminder_postponed_until(
                row, timeline, quiet_until(preferences.quiet, now), now
            )
        return await self._not_before(row, timeline, preferences, block_list)

    async def _not_before(
        self, row: OutboxRow, timeline: Timeline, preferences: Preferences, block_list: BlockList
    ) -> int | None:
        """Return when to check the row again so that it does not disturb the player.

        Considers presence, what the player has seen, quiet hours, and `MIN_GAP_MS`. Values as in
        `_postponed_until`.
        """
        now = now_ms()
        if await self.presence.is_present(row.player, row.match):
            return now + PRESENCE_RECHECK_MS
        if row.kind in triggers.NEWS_KINDS and await self._has_seen(
            row, timeline, block_list.silenced
        ):
            return DROP
        moved = last_move_at(timeline, row.player, now - ACTIVE_AFTER_MOVE_MS)
        if moved is not None:
            return moved + ACTIVE_AFTER_MOVE_MS
        if (quiet := quiet_until(preferences.quiet, now)) is not None:
            return quiet
        if row.kind == "turn" and not row.tries:
            last_notified_at = await self.run_query(self.outbox.last_turn_notified_at, row)
            if last_notified_at is not None and last_notified_at + MIN_GAP_MS > now:
                return last_notified_at + MIN_GAP_MS
        return None

    async def _has_seen(
        self, row: OutboxRow, timeline: Timeline, silenced_players: Collection[str]
    ) -> bool:
        """Return whether the player has seen the row's event in the match, on any device."""
        seen, _note = await self.run_query(
            self.personal.read_position_and_note, row.player, row.match
        )
        if seen is None or seen < row.version:
            return False
        return row.kind != "word" or not unseen_chat_messages(row, timeline, silenced_players, seen)

    # -- sending -----------------------------------------------------------------------------

    async def _send_ready(
        self,
        player: str,
        ready: Sequence[ReadyRow],
        channels: Sequence[Channel],
        silenced_players: Collection[str],
    ) -> None:
        waiting = await asyncio.to_thread(self.count_waiting, player) if ready else 0
        turns = [each for each in ready if each[0].kind == "turn" and not each[0].tries]
        if len(turns) > 1:
            rows = [row for row, _ in turns]
            muted = await self.run_query(self.channels.muted_matches, player)
            tables = await asyncio.to_thread(self.list_waiting, player)
            others = [summary for summary in tables if summary.id not in muted]
            make_message = partial(message_for_matches, turns, others, waiting)
            await self._send_rows(rows, channels, COMBINED_TAG, make_message, None)
        alone = [each for each in ready if len(turns) < 2 or each not in turns]
        await asyncio.gather(
            *[
                self._send_rows(
                    [row],
                    channels,
                    message_tag(row.kind, row.match),
                    partial(message_for_row, row, each, waiting, self.codes, silenced_players),
                    each,
                )
                for row, each in alone
            ]
        )

    async def _send_rows(
        self,
        rows: Sequence[OutboxRow],
        channels: Sequence[Channel],
        tag: str,
        make_message: Callable[[], Message],
        timeline: Timeline | None,
    ) -> None:
        """Send one message for some rows through the channels that have not delivered it yet.

        ``tag``: the tag of the message. Afterwards each row is finished, or retried if a channel
        failed temporarily.
        """
        left = [channel for channel in channels if channel.id not in rows[0].sent]
        tasks = [
            asyncio.create_task(self._send_via(channel, make_message, timeline)) for channel in left
        ]
        answers = await asyncio.gather(*tasks)
        now = now_ms()
        sent = list(rows[0].sent)
        wait: int | None = None
        for channel, answer in zip(left, answers, strict=True):
            await self._record_result(channel, answer)
            if answer.is_success:
                sent.append(channel.id)
            elif answer.is_temporary:
                wait = max(wait or 0, (answer.retry_after_s or 0) * 1000)
        is_delivered = len(sent) > len(rows[0].sent)
        for row in rows:
            tags = (*row.tags, tag) if is_delivered and tag not in row.tags else row.tags
            started = row.tried or now
            if wait is not None and now - started < MAX_RETRY_AGE_MS:
                due = now + max(wait, retry_delay_ms(row.tries))
                await self.run_query(self.outbox.retry, row, due, now, sent, tags)
            else:
                await self.run_query(self.outbox.finish, row, now, sent, tags)

    async def _send_via(
        self, channel: Channel, make_message: Callable[[], Message], timeline: Timeline | None
    ) -> DeliveryResult:
        """Send a message through one channel in its language; an exception counts as status 500.

        Must run in its own task, because it sets the language in the task's context.
        """
        set_language(self.languages[channel.language])
        try:
            return await self.transports.deliver(channel, make_message(), timeline)
        except Exception as error:
            log.error("notifications by %s: %s", channel.way, type(error).__name__)
            return DeliveryResult(500)

    async def _record_result(self, channel: Channel, answer: DeliveryResult) -> None:
        metrics.notification_counter(channel.way, answer.is_success).inc()
        problem = stored_problem(answer)
        if answer.is_gone:
            await self.run_query(self.channels.remove_dead, channel)
        elif problem and self._is_address_at_fault(channel) and not answer.is_throttled:
            await self.run_query(
                self.channels.record_failure, channel, problem, now_ms(), self.max_failures
            )
        else:
            await self.run_query(self.channels.record_result, channel, problem)

    def _is_address_at_fault(self, channel: Channel) -> bool:
        """Return whether a channel's failures are due to its own address rather than to a server.

        False for email and for well-known push services, whose outages affect all players. Only
        channels for which this is true are paused.
        """
        if channel.way == "push":
            return self.transports.http_client.push_pool(channel.address) != "push"
        return channel.way != "mail"

    async def _warn_of_pause(self, player: str) -> None:
        """Notify a player of each newly paused channel through the first other channel that works.

        Does nothing in the player's quiet hours.
        """
        now = now_ms()
        channels = await self._confirmed_channels(player)
        others = [channel for channel in channels if not channel.paused]
        for paused in channels:
            if not paused.is_paused(now) or paused.warned or not others:
                continue
            preferences: Preferences = await self.run_query(self.channels.preferences, player)
            if quiet_until(preferences.quiet, now) is not None:
                return
            if not await self.run_query(self.channels.mark_warned, paused):
                continue
            message = partial(pause_message, paused)
            for channel in others:
                answer = await asyncio.create_task(self._send_via(channel, message, None))
                await self._record_result(channel, answer)
                if answer.is_success:
                    break

    async def _withdraw(
        self, player: str, rows: Sequence[OutboxRow], channels: Sequence[Channel]
    ) -> None:
        """Withdraw a player's messages from the channels that delivered them, ignoring failures.

        A message about several matches is withdrawn only with the last of its rows. Until then the
        match's own tag is withdrawn, which updates the app badge.
        """
        waiting = await asyncio.to_thread(self.count_waiting, player)
        combined = [row for row in rows if COMBINED_TAG in row.tags]
        shown = (
            await self.run_query(self.outbox.count_shown, player, COMBINED_TAG) if combined else 0
        )
        kept = {COMBINED_TAG} if shown > len(combined) else set()
        targets = {
            (channel.id, tag): (channel, PushWithdrawal(tag, waiting))
            for row in rows
            for tag in set(row.tags) - kept or {message_tag(row.kind, row.match)}
            for channel in channels
            if channel.id in row.sent
        }
        await asyncio.gather(*[self.transports.withdraw(*target) for target in targets.values()])
        for row in rows:
            await self.run_query(self.outbox.finish, row, now_ms(), row.sent, row.tags)


def _reminder_postponed_until(
    row: OutboxRow, timeline: Timeline, quiet: int | None, now: int
) -> int | None:
    """Return when to check a reminder again, `DROP` to discard it, or None to send it now.

    It is discarded after the deadline and waits for the end of quiet hours only if they end before
    the deadline. ``quiet``: when the current quiet hours end, None outside quiet hours.
    """
    seat = triggers.seat_of_turn(row.turn)
    ends, clocks = seat_deadlines(timeline), timeline.latest.clocks
    deadline = ends[seat] if seat < len(ends) else None
    if (deadline is not None and deadline <= now) or (seat < len(clocks) and clocks[seat].out):
        return DROP
    is_in_time = quiet is not None and (deadline is None or quiet < deadline)
    return quiet if is_in_time else None


def _is_wanted(row: OutboxRow, timeline: Timeline, block_list: BlockList) -> bool:
    """Return False if a row comes only from people whom the player has muted or blocked.

    This concerns invitations from blocked players, and chat messages from muted or blocked players.
    Rows of other kinds are always wanted.
    """
    match row.kind:
        case "rematch":
            return timeline.latest.opened.owner not in block_list.blocked
        case "word":
            silenced = block_list.silenced
            return not silenced or bool(unseen_chat_messages(row, timeline, silenced))
        case _:
            return True


def still_applies(row: OutboxRow, timeline: Timeline) -> bool:
    """Return whether an outbox row still applies to the current state of its match."""
    now = timeline.latest
    if row.kind == "recovered":
        return True
    if row.kind == "recovery":
        return triggers.is_asked_about_recovery(now, row.player, row.version)
    if row.kind == "rematch" and "declined" in row.args:
        return now.opened.owner == row.player
    if row.kind == "rematch":
        return any(s.kind == "open" and s.player == row.player for s in now.seats)
    held = set(held_seats(timeline, row.player))
    if row.kind == "time":
        concerned = bool(timeouts.own_seats(timeline, row.player, held))
        return concerned and timeouts.still_applies(row.args, timeline, row.player)
    if not held:
        return False
    match row.kind:
        case "turn" | "reminder" | "plan":
            return bool(held & set(seats_to_act(timeline, now)))
        case "proposal":
            proposal = now.proposal
            if proposal is None:
                return bool(triggers.seats_to_vote_on(now, row.player))
            return proposal.seat not in held and row.player not in proposal.accepted
        case _:
            return True


def last_move_at(timeline: Timeline, player: str, since: int) -> int | None:
    """Return when the player last acted in the match; None if that was not after ``since``.

    Times are milliseconds since 1970 UTC.
    """
    held = held_seats(timeline, player)
    for index in range(len(timeline.decisions) - 1, -1, -1):
        decision = timeline.decisions[index]
        if decision.at <= since:
            return None
        if decision.seat in held and not is_automatic(decision):
            return decision.at
    return None


def retry_delay_ms(attempts: int) -> int:
    """Return the delay before the next attempt in milliseconds.

    It quadruples with each attempt up to `_MAX_RETRY_DELAY_MS`, with a jitter of 20 %.
    """
    return int(
        min(_FIRST_RETRY_DELAY_MS * 4**attempts, _MAX_RETRY_DELAY_MS) * random.uniform(0.8, 1.2)
    )


def stored_problem(answer: DeliveryResult) -> str:
    """Return the problem to store with a channel.

    It is "" on success, "refused" if the address was not allowed, "0" if there was no response, and
    otherwise the HTTP status.
    """
    if answer.is_success:
        return ""
    return "refused" if answer.refused else str(answer.status)
