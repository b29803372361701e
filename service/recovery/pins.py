"""Seat PINs: six digits that move a seat to another device at once.

Of a PIN the store keeps an HMAC under a secret of its own, tied to the match and the seat. A seat
has five tries in all, whoever makes them and whatever PINs it gets: each is counted and committed
before the PIN is compared, so requests at the same time have no more. The right PIN uses up none.

A PIN stays good when the seat moves: if the others let somebody else's device in, its person comes
back with the PIN. It is void for whoever else sits down there, and ends when the device that chose
it is signed out (`service.players.provenance`).
"""

import hmac

from msgspec import Struct

from projections.sql import Sql
from service.players import provenance
from service.recovery.codes import derived_code, normalized
from service.store import Store
from service.store.secret import secret_of

MAX_TRIES = 5
_SECRET = "seat-pins"


class SeatPin(Struct, frozen=True):
    """What is kept of a seat's PIN; ``pin``: its keyed hash, "" for none."""

    match: str
    seat: int
    player: str
    pin: str
    tries: int

    @property
    def tries_left(self) -> int:
        """How often a PIN of the seat may still be tried."""
        return max(0, MAX_TRIES - self.tries)


class Pins:
    """The PINs of one store. Every call asks the database."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret

    @classmethod
    def of(cls, store: Store, now: int) -> "Pins":
        """The PINs of a store; of several workers that start at once all get the same secret."""
        return cls(store, bytes.fromhex(secret_of(store, _SECRET, now).value))

    def keyed(self, purpose: str) -> str:
        """The keyed hash of what is not to be kept."""
        return hmac.digest(self._secret, purpose.encode(), "sha256").hex()

    def table_code(self, match: str) -> str:
        """The short code of a table, by which somebody without a link names it."""
        return derived_code(self._secret, f"table:{match}".encode())

    def _hash(self, match: str, seat: int, pin: str) -> str:
        return self.keyed(f"pin:{match}:{seat}:{pin}")

    def choose(
        self, match: str, seat: int, player: str, device: str, pin: str | None, now: int
    ) -> None:
        """Set the PIN of a seat that the player holds, or take it away with None. Tries that were
        made stay made. ``device``: the `digest` of the secret of the device that asks."""
        hashed = "" if pin is None else self._hash(match, seat, pin)
        key = provenance.seat_pin_key(match, seat)
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, device)
            if pin is None:
                provenance.forget(sql, "seat_pin", key)
            else:
                provenance.note(sql, "seat_pin", key, device)
            sql.run(
                "INSERT INTO {0}seat_pins (match, seat, player, code, pin, tries, created)"
                " VALUES (?,?,?,?,?,0,?) ON CONFLICT (match, seat) DO UPDATE SET"
                " player = excluded.player, pin = excluded.pin, created = excluded.created",
                *(match, seat, player, self.table_code(match), hashed, now),
            )

    def of_seat(self, match: str, seat: int) -> SeatPin | None:
        """What is kept of a seat's PIN."""
        with self._store.transaction(commit=False) as sql:
            return _read(sql, "match = ? AND seat = ?", match, seat)

    def find(self, table_code: str, seat: int) -> SeatPin | None:
        """The same by the code of the table, however it is typed."""
        with self._store.transaction(commit=False) as sql:
            return _read(sql, "code = ? AND seat = ?", normalized(table_code), seat)

    def attempt(self, known: SeatPin, pin: str) -> tuple[bool, int]:
        """Count a try, then compare: whether the PIN is right, and how many tries are left. Where
        none was left no PIN is right."""
        key = known.match, known.seat
        with self._store.transaction(commit=True) as sql:
            counted = sql.all(
                "UPDATE {0}seat_pins SET tries = tries + 1 WHERE match = ? AND seat = ?"
                " AND tries < ? RETURNING player, pin, tries",
                *(*key, MAX_TRIES),
            )
        if not counted:
            return False, 0
        left = MAX_TRIES - counted[0]["tries"]
        player, right = counted[0]["player"], counted[0]["pin"]
        given = self._hash(*key, pin)
        if player != known.player or not hmac.compare_digest(right.encode(), given.encode()):
            return False, left
        with self._store.transaction(commit=True) as sql:
            sql.run("UPDATE {0}seat_pins SET tries = tries - 1 WHERE match = ? AND seat = ?", *key)
        return True, left + 1


def _read(sql: Sql, where: str, *values: str | int) -> SeatPin | None:
    row = sql.one(
        f"SELECT match, seat, player, pin, tries FROM {{0}}seat_pins WHERE {where}", *values
    )
    fields = SeatPin.__struct_fields__
    return None if row is None else SeatPin(*(row[field] for field in fields))
