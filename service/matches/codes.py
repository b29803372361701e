"""Share codes: who holds one may look at a private match, as a spectator does.

The code of a match is an HMAC of its id under a secret of the store, which is made at the first
start and never shown: nothing that is published later, as the seed of a finished match is, tells
it, and a copy of the match that somebody brings in a file has another. Until that secret was made
codes followed from the seed; links to those matches are out in the world and stay good.
"""

import hmac
from base64 import b32encode
from functools import lru_cache

from domain.match import HERE, Timeline
from service.store import Store
from service.store.secret import secret_of

_NAME = "share"


class Codes:
    """The share codes of one store. ``since``: when its secret was made (milliseconds)."""

    def __init__(self, secret: bytes, since: int) -> None:
        self._secret = secret
        self.since = since
        # Every answer to a command tells it.
        self.share_of = lru_cache(4096)(self._share_of)

    @classmethod
    def of(cls, store: Store, now: int) -> "Codes":
        """The codes of a store; of several workers that start at once all get the same."""
        found = secret_of(store, _NAME, now)
        return cls(bytes.fromhex(found.value), found.created)

    def _share_of(self, match_id: str) -> str:
        """The code that lets others look; it follows from the match, so it need not be stored."""
        return derived(self._secret, match_id.encode())

    def feed_reader_of(self, match_id: str, player: str) -> str:
        """The code that names a player to the match's feed and opens nothing by itself."""
        return derived(self._secret, f"feed {match_id} {player}".encode())

    def feed_reader(self, match_id: str, timeline: Timeline, code: str | None) -> str | None:
        """The player at the match whose feed this is; None where the code is nobody's."""
        if not code:
            return None
        readers = (
            player
            for player in sorted(players_of(timeline))
            if fits(code, self.feed_reader_of(match_id, player))
        )
        return next(readers, None)

    def opens(self, match_id: str, timeline: Timeline, code: str | None) -> bool:
        """Whether the code is the match's; a match without a seed has none."""
        opened = timeline.now.opened
        if not code or not opened.seed:
            return False
        if fits(code, self.share_of(match_id)):
            return True
        # One that came in a file has the times that the file says.
        old = opened.source in ("", HERE) and timeline.began < self.since
        return old and fits(code, derived(bytes.fromhex(opened.seed), b"share"))


def players_of(timeline: Timeline) -> set[str]:
    """The owner of a match and the people in its seats."""
    people = {seat.player for seat in timeline.now.seats if seat.kind == "human" and seat.player}
    return {timeline.now.opened.owner, *people}


def derived(secret: bytes, purpose: bytes) -> str:
    """A code of 16 letters and digits."""
    return b32encode(hmac.digest(secret, purpose, "sha256")[:10]).decode().lower()


def fits(code: str, right: str) -> bool:
    """Whether somebody typed this code."""
    return hmac.compare_digest(right.encode(), code.strip().lower().encode())
