"""Seat PINs: six digits that move a seat to another device at once.

The store keeps only an HMAC of a PIN with a secret of its own, bound to the match and the seat. A
seat has five wrong tries in total, regardless of who makes them and even if its PIN is changed.
Each try is counted and committed before the PIN is compared, so concurrent requests get no
additional tries. A correct PIN refunds its try.

A PIN remains valid when the seat moves to another device: if the others let the wrong device in,
the seat's player gets it back with the PIN. It is not valid for another player who takes the seat
later, and is deleted when the device that chose it is signed out (`service.players.provenance`).
"""

import hmac

from msgspec import Struct

from projections.database.sql import Sql
from service.players import provenance
from service.recovery.typed_codes import derive_code, normalize_code
from service.store import Store
from service.store.secret import load_secret

MAX_ATTEMPTS = 5
"""Wrong tries of a seat in total."""
_SECRET_NAME = "seat-pins"


class SeatPin(Struct, frozen=True):
    """The stored PIN of a seat.

    ``player``: who chose it; ``pin``: its keyed hash, "" for none; ``tries``: tries used up.
    """

    match: str
    seat: int
    player: str
    pin: str
    tries: int

    @property
    def tries_left(self) -> int:
        """Number of wrong tries left for the seat."""
        return max(0, MAX_ATTEMPTS - self.tries)


class SeatPins:
    """The seat PINs of one store, and codes made with its secret.

    All methods about PINs ask the database; `keyed_hash` and `table_code` do not.
    """

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret

    @classmethod
    def load(cls, store: Store, now: int) -> "SeatPins":
        """Return the PINs of a store; workers that start at the same time get the same secret."""
        return cls(store, bytes.fromhex(load_secret(store, _SECRET_NAME, now).value))

    def keyed_hash(self, purpose: str) -> str:
        """Return the keyed hash (HMAC-SHA-256, hex) of a text that must not be stored itself."""
        return hmac.digest(self._secret, purpose.encode(), "sha256").hex()

    def table_code(self, match: str) -> str:
        """Derive the short code of a match, which identifies it for people without a link."""
        return derive_code(self._secret, f"table:{match}".encode())

    def _hash(self, match: str, seat: int, pin: str) -> str:
        return self.keyed_hash(f"pin:{match}:{seat}:{pin}")

    def set_pin(
        self, match: str, seat: int, player: str, device: str, pin: str | None, now: int
    ) -> None:
        """Set the PIN of a seat that the player holds, or remove it with None.

        Tries used up are not reset. ``device``: the `hash_secret` of the requesting device's
        secret; ``now``: milliseconds since 1970 UTC.
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
        """Return the stored PIN of a seat, None without one."""
        with self._store.transaction(commit=False) as sql:
            return _read_pin(sql, "match = ? AND seat = ?", match, seat)

    def find_by_code(self, table_code: str, seat: int) -> SeatPin | None:
        """Return the stored PIN of a seat by the typed code of the match, None without one."""
        with self._store.transaction(commit=False) as sql:
            return _read_pin(sql, "code = ? AND seat = ?", normalize_code(table_code), seat)

    def check_pin(self, stored: SeatPin, pin: str) -> tuple[bool, int]:
        """Count a try, then compare the PIN; return whether it is correct and the tries left.

        Once no tries are left, every PIN is rejected.
        """
        key = stored.match, stored.seat
        with self._store.transaction(commit=True) as sql:
            counted = sql.all(
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
        with self._store.transaction(commit=True) as sql:
            sql.run("UPDATE {0}seat_pins SET tries = tries - 1 WHERE match = ? AND seat = ?", *key)
        return True, left + 1


def _read_pin(sql: Sql, where: str, *values: str | int) -> SeatPin | None:
    row = sql.one(
        f"SELECT match, seat, player, pin, tries FROM {{0}}seat_pins WHERE {where}", *values
    )
    fields = SeatPin.__struct_fields__
    return None if row is None else SeatPin(*(row[field] for field in fields))
