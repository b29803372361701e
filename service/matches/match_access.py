"""Access of callers to matches: by seat, public visibility, invite code or share code."""

import uuid
from dataclasses import dataclass

from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats
from service.common.coalescing import Coalescer
from service.matches.access import can_view
from service.matches.match_cache import MatchCache
from service.matches.share_codes import ShareCodes
from service.social.personal_store import PersonalStore
from service.store.store import RunQuery


@dataclass(kw_only=True, eq=False)
class MatchAccess:
    """Checks of what a player may see in a match.

    ``run_query`` runs a blocking database call and awaits its result.
    """

    matches: MatchCache
    share_codes: ShareCodes
    personal: PersonalStore
    run_query: RunQuery

    def __post_init__(self) -> None:
        self._latest_timelines: Coalescer[str, dict[str, Timeline]] = Coalescer(self._load_latest)

    def can_view(
        self, match_id: str, timeline: Timeline, player: str | None, code: str | None
    ) -> bool:
        """Return whether a player, or a visitor (None), may see the match.

        ``code``: an invite or share code.
        """
        by_code = self.share_codes.accepts(match_id, timeline, code)
        return by_code or can_view(timeline, player, code)

    async def accessible_seats(
        self, match_id: str, version: int, player: str | None, code: str | None
    ) -> frozenset[int] | None:
        """Return the seats that a player holds in a match at a version or later.

        ``code``: an invite or share code. Returns None if the caller may not see the match. An
        invite gives no access to a player whom the host has blocked. Concurrent calls for one match
        share the query for decisions that this worker does not have yet.
        """
        timeline = self.matches.peek(uuid.UUID(match_id))
        if timeline is None or timeline.version < version:
            timeline = (await self._latest_timelines.submit(match_id)).get(match_id)
        if timeline is None or not self.can_view(match_id, timeline, player, code):
            return None
        seats = frozenset(held_seats(timeline, player))
        shared = self.share_codes.accepts(match_id, timeline, code)
        if player is None or can_view(timeline, player) or shared:
            return seats
        return None if await self.is_blocked_by_host(timeline, player) else seats

    async def is_blocked_by_host(self, timeline: Timeline, player: str) -> bool:
        """Return whether the owner of the match has blocked the player."""
        owner = timeline.latest.opened.owner
        return await self.run_query(self.personal.is_blocked, owner, player)

    async def has_blocked_host(self, timeline: Timeline, player: str) -> bool:
        """Return whether the player has blocked the owner of the match."""
        owner = timeline.latest.opened.owner
        return await self.run_query(self.personal.is_blocked, player, owner)

    async def muted_players(self, timeline: Timeline, player: str | None) -> set[str]:
        """Return the ids of the players whom the player has muted.

        Empty for a visitor and for a match without messages.
        """
        if player is None or not timeline.latest.said:
            return set()
        return await self.run_query(self.personal.muted_players, player)

    async def _load_latest(self, matches: set[str]) -> dict[str, Timeline]:
        found = {}
        for match_id in matches:
            match = await self.matches.find(uuid.UUID(match_id), fresh=True)
            if match is not None:
                found[match_id] = match.timeline
        return found
