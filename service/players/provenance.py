"""Which device made what lets somebody in: device links, recovery codes, calendar addresses, seat
PINs.

Signing a device out ends its unused links, and the recovery code, the calendar address and the seat
PINs it made: otherwise whoever has the device comes back by them. Devices are named by the `digest`
of their secret. Nothing is noted of what releases before this table made.
"""

from collections.abc import Iterable
from typing import Any, Literal

from projections.sql import Sql
from service.players.problems import who_are_you

Kind = Literal["link", "recovery_code", "calendar", "device", "seat_pin"]
"""What a device made: ``device`` is another one that it linked. The key of a ``seat_pin`` is
`seat_pin_key`."""
REVOCABLE: tuple[Kind, ...] = ("recovery_code", "calendar")
"""Kinds of which a player has one at most."""
_TABLES = {
    "link": ("links", "code"),
    "recovery_code": ("recoveries", "player"),
    "calendar": ("calendars", "player"),
}
"""The table of each kind and the column that `note` calls its key."""


def require_device(sql: Sql, device: str) -> None:
    """Lock the device until the transaction ends; `Fault` 401 when it was signed out meanwhile.

    Another worker trusts a secret for two seconds, and somebody may sign the device out at the
    same moment.
    """
    if sql.one("UPDATE {0}devices SET created = created WHERE token = ? RETURNING 1", device):
        return
    raise who_are_you()


def note(sql: Sql, kind: Kind, key: str, device: str) -> None:
    """Note that the device made this; in place of what was known of the key."""
    sql.run(
        "INSERT INTO {0}provenance VALUES (?,?,?) ON CONFLICT (kind, key)"
        " DO UPDATE SET device = excluded.device",
        *(kind, key, device),
    )


def maker_of(sql: Sql, kind: Kind, key: str) -> str | None:
    """The device that made this; None where that is not known."""
    row = sql.one("SELECT device FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)
    return row["device"] if row else None


def forget(sql: Sql, kind: Kind, key: str) -> None:
    """Forget who made this: it is used up or replaced."""
    sql.run("DELETE FROM {0}provenance WHERE kind = ? AND key = ?", kind, key)


def seat_pin_key(match: str, seat: int) -> str:
    """The key of the PIN of a seat."""
    return f"{match}.{seat}"


def revoke(sql: Sql, player: str, devices: Iterable[str], *, unknown: bool) -> list[Kind]:
    """End what the devices made; gives the kinds that were ended, but for links.

    ``unknown``: also a recovery code or calendar of which nobody knows who made it.
    """
    ended = set(devices)
    revoked: list[Kind] = []
    for device in ended:
        for row in sql.all(
            "SELECT key FROM {0}provenance WHERE kind = 'link' AND device = ?", device
        ):
            _end(sql, "link", row["key"])
    for kind in REVOCABLE:
        table, column = _TABLES[kind]
        made = sql.one(f"SELECT 1 FROM {{0}}{table} WHERE {column} = ?", player) is not None
        maker = maker_of(sql, kind, player)
        if made and (maker in ended or (unknown and maker is None)):
            _end(sql, kind, player)
            revoked.append(kind)
    pins = [_end_seat_pin(sql, row["key"]) for device in ended for row in _pins_of(sql, device)]
    if any(pins):
        revoked.append("seat_pin")
    return revoked


def linked_by(sql: Sql, devices: Iterable[str]) -> dict[str, str]:
    """Of some devices, those that another one linked, each with that one."""
    makers = {device: maker_of(sql, "device", device) for device in devices}
    return {device: maker for device, maker in makers.items() if maker is not None}


def _end(sql: Sql, kind: Kind, key: str) -> None:
    table, column = _TABLES[kind]
    sql.run(f"DELETE FROM {{0}}{table} WHERE {column} = ?", key)
    forget(sql, kind, key)


def _pins_of(sql: Sql, device: str) -> list[Any]:
    return sql.all("SELECT key FROM {0}provenance WHERE kind = 'seat_pin' AND device = ?", device)


def _end_seat_pin(sql: Sql, key: str) -> bool:
    """End a PIN, but not the count of its tries; False where there was none any more."""
    match, _, seat = key.rpartition(".")
    forget(sql, "seat_pin", key)
    ended = sql.all(
        "UPDATE {0}seat_pins SET pin = '' WHERE match = ? AND seat = ? AND pin <> '' RETURNING 1",
        *(match, int(seat)),
    )
    return bool(ended)
