"""Share codes, which let their holders watch a private match as spectators.

The code of a match is an HMAC of its id under a secret of the store, which is created at the first
start and never disclosed. So the code cannot be derived from anything published later, such as the
seed of a finished match, and an imported copy of the match has another code. Before that secret
existed, codes were derived from the seed; those codes stay valid, because links with them are in
use.
"""

import hmac
from base64 import b32encode
from functools import lru_cache

from domain.match import HERE, Timeline
from service.store import Store
from service.store.secret import load_secret

_SECRET_NAME = "share"


class ShareCodes:
    """The share codes of one store.

    ``created_ms``: creation of its secret, in ms since 1970 UTC.
    """

    def __init__(self, secret: bytes, created_ms: int) -> None:
        self._secret = secret
        self.created_ms = created_ms
        # Cached because every answer to a command contains it.
        self.share_of = lru_cache(4096)(self._share_of)

    @classmethod
    def load(cls, store: Store, now: int) -> "ShareCodes":
        """Return the codes of a store; workers that start at the same time get the same secret."""
        found = load_secret(store, _SECRET_NAME, now)
        return cls(bytes.fromhex(found.value), found.created)

    def _share_of(self, match_id: str) -> str:
        """Derive the share code of a match; it is not stored."""
        return derive_code(self._secret, match_id.encode())

    def feed_reader_code(self, match_id: str, player: str) -> str:
        """Return the code that identifies a player in the match's feed; it gives no access."""
        return derive_code(self._secret, f"feed {match_id} {player}".encode())

    def player_of_feed_reader(
        self, match_id: str, timeline: Timeline, code: str | None
    ) -> str | None:
        """Return the owner or seated player whose feed code this is, else None."""
        if not code:
            return None
        readers = (
            player
            for player in sorted(member_ids(timeline))
            if is_same_code(code, self.feed_reader_code(match_id, player))
        )
        return next(readers, None)

    def accepts(self, match_id: str, timeline: Timeline, code: str | None) -> bool:
        """Return whether this is the match's share code; a match without a seed has none."""
        opened = timeline.latest.opened
        if not code or not opened.seed:
            return False
        if is_same_code(code, self.share_of(match_id)):
            return True
        # Imported matches are excluded: their times come from the file and prove nothing.
        old = opened.source in ("", HERE) and timeline.began_at < self.created_ms
        return old and is_same_code(code, derive_code(bytes.fromhex(opened.seed), b"share"))


def member_ids(timeline: Timeline) -> set[str]:
    """Return the owner of a match and the players in its seats."""
    people = {seat.player for seat in timeline.latest.seats if seat.kind == "human" and seat.player}
    return {timeline.latest.opened.owner, *people}


def derive_code(secret: bytes, purpose: bytes) -> str:
    """Derive a code of 16 lower-case letters and digits (80 bits, base32) by HMAC-SHA-256."""
    return b32encode(hmac.digest(secret, purpose, "sha256")[:10]).decode().lower()


def is_same_code(code: str, expected: str) -> bool:
    """Compare a typed code in constant time, ignoring case and surrounding blanks."""
    return hmac.compare_digest(expected.encode(), code.strip().lower().encode())
