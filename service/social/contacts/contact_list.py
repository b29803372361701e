"""The contacts and results of a player, from the read models."""

from domain.match import IMPORTED_SOURCES
from projections.read_models import LeftMatch, Tally, ReadModels
from projections.summary import Summary
from service.matches.lists import Lists
from service.social.personal_store import Companion, Own, Stance, handle

_LOOKED_THROUGH = 200
"""Maximum number of a player's latest matches that are read."""
_LEFT = 50
"""Maximum number of left matches in an answer."""
_NOBODY = Stance("", False, False)


class Company:
    """The contacts and results of players.

    Every call queries the databases in the threads of `Lists`, so that these queries never take
    the threads that moves need.
    """

    def __init__(self, own: Own, views: ReadModels, lists: Lists) -> None:
        self.own = own
        self._views = views
        self._lists = lists

    async def tallies(self, player: str) -> list[Tally]:
        """Return the results of a player by game."""
        return await self._lists.read(self._views.tallies, player)

    async def left(self, player: str) -> list[LeftMatch]:
        """Return the matches that a player left of their own accord, newest first."""
        return await self._lists.read(self._views.left_matches, player, _LEFT)

    async def running(self, player: str) -> list[Summary]:
        """Return the running matches of a player."""
        return await self._lists.read(
            self._views.player_matches, player, "playing", None, _LOOKED_THROUGH
        )

    async def known(self, player: str) -> list[Companion]:
        """Return recent opponents, latest first, then others whom the player muted or blocked."""
        return await self._lists.read(self._known, player)

    def _known(self, player: str) -> list[Companion]:
        stances = self.own.stances(player)
        found: dict[str, Companion] = {}
        for summary in self._views.player_matches(player, None, None, _LOOKED_THROUGH):
            # The people of an imported match are not players of this service.
            here = {} if summary.source in IMPORTED_SOURCES else _others(summary)
            for other, name in here.items():
                before = found.get(other)
                stance = stances.get(other, _NOBODY)
                found[other] = (
                    Companion(other, name, 1, summary.updated, stance)
                    if before is None
                    else Companion(other, before.name, before.matches + 1, before.last, stance)
                )
            found.pop(player, None)
        for other, stance in stances.items():
            if other not in found:
                found[other] = Companion(other, stance.name, 0, 0, stance)
        return list(found.values())

    async def find(self, player: str, known_as: str) -> Companion | None:
        """Return the contact with this handle (`service.social.personal_store.handle`), or None."""
        each = await self.known(player)
        return next((one for one in each if handle(player, one.player) == known_as), None)


def _others(summary: Summary) -> dict[str, str]:
    return {s.player: s.name for s in summary.seats if s.kind == "human" and s.player is not None}
