"""Records of which device created each credential: device link, recovery code and so on.

Signing a device out revokes the unused links, recovery code, calendar address and seat PINs that it
created, because whoever has the device could otherwise use them to regain access. In this module a
device is identified by the hash of its secret (`service.players.identity.hash_secret`). The origin
of credentials that are older than this table is unknown.
"""

from collections.abc import Iterable
from typing import Any, Literal

from projections.database.sql import Sql
from service.players.problems import no_player

Kind = Literal["link", "recovery_code", "calendar", "device", "seat_pin"]
"""What a device created; "device" is another device that was added with its link or recovery code.
The key of a "seat_pin" is made by `seat_pin_key`."""
REVOCABLE: tuple[Kind, ...] = ("recovery_code", "calendar")
"""Kinds of which a player has at most one, with the player's id as the key."""
_TABLE_BY_KIND = {
    "link": ("links", "code"),
    "recovery_code": ("recoveries", "player"),
    "calendar": ("calendars", "player"),
}
"""For some kinds, the table of the credentials and its key column."""


def require_device(sql: Sql, device: str) -> None:
    """Lock a device until the transaction ends; raise `ApiProblem` 401 if it is signed out.

    A signed-out device can get here because workers trust a secret for up to two seconds, or
    because it is being signed out concurrently.
    """
    if sql.one("UPDATE {0}devices SET created = created WHERE token = ? RETURNING 1", device):
        return
    raise no_player()


def record_maker(sql: Sql, kind: Kind, key: str, device: str) -> None:
    """Record the device that created a credential, replacing any earlier record for its key."""
    sql.run(
        "INSERT INTO {0}provenance VALUES (?,?,?) ON CONFLICT (kind, key)"
        " DO UPDATE SET device = excluded.device",
        *(kind, key, device),
    )


def find_maker(sql: Sql, kind: Kind, key: str) -> str | None:
    """Return the device that created a credential, or None if it is unknown."""
    row = sql.one("SELECT device FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)
    return row["device"] if row else None


def delete_record(sql: Sql, kind: Kind, key: str) -> None:
    """Delete the record of a credential, because it has been used up or revoked."""
    sql.run("DELETE FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)


def seat_pin_key(match: str, seat: int) -> str:
    """Return the key under which the PIN of a seat is recorded."""
    return f"{match}.{seat}"


def revoke_credentials(
    sql: Sql, player: str, devices: Iterable[str], *, unknown: bool
) -> list[Kind]:
    """Revoke the credentials that some devices of a player created.

    Returns the revoked kinds except "link". ``unknown``: whether to revoke a recovery code or
    calendar address of unknown origin too.
    """
    ended = set(devices)
    revoked: list[Kind] = []
    for device in ended:
        for row in sql.all(
            "SELECT key FROM {0}provenance WHERE kind = 'link' AND device = ?", device
        ):
            _revoke_credential(sql, "link", row["key"])
    for kind in REVOCABLE:
        table, column = _TABLE_BY_KIND[kind]
        made = sql.one(f"SELECT 1 FROM {{0}}{table} WHERE {column} = ?", player) is not None
        maker = find_maker(sql, kind, player)
        if made and (maker in ended or (unknown and maker is None)):
            _revoke_credential(sql, kind, player)
            revoked.append(kind)
    pins = [
        _revoke_seat_pin(sql, row["key"]) for device in ended for row in _seat_pins_of(sql, device)
    ]
    if any(pins):
        revoked.append("seat_pin")
    return revoked


def find_linking_devices(sql: Sql, devices: Iterable[str]) -> dict[str, str]:
    """Return, for each of some devices, the device that added it; unknown ones are left out."""
    makers = {device: find_maker(sql, "device", device) for device in devices}
    return {device: maker for device, maker in makers.items() if maker is not None}


def _revoke_credential(sql: Sql, kind: Kind, key: str) -> None:
    table, column = _TABLE_BY_KIND[kind]
    sql.run(f"DELETE FROM {{0}}{table} WHERE {column} = ?", key)
    delete_record(sql, kind, key)


def _seat_pins_of(sql: Sql, device: str) -> list[Any]:
    return sql.all("SELECT key FROM {0}provenance WHERE kind = 'seat_pin' AND device = ?", device)


def _revoke_seat_pin(sql: Sql, key: str) -> bool:
    """Remove a seat's PIN but keep its count of wrong tries; return False if there was no PIN."""
    match, _, seat = key.rpartition(".")
    delete_record(sql, "seat_pin", key)
    ended = sql.all(
        "UPDATE {0}seat_pins SET pin = '' WHERE match = ? AND seat = ? AND pin <> '' RETURNING 1",
        *(match, int(seat)),
    )
    return bool(ended)
