"""Finding a match for a caller who may see it."""

import uuid
from functools import lru_cache

from service.http.problems import ApiProblem
from service.matches.bot_runner import BotRunner
from service.matches.match_access import MatchAccess
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.problems import no_such_match
from service.players.identity import Player


class MatchFinder:
    """Finder of matches by id, with a check of the caller's access."""

    def __init__(self, *, matches: MatchCache, access: MatchAccess, bots: BotRunner) -> None:
        self._matches = matches
        self._access = access
        self._bots = bots

    async def find_match(
        self, match_id: str, player: Player | None, code: str | None = None, *, fresh: bool = True
    ) -> LoadedMatch:
        """Return a match that the caller may see; also restarts its bots if they have stopped.

        ``code``: an invite or share code; ``fresh``: as in `MatchCache.find`. Raises `ApiProblem`
        404 if there is no such match or the caller may not see it.
        """
        key = _parse_match_id(match_id)
        match = await self._matches.find(key, fresh=fresh) if key else None
        if match is None:
            raise no_such_match()
        self._bots.wake_if_stalled(match)
        caller = player.id if player else None
        if not self._access.can_view(match.id, match.timeline, caller, code):
            # The caller may have joined through another worker.
            if not fresh:
                await self._matches.catch_up(match)
            if fresh or not self._access.can_view(match.id, match.timeline, caller, code):
                raise _no_access(match, caller)
        return match


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
        return ApiProblem(404, "no_such_match", "error.seat_moved", seat_moved=True)
    return no_such_match()
