"""Device codes, which a new device shows so that another player in the match can identify it.

A code is valid for one hour and one request. Only a keyed hash of it is stored.
"""

from service.recovery.pins import SeatPins
from service.recovery.typed_codes import normalize_code, random_code
from service.store import Store

LIFETIME_MS = 3_600_000
"""Milliseconds for which a device code is valid."""


class DeviceCodes:
    """The device codes of one store.

    Every call queries the database. Times are milliseconds since 1970 UTC.
    """

    def __init__(self, store: Store, pins: SeatPins) -> None:
        self._store = store
        self._pins = pins

    def create(self, player: str, now: int) -> tuple[str, int]:
        """Create a code for a player's device; return it and when it expires.

        It replaces the player's previous code. All codes that expired over 30 days ago are deleted.
        """
        code, expires = random_code(), now + LIFETIME_MS
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}device_codes WHERE expires < ?", now - 30 * 24 * LIFETIME_MS)
            sql.run(
                "INSERT INTO {0}device_codes VALUES (?,?,?,'',-1) ON CONFLICT (player)"
                " DO UPDATE SET code = excluded.code, expires = excluded.expires, match = '',"
                " seat = -1",
                *(player, self._hash(code), expires),
            )
        return code, expires

    def find(self, code: str, now: int) -> str | None:
        """Return the id of the player whose device shows ``code``, as typed by another player.

        None if the code is unknown, used or expired.
        """
        row = self._store.fetch_one(
            "SELECT player FROM {0}device_codes WHERE code = ? AND expires >= ? AND match = ''",
            *(self._hash(normalize_code(code)), now),
        )
        return None if row is None else str(row["player"])

    def mark_used(self, player: str, match: str, seat: int) -> None:
        """Mark a player's device code as used for a seat in a match."""
        self._store.execute(
            "UPDATE {0}device_codes SET match = ?, seat = ? WHERE player = ?",
            *(match, seat, player),
        )

    def find_use(self, player: str) -> tuple[str, int] | None:
        """Return the match and seat for which a player's device code was used, or None."""
        row = self._store.fetch_one(
            "SELECT match, seat FROM {0}device_codes WHERE player = ?", player
        )
        return (row["match"], row["seat"]) if row and row["match"] else None

    def _hash(self, code: str) -> str:
        return self._pins.keyed_hash(f"device:{code}")
