"""Seat PINs: six digits with which a seat can be moved to another device at once.

Only an HMAC of a PIN is stored, made with a secret of the store and bound to the match and the
seat. A seat allows five wrong tries in total, regardless of who makes them and even if its PIN is
changed. Each try is counted and committed before the PIN is compared, so concurrent requests gain
no additional tries. A correct PIN does not use up a try.

A PIN remains valid when the seat moves to another device: if the others let the wrong device in,
the seat's player gets the seat back with the PIN. It becomes invalid if another player takes the
seat later, and is deleted when the device that set it is signed out
(`service.players.provenance`).
"""

import hmac

from msgspec import Struct

from service.players import provenance
from service.recovery.typed_codes import derive_code, normalize_code
from service.store import Store
from service.store.secret import load_secret

MAX_ATTEMPTS = 5
"""Maximum number of wrong tries per seat."""
_SECRET_NAME = "seat-pins"


class SeatPin(Struct, frozen=True):
    """The stored PIN of a seat.

    ``player``: the id of the player who set it; ``pin``: its keyed hash, "" if it was removed;
    ``tries``: the number of wrong tries.
    """

    match: str
    seat: int
    player: str
    pin: str
    tries: int

    @property
    def tries_left(self) -> int:
        """The number of wrong tries left for the seat."""
        return max(0, MAX_ATTEMPTS - self.tries)


class SeatPins:
    """The seat PINs of one store, and codes derived from its secret.

    All methods query the database except `keyed_hash` and `table_code`.
    """

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret

    @classmethod
    def load(cls, store: Store, now: int) -> "SeatPins":
        """Return the PINs of a store, creating its secret if there is none yet.

        Workers that start at the same time get the same secret. ``now``: milliseconds since 1970
        UTC.
        """
        return cls(store, bytes.fromhex(load_secret(store, _SECRET_NAME, now).value))

    def keyed_hash(self, purpose: str) -> str:
        """Return the keyed hash (HMAC-SHA-256 in hex) of a text that must not itself be stored."""
        return hmac.digest(self._secret, purpose.encode(), "sha256").hex()

    def table_code(self, match: str) -> str:
        """Derive the table code of a match, which identifies it for people who have no link."""
        return derive_code(self._secret, f"table:{match}".encode())

    def _hash(self, match: str, seat: int, pin: str) -> str:
        return self.keyed_hash(f"pin:{match}:{seat}:{pin}")

    def set_pin(
        self, match: str, seat: int, player: str, device: str, pin: str | None, now: int
    ) -> None:
        """Set the PIN of a seat, or remove it if ``pin`` is None.

        The count of wrong tries is not reset. ``player``: the id of the seat's player; ``device``:
        the `hash_secret` of the requesting device's secret; ``now``: milliseconds since 1970 UTC.
        Raises `ApiProblem` 401 if the device is signed out.
        """
        hashed = "" if pin is None else self._hash(match, seat, pin)
        key = provenance.seat_pin_key(match, seat)
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, device)
            if pin is None:
                provenance.delete_record(sql, "seat_pin", key)
            else:
                provenance.record_maker(sql, "seat_pin", key, device)
            sql.run(
                "INSERT INTO {0}seat_pins (match, seat, player, code, pin, tries, created)"
                " VALUES (?,?,?,?,?,0,?) ON CONFLICT (match, seat) DO UPDATE SET"
                " player = excluded.player, pin = excluded.pin, created = excluded.created",
                *(match, seat, player, self.table_code(match), hashed, now),
            )

    def find_by_seat(self, match: str, seat: int) -> SeatPin | None:
        """Return the stored PIN of a seat, or None if none was ever set."""
        return self._find("match = ? AND seat = ?", match, seat)

    def find_by_code(self, table_code: str, seat: int) -> SeatPin | None:
        """Return the stored PIN of a seat in the match with a typed table code, or None."""
        return self._find("code = ? AND seat = ?", normalize_code(table_code), seat)

    def _find(self, where: str, *values: str | int) -> SeatPin | None:
        columns = ", ".join(SeatPin.__struct_fields__)
        row = self._store.fetch_one(f"SELECT {columns} FROM {{0}}seat_pins WHERE {where}", *values)
        return None if row is None else SeatPin(*(row[each] for each in SeatPin.__struct_fields__))

    def check_pin(self, stored: SeatPin, pin: str) -> tuple[bool, int]:
        """Check a PIN; return whether it is correct, and the number of tries left.

        Once no tries are left, every PIN is rejected. A PIN is also rejected if the seat's PIN has
        since been set by a player other than that of ``stored``.
        """
        key = stored.match, stored.seat
        counted = self._store.execute_returning(
            "UPDATE {0}seat_pins SET tries = tries + 1 WHERE match = ? AND seat = ?"
            " AND tries < ? RETURNING player, pin, tries",
            *(*key, MAX_ATTEMPTS),
        )
        if not counted:
            return False, 0
        left = MAX_ATTEMPTS - counted[0]["tries"]
        player, right = counted[0]["player"], counted[0]["pin"]
        given = self._hash(*key, pin)
        if player != stored.player or not hmac.compare_digest(right.encode(), given.encode()):
            return False, left
        self._store.execute(
            "UPDATE {0}seat_pins SET tries = tries - 1 WHERE match = ? AND seat = ?", *key
        )
        return True, left + 1
