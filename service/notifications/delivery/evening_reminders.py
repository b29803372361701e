"""Reminders before quiet hours, for deadlines that fall into them.

An ordinary reminder is sent when a quarter of the time is left
(`domain.match.deadlines.reminders_of`), but not in quiet hours. A deadline in quiet hours, or soon
after them, is therefore reminded of in the last hour before they begin.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

from domain.match.deadlines import seat_deadlines, seat_reminders
from projections.read_models import ReadModels
from service.common.clock import clock
from service.matches.match_cache import Tables
from service.notifications.channels import Quiet, Ways, quiet_hours
from service.notifications.triggers import Notice, turn_of

log = logging.getLogger("caravanserai")

LEAD_MS = 3_600_000
"""Milliseconds before the quiet hours in which reminders are sent."""
MARGIN_MS = 1_800_000
"""Milliseconds after the quiet hours in which a deadline still needs a reminder before them."""
PAUSE_MS = 60_000
"""Minimum milliseconds between two checks."""
_MATCHES = 200
"""Maximum number of a player's latest matches that are checked."""


class Evenings:
    """Sends reminders of deadlines in the quiet hours that are about to begin.

    ``tell`` queues a notification; a player gets one reminder for each turn, however often it is
    called.
    """

    def __init__(
        self,
        ways: Ways,
        views: ReadModels,
        tables: Tables,
        tell: Callable[[Notice], Awaitable[None]],
    ) -> None:
        self._ways = ways
        self._views = views
        self._tables = tables
        self._tell = tell
        self._looked_at = 0
        self._done: dict[str, int] = {}

    async def look(self) -> None:
        """Queue the reminders that are due before quiet hours; at most once in `PAUSE_MS`."""
        now = clock()
        if 0 <= now - self._looked_at < PAUSE_MS:
            return
        self._looked_at = now
        people: list[tuple[str, Quiet]] = await asyncio.to_thread(self._ways.with_quiet_hours)
        hours: dict[Quiet, tuple[int, int]] = {}
        for player, quiet in people:
            if quiet not in hours:
                hours[quiet] = quiet_hours(quiet, now)
            start, end = hours[quiet]
            if start - LEAD_MS <= now < start and self._done.get(player) != end:
                await self._remind(player, start, end + MARGIN_MS)
                self._done[player] = end
        self._done = {player: end for player, end in self._done.items() if end > now}

    async def _remind(self, player: str, start: int, end: int) -> None:
        """Remind a player of the deadlines between two times, in milliseconds."""
        find = self._views.player_matches
        for summary in await asyncio.to_thread(find, player, "playing", None, _MATCHES):
            mine = [s.ends for s in summary.seats if s.player == player and s.ends is not None]
            if not any(start <= at < end for at in mine):
                continue
            try:
                await self._remind_of(player, summary.id, start, end)
            except Exception as error:
                # A match that cannot be folded must not stop the reminders of other matches.
                text = "notices: %s: %s"
                log.warning(text, summary.id, type(error).__name__, extra={"match": summary.id})

    async def _remind_of(self, player: str, match: str, start: int, end: int) -> None:
        table = await self._tables.find(UUID(match), fresh=True)
        if table is None:
            return
        moment = table.timeline.latest
        reminders = seat_reminders(table.timeline)
        for seat, deadline in enumerate(seat_deadlines(table.timeline)):
            if moment.seats[seat].player != player or reminders[seat] is None:
                continue
            if deadline is not None and start <= deadline < end:
                turn = turn_of(moment, seat)
                await self._tell(Notice(player, match, "reminder", turn, moment.version))
