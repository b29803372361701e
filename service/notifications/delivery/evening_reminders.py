"""Reminders sent before quiet hours, for deadlines that fall within them.

An ordinary reminder is sent when a quarter of the time is left
(`domain.match.deadlines.seat_reminders`), which may be during quiet hours. For a deadline in quiet
hours, or soon after them, a reminder is therefore sent in the last hour before they begin.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

from domain.match.deadlines import seat_deadlines, seat_reminders
from projections.read_models import ReadModels
from service.common.clock import now_ms
from service.matches.match_cache import MatchCache
from service.notifications.channels import ChannelStore, QuietHours, quiet_hours
from service.notifications.triggers import Notification, turn_number

log = logging.getLogger("caravanserai")

REMINDER_LEAD_MS = 3_600_000
"""Milliseconds before the start of quiet hours from which reminders are sent."""
DEADLINE_MARGIN_MS = 1_800_000
"""Milliseconds after the end of quiet hours within which a deadline still gets such a reminder."""
MIN_CHECK_INTERVAL_MS = 60_000
"""Minimum interval between checks, in milliseconds."""
_MAX_MATCHES = 200
"""Maximum number of a player's most recent matches to check."""


@dataclass(kw_only=True, eq=False)
class EveningReminders:
    """Scheduler of reminders about deadlines in the quiet hours that are about to begin.

    ``notify`` queues a notification; since it ignores duplicates, a player gets at most one
    reminder per turn.
    """

    channels: ChannelStore
    read_models: ReadModels
    matches: MatchCache
    notify: Callable[[Notification], Awaitable[None]]
    _last_check_ms: int = field(default=0, init=False)
    _handled: dict[str, int] = field(default_factory=dict, init=False)

    async def queue_reminders(self) -> None:
        """Queue reminders for players whose quiet hours begin within `REMINDER_LEAD_MS`.

        Does nothing if the last check was less than `MIN_CHECK_INTERVAL_MS` ago.
        """
        now = now_ms()
        if 0 <= now - self._last_check_ms < MIN_CHECK_INTERVAL_MS:
            return
        self._last_check_ms = now
        people = await asyncio.to_thread(self.channels.players_with_quiet_hours)
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
        """Queue reminders of a player's deadlines between two times, in milliseconds since 1970."""
        find = self.read_models.player_matches
        for summary in await asyncio.to_thread(find, player, "playing", None, _MAX_MATCHES):
            mine = [s.ends for s in summary.seats if s.player == player and s.ends is not None]
            if not any(start_ms <= at < end_ms for at in mine):
                continue
            try:
                await self._remind_of_match(player, summary.id, start_ms, end_ms)
            except Exception as error:
                # A match that cannot be folded must not prevent reminders about other matches.
                text = "notices: %s: %s"
                log.warning(text, summary.id, type(error).__name__, extra={"match": summary.id})

    async def _remind_of_match(self, player: str, match: str, start_ms: int, end_ms: int) -> None:
        loaded = await self.matches.find(UUID(match), fresh=True)
        if loaded is None:
            return
        moment = loaded.timeline.latest
        reminders = seat_reminders(loaded.timeline)
        for seat, deadline in enumerate(seat_deadlines(loaded.timeline)):
            if moment.seats[seat].player != player or reminders[seat] is None:
                continue
            if deadline is not None and start_ms <= deadline < end_ms:
                turn = turn_number(moment, seat)
                await self.notify(Notification(player, match, "reminder", turn, moment.version))
