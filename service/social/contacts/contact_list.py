"""The contacts and results of players, derived from the read models."""

from domain.match.seats import IMPORTED_SOURCES
from projections.read_models import LeftMatch, ReadModels, Tally
from projections.summary import Summary
from service.matches.lists import MatchLists
from service.social.personal_store import Contact, PersonalStore, Stance, opaque_id

_MAX_MATCHES_READ = 200
"""Maximum number of a player's most recent matches to read."""
_MAX_LEFT_MATCHES = 50
"""Maximum number of left matches in a response."""
_NEUTRAL_STANCE = Stance("", False, False)


class Contacts:
    """The contacts and results of players.

    Queries run in the threads of `MatchLists`, so that they never occupy the threads that moves
    need.
    """

    def __init__(self, personal: PersonalStore, read_models: ReadModels, lists: MatchLists) -> None:
        self.personal = personal
        self._read_models = read_models
        self._lists = lists

    async def results_by_game(self, player: str) -> list[Tally]:
        """Return a player's results in finished matches, by game."""
        return await self._lists.run_query(self._read_models.tallies, player)

    async def left_matches(self, player: str) -> list[LeftMatch]:
        """Return the latest matches that a player left voluntarily, newest first."""
        return await self._lists.run_query(
            self._read_models.left_matches, player, _MAX_LEFT_MATCHES
        )

    async def running_matches(self, player: str) -> list[Summary]:
        """Return up to `_MAX_MATCHES_READ` matches that a player is playing."""
        return await self._lists.run_query(
            self._read_models.player_matches, player, "playing", None, _MAX_MATCHES_READ
        )

    async def list_contacts(self, player: str) -> list[Contact]:
        """Return a player's contacts.

        Recent opponents come first, starting with the latest, then all others whom the player has
        muted or blocked.
        """
        return await self._lists.run_query(self._read_contacts, player)

    def _read_contacts(self, player: str) -> list[Contact]:
        stances = self.personal.stances(player)
        found: dict[str, Contact] = {}
        for summary in self._read_models.player_matches(player, None, None, _MAX_MATCHES_READ):
            # The people in an imported match are not players of this service.
            here = {} if summary.source in IMPORTED_SOURCES else _other_players(summary)
            for other, name in here.items():
                before = found.get(other)
                stance = stances.get(other, _NEUTRAL_STANCE)
                found[other] = (
                    Contact(other, name, 1, summary.updated, stance)
                    if before is None
                    else Contact(other, before.name, before.matches + 1, before.last, stance)
                )
            found.pop(player, None)
        for other, stance in stances.items():
            if other not in found:
                found[other] = Contact(other, stance.name, 0, 0, stance)
        return list(found.values())

    async def find(self, player: str, contact_id: str) -> Contact | None:
        """Return the contact whose `opaque_id` for the player is ``contact_id``, or None."""
        each = await self.list_contacts(player)
        return next((one for one in each if opaque_id(player, one.player) == contact_id), None)


def _other_players(summary: Summary) -> dict[str, str]:
    return {s.player: s.name for s in summary.seats if s.kind == "human" and s.player is not None}
