"""Reminders before quiet hours, for deadlines that fall into them.

An ordinary reminder is sent when a quarter of the time is left
(`domain.match.deadlines.seat_reminders`), but not in quiet hours. For a deadline in quiet hours, or
soon after them, the reminder is therefore sent in the last hour before they begin.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

from domain.match.deadlines import seat_deadlines, seat_reminders
from projections.read_models import ReadModels
from service.common.clock import now_ms
from service.matches.match_cache import MatchCache
from service.notifications.channels import ChannelStore, QuietHours, quiet_hours
from service.notifications.triggers import Notification, turn_number

log = logging.getLogger("caravanserai")

REMINDER_LEAD_MS = 3_600_000
"""Milliseconds before the quiet hours in which reminders are sent."""
DEADLINE_MARGIN_MS = 1_800_000
"""Milliseconds after the quiet hours in which a deadline still needs a reminder before them."""
MIN_CHECK_INTERVAL_MS = 60_000
"""Minimum milliseconds between two checks."""
_MAX_MATCHES = 200
"""Maximum number of a player's latest matches that are checked."""


class EveningReminders:
    """Sends reminders of deadlines in the quiet hours that are about to begin.

    ``notify`` queues a notification; a player gets at most one reminder for each turn.
    """

    def __init__(
        self,
        channels: ChannelStore,
        read_models: ReadModels,
        matches: MatchCache,
        notify: Callable[[Notification], Awaitable[None]],
    ) -> None:
        self._channels = channels
        self._read_models = read_models
        self._matches = matches
        self._notify = notify
        self._last_check_ms = 0
        self._handled: dict[str, int] = {}

    async def queue_reminders(self) -> None:
        """Queue the reminders that are due before quiet hours.

        At most once in `MIN_CHECK_INTERVAL_MS`.
        """
        now = now_ms()
        if 0 <= now - self._last_check_ms < MIN_CHECK_INTERVAL_MS:
            return
        self._last_check_ms = now
        people: list[tuple[str, QuietHours]] = await asyncio.to_thread(
            self._channels.players_with_quiet_hours
        )
        hours: dict[QuietHours, tuple[int, int]] = {}
        for player, quiet in people:
            if quiet not in hours:
                hours[quiet] = quiet_hours(quiet, now)
            start, end = hours[quiet]
            if start - REMINDER_LEAD_MS <= now < start and self._handled.get(player) != end:
                await self._remind_player(player, start, end + DEADLINE_MARGIN_MS)
                self._handled[player] = end
        self._handled = {player: end for player, end in self._handled.items() if end > now}

    async def _remind_player(self, player: str, start_ms: int, end_ms: int) -> None:
        """Remind a player of the deadlines between two times, in milliseconds."""
        find = self._read_models.player_matches
        for summary in await asyncio.to_thread(find, player, "playing", None, _MAX_MATCHES):
            mine = [s.ends for s in summary.seats if s.player == player and s.ends is not None]
            if not any(start_ms <= at < end_ms for at in mine):
                continue
            try:
                await self._remind_of_match(player, summary.id, start_ms, end_ms)
            except Exception as error:
                # A match that cannot be folded must not stop the reminders of other matches.
                text = "notices: %s: %s"
                log.warning(text, summary.id, type(error).__name__, extra={"match": summary.id})

    async def _remind_of_match(self, player: str, match: str, start_ms: int, end_ms: int) -> None:
        loaded = await self._matches.find(UUID(match), fresh=True)
        if loaded is None:
            return
        moment = loaded.timeline.latest
        reminders = seat_reminders(loaded.timeline)
        for seat, deadline in enumerate(seat_deadlines(loaded.timeline)):
            if moment.seats[seat].player != player or reminders[seat] is None:
                continue
            if deadline is not None and start_ms <= deadline < end_ms:
                turn = turn_number(moment, seat)
                await self._notify(Notification(player, match, "reminder", turn, moment.version))
