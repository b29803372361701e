"""Whom a person has sat with, and how they did: from the read models."""

from msgspec import Struct

from domain.match import IMPORTED_SOURCES
from projections.summary import Summary
from projections.views import Left, Tally, Views
from service.matches.lists import Lists
from service.people.own import Own, Stance, handle

_LOOKED_THROUGH = 200
"""The latest matches among whose people one finds others."""
_LEFT = 50
"""So many of the matches that somebody left are told."""
_NOBODY = Stance("", False, False)


class Companion(Struct, frozen=True):
    """Somebody at the same tables: what they called themselves last, at how many tables of the
    latest, and when something happened there last (milliseconds since 1970 UTC; 0: long ago)."""

    player: str
    name: str
    matches: int
    last: int
    stance: Stance


class Company:
    """Whom people know. Every call asks the databases, in the threads of lists: however many ask,
    those who play find one free."""

    def __init__(self, own: Own, views: Views, lists: Lists) -> None:
        self.own = own
        self._views = views
        self._lists = lists

    async def tallies(self, player: str) -> list[Tally]:
        """How a player did, by game."""
        return await self._lists.read(self._views.tallies, player)

    async def left(self, player: str) -> list[Left]:
        """The matches that a player left by themselves, the newest first."""
        return await self._lists.read(self._views.left, player, _LEFT)

    async def running(self, player: str) -> list[Summary]:
        """The matches of a player that go on."""
        return await self._lists.read(
            self._views.of_player, player, "playing", None, _LOOKED_THROUGH
        )

    async def known(self, player: str) -> list[Companion]:
        """Whom a player has sat with of late, the latest first; and whom they shun."""
        return await self._lists.read(self._known, player)

    def _known(self, player: str) -> list[Companion]:
        stances = self.own.stances(player)
        found: dict[str, Companion] = {}
        for summary in self._views.of_player(player, None, None, _LOOKED_THROUGH):
            # An imported match names people who are no players of this service.
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
        """The one whom a player calls by this handle."""
        each = await self.known(player)
        return next((one for one in each if handle(player, one.player) == known_as), None)


def _others(summary: Summary) -> dict[str, str]:
    return {s.player: s.name for s in summary.seats if s.kind == "human" and s.player is not None}
