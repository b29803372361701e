"""Share codes, which let their holders watch a private match as spectators.

The code of a match is an HMAC of its id under a secret of the store, which is created at the first
start and never disclosed. The code therefore cannot be derived from anything published later, such
as the seed of a finished match, and an imported copy of the match has another code. Before that
secret existed, codes were derived from the seed; those codes stay valid, because links with them
are in use.
"""

import hmac
from base64 import b32encode
from functools import lru_cache

from domain.match.seats import HERE
from domain.match.timeline import Timeline
from service.store import Store
from service.store.secret import load_secret

_SECRET_NAME = "share"


class ShareCodes:
    """The share codes of one store.

    ``created_ms``: when the store's secret was created, in milliseconds since 1970 UTC.
    """

    def __init__(self, secret: bytes, created_ms: int) -> None:
        self._secret = secret
        self.created_ms = created_ms
        # Cached because every response to a command may contain it.
        self.share_of = lru_cache(4096)(self._share_of)

    @classmethod
    def load(cls, store: Store, now: int) -> "ShareCodes":
        """Load the codes of a store, creating the secret if there is none.

        ``now``: milliseconds since 1970 UTC. Workers that start at the same time get the same
        secret.
        """
        found = load_secret(store, _SECRET_NAME, now)
        return cls(bytes.fromhex(found.value), found.created)

    def _share_of(self, match_id: str) -> str:
        """Return the share code of a match, which is derived and not stored."""
        return derive_code(self._secret, match_id.encode())

    def feed_reader_code(self, match_id: str, player: str) -> str:
        """Return the code that identifies a player to the match's feed; it gives no access."""
        return derive_code(self._secret, f"feed {match_id} {player}".encode())

    def player_of_feed_reader(
        self, match_id: str, timeline: Timeline, code: str | None
    ) -> str | None:
        """Return the owner or seated player whose feed code this is, or None."""
        if not code:
            return None
        readers = (
            player
            for player in sorted(member_ids(timeline))
            if is_same_code(code, self.feed_reader_code(match_id, player))
        )
        return next(readers, None)

    def accepts(self, match_id: str, timeline: Timeline, code: str | None) -> bool:
        """Return whether a code is the match's share code, also one derived from the seed.

        A match without a seed, such as an imported one, has no share code.
        """
        opened = timeline.latest.opened
        if not code or not opened.seed:
            return False
        if is_same_code(code, self.share_of(match_id)):
            return True
        # Imported matches are excluded: their times come from the file and prove nothing.
        old = opened.source in ("", HERE) and timeline.began_at < self.created_ms
        return old and is_same_code(code, derive_code(bytes.fromhex(opened.seed), b"share"))


def member_ids(timeline: Timeline) -> set[str]:
    """Return the ids of a match's owner and of the players in its seats."""
    people = {seat.player for seat in timeline.latest.seats if seat.kind == "human" and seat.player}
    return {timeline.latest.opened.owner, *people}


def derive_code(secret: bytes, purpose: bytes) -> str:
    """Return a code of 16 lower-case letters and digits (80 bits in base32) from HMAC-SHA-256."""
    return b32encode(hmac.digest(secret, purpose, "sha256")[:10]).decode().lower()


def is_same_code(code: str, expected: str) -> bool:
    """Return whether a typed code is the expected one, ignoring case and surrounding blanks.

    Compares in constant time.
    """
    return hmac.compare_digest(expected.encode(), code.strip().lower().encode())
