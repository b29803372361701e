"""Device codes: a new device shows one so that another player in the match can identify it.

A code is valid for an hour and for one request. The store keeps a keyed hash of it.
"""

from service.recovery.pins import SeatPins
from service.recovery.typed_codes import normalize_code, random_code
from service.store import Store

LIFETIME_MS = 3_600_000
"""Validity of a device code."""


class DeviceCodes:
    """The device codes of one store. Every call asks the database; times are ms since 1970 UTC."""

    def __init__(self, store: Store, pins: SeatPins) -> None:
        self._store = store
        self._pins = pins

    def create(self, player: str, now: int) -> tuple[str, int]:
        """Make a new code for a player's device; return it and its expiry.

        It replaces the player's earlier code. Codes that expired 30 hours ago are deleted.
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
        """Return the player of a typed code; None if it is unknown, used or expired."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one(
                "SELECT player FROM {0}device_codes WHERE code = ? AND expires >= ? AND match = ''",
                *(self._hash(normalize_code(code)), now),
            )
        return None if row is None else str(row["player"])

    def mark_used(self, player: str, match: str, seat: int) -> None:
        """Mark the code of a player's device as used for a seat of a match."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "UPDATE {0}device_codes SET match = ?, seat = ? WHERE player = ?",
                *(match, seat, player),
            )

    def find_use(self, player: str) -> tuple[str, int] | None:
        """Return the match and seat the code of a player's device was used for; None for none."""
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT match, seat FROM {0}device_codes WHERE player = ?", player)
        return (row["match"], row["seat"]) if row and row["match"] else None

    def _hash(self, code: str) -> str:
        return self._pins.keyed_hash(f"device:{code}")
