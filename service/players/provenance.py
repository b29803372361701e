"""The device that made each credential: device link, recovery code, calendar address, seat PIN.

Signing a device out revokes its unused links and the recovery code, the calendar address and the
seat PINs that it made, because otherwise they could be used to sign the device in again. A device
is identified by the hash of its secret (`service.players.identity.hash_secret`). The makers of
credentials from releases before this table are unknown.
"""

from collections.abc import Iterable
from typing import Any, Literal

from projections.database.sql import Sql
from service.players.problems import no_player

Kind = Literal["link", "recovery_code", "calendar", "device", "seat_pin"]
"""What a device made; "device" is another device that it linked. The key of a "seat_pin" is made
by `seat_pin_key`."""
REVOCABLE: tuple[Kind, ...] = ("recovery_code", "calendar")
"""Kinds of which a player has at most one; their key is the player's id."""
_TABLE_BY_KIND = {
    "link": ("links", "code"),
    "recovery_code": ("recoveries", "player"),
    "calendar": ("calendars", "player"),
}
"""The table of each kind and the column that holds its key."""


def require_device(sql: Sql, device: str) -> None:
    """Lock the device until the transaction ends; `ApiProblem` 401 if it is signed out.

    That can happen because other workers trust a secret for two seconds, or because the device is
    signed out at the same moment.
    """
    if sql.one("UPDATE {0}devices SET created = created WHERE token = ? RETURNING 1", device):
        return
    raise no_player()


def record_maker(sql: Sql, kind: Kind, key: str, device: str) -> None:
    """Record the device that made a credential, replacing an earlier record of its key."""
    sql.run(
        "INSERT INTO {0}provenance VALUES (?,?,?) ON CONFLICT (kind, key)"
        " DO UPDATE SET device = excluded.device",
        *(kind, key, device),
    )


def find_maker(sql: Sql, kind: Kind, key: str) -> str | None:
    """Return the device that made a credential; None if unknown."""
    row = sql.one("SELECT device FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)
    return row["device"] if row else None


def delete_record(sql: Sql, kind: Kind, key: str) -> None:
    """Delete the record of a credential that is used up or revoked."""
    sql.run("DELETE FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)


def seat_pin_key(match: str, seat: int) -> str:
    """Return the key of a seat's PIN."""
    return f"{match}.{seat}"


def revoke_credentials(
    sql: Sql, player: str, devices: Iterable[str], *, unknown: bool
) -> list[Kind]:
    """Revoke the credentials that the devices made; return their kinds, without links.

    ``unknown``: also revoke a recovery code or calendar address whose maker is unknown.
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
    """Return the linking device of each of some devices, if it is known."""
    makers = {device: find_maker(sql, "device", device) for device in devices}
    return {device: maker for device, maker in makers.items() if maker is not None}


def _revoke_credential(sql: Sql, kind: Kind, key: str) -> None:
    table, column = _TABLE_BY_KIND[kind]
    sql.run(f"DELETE FROM {{0}}{table} WHERE {column} = ?", key)
    delete_record(sql, kind, key)


def _seat_pins_of(sql: Sql, device: str) -> list[Any]:
    return sql.all("SELECT key FROM {0}provenance WHERE kind = 'seat_pin' AND device = ?", device)


def _revoke_seat_pin(sql: Sql, key: str) -> bool:
    """Revoke a PIN but keep the count of its attempts; return False if there was none."""
    match, _, seat = key.rpartition(".")
    delete_record(sql, "seat_pin", key)
    ended = sql.all(
        "UPDATE {0}seat_pins SET pin = '' WHERE match = ? AND seat = ? AND pin <> '' RETURNING 1",
        *(match, int(seat)),
    )
    return bool(ended)
