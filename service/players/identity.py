"""Who is asking: players without sign-up.

A device holds a random secret; the service keeps only its SHA-256. A player moves to another
device by a one-time link that is good for ten minutes, and comes back after losing every device
by a recovery code: 100 random bits, of which only the SHA-256 is kept as well. It works until a
new one takes its place, because who wrote it down once expects it to.

A device can be signed out from another, and so can those it linked; the unused links, the recovery
code, the calendar address and the seat PINs that it made end with it
(`service.players.provenance`). The process
that does it knows at once; the others ask the store again about a secret they have not asked about
for `TRUST_SECONDS`.
"""

import hashlib
import re
import secrets
import time
import uuid
from collections.abc import Callable
from threading import Lock

from cachetools import LRUCache
from msgspec import Struct

from domain.letters import NAME_LENGTH, TEXT_LENGTH, visible
from domain.words import N_
from projections.sql import Sql
from service.base.languages import t
from service.base.problems import Fault
from service.players import provenance
from service.store import Store

LINK_SECONDS = 600
TRUST_SECONDS = 2.0
_REMEMBERED = 10_000
_AT_ONCE = 500
"""Devices that are asked for in one query."""
_DAY = 86_400_000
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What recovery codes are written with: no I, L, O or U, which are taken for others."""
_MISREAD = str.maketrans("ILO", "110")
_BROWSERS = (
    ("Edge", "Edg"),
    ("Opera", "OPR/"),
    ("Samsung Internet", "SamsungBrowser/"),
    ("Firefox", "Firefox/|FxiOS/"),
    ("Chromium", "Chrome/|CriOS/"),
    ("Safari", "Safari/"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("ChromeOS", "CrOS"),
    ("Mac", "Mac OS X"),
    ("Linux", "Linux"),
)


class Player(Struct, frozen=True):
    """A person. The id is public to nobody but its owner."""

    id: str
    name: str


class Device(Struct, frozen=True):
    """Where a player plays. ``created`` is in milliseconds, ``seen`` the day it was last here
    (milliseconds, None for never since days are noted); ``id`` names it to its owner only;
    ``linked_by``: the id of the device that linked it, None where none did or nobody knows."""

    id: str
    name: str
    created: int
    seen: int | None
    linked_by: str | None = None


class Known(Struct, frozen=True):
    """A player by the secret of a device, and when this process last asked the store."""

    player: Player
    asked: float


def device_name(agent: str) -> str:
    """How a device is noted: the kinds of its browser and system, nothing finer."""
    browser = next((name for name, sign in _BROWSERS if re.search(sign, agent)), None)
    system = next((name for name, sign in _SYSTEMS if re.search(sign, agent)), None)
    if browser is None:
        return "A program"
    return f"{browser} on {system}" if system else browser


def told_device(name: str) -> str:
    """What a device is called, in the language of the answer; ``name`` is `device_name`'s."""
    browser, _, system = name.partition(" on ")
    if system:
        return t("{browser} on {system}", browser=browser, system=system)
    return t(_DEVICES[name]) if name in _DEVICES else name


_DEVICES = {"": N_("A device"), "A program": N_("A program")}


def clean_text(text: str) -> str:
    """What somebody says; `Fault` 422 ``bad_text`` when nothing is left of it or too much."""
    cleaned = visible(text)
    if not cleaned:
        raise Fault(422, "bad_text", "There is nothing to say in that.", field="text")
    if len(cleaned) > TEXT_LENGTH:
        # some letters are written with several marks once they are put in order
        raise Fault(422, "bad_text", "That is too long to say at once.", field="text")
    return cleaned


def clean_name(name: str) -> str:
    """A display name: 1-40 characters of what `visible` leaves.

    Markup is kept: it is text and shown as text. Raises `Fault` 422 ``bad_name``.
    """
    cleaned = visible(name)
    if not 1 <= len(cleaned) <= NAME_LENGTH:
        raise Fault(422, "bad_name", "A name has 1 to 40 visible characters.", field="name")
    return cleaned


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Players:
    """Makes players, devices, device links and recovery codes, and finds them again.

    ``device``: what the caller's device is called (`device_name`); ``now`` in milliseconds.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[str, Known] = LRUCache(_REMEMBERED)
        # Asked for in the event loop, filled in threads.
        self._lock = Lock()

    def create(self, name: str, device: str, now: int) -> tuple[Player, str]:
        """A new player and the secret of their device."""
        player = Player(str(uuid.uuid4()), clean_name(name))
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}players VALUES (?,?,?)", player.id, player.name, now)
            return player, _add_device(sql, player.id, device, now)

    def known(self, token: str) -> Player | None:
        """The player of a secret, if this process has seen it before; perhaps signed out since."""
        known = self._recall(digest(token))
        return known.player if known else None

    def trusted(self, token: str) -> Player | None:
        """The player of a secret the store was asked about a moment ago, else None."""
        known = self._recall(digest(token))
        fresh = known is not None and time.monotonic() - known.asked < TRUST_SECONDS
        return known.player if known and fresh else None

    def find(self, token: str, device: str, now: int) -> Player | None:
        """The player of a secret, or None. Notes the day on which the device was here."""
        hashed = digest(token)
        asked = time.monotonic()
        with self._store.transaction(commit=False) as sql:
            row = sql.one(
                "SELECT p.id, p.name, n.seen FROM {0}devices d JOIN {0}players p ON p.id = d.player"
                " LEFT JOIN {0}device_notes n ON n.token = d.token WHERE d.token = ?",
                hashed,
            )
        if row is None:
            self._forget(hashed)
            return None
        if row["seen"] != _day(now):
            with self._store.transaction(commit=True) as sql:
                _note_device(sql, hashed, device, now)
        player = Player(row["id"], row["name"])
        with self._lock:
            self._known[hashed] = Known(player, asked)
        return player

    def _recall(self, hashed: str) -> Known | None:
        with self._lock:
            return self._known.get(hashed)

    def _forget(self, hashed: str) -> None:
        with self._lock:
            self._known.pop(hashed, None)

    # -- coming to another device ----------------------------------------------------------

    def link(self, player: Player, token: str, now: int) -> tuple[str, int]:
        """A one-time code for another device and when it expires, in milliseconds.

        ``token`` is the secret of the device that makes it.
        """
        code = secrets.token_urlsafe(18)
        expires = now + LINK_SECONDS * 1000
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, digest(token))
            sql.run("DELETE FROM {0}links WHERE expires < ?", now)
            sql.run(
                "DELETE FROM {0}provenance WHERE kind = 'link'"
                " AND key NOT IN (SELECT code FROM {0}links)"
            )
            sql.run("INSERT INTO {0}links VALUES (?,?,?)", digest(code), player.id, expires)
            provenance.note(sql, "link", digest(code), digest(token))
        return code, expires

    def claim(self, code: str, present: Player | None, device: str, now: int) -> tuple[Player, str]:
        """The player of an unused device link and a secret for this device; uses the link up.

        ``present``: whom the device plays as and does not mean to give up; `Fault` 409 when the
        link is another's, and the link stays good.
        """
        with self._store.transaction(commit=True) as sql:
            row = sql.one(
                "DELETE FROM {0}links WHERE code = ? AND expires >= ? RETURNING player",
                digest(code),
                now,
            )
            if row is None:
                raise Fault(404, "no_such_link", "This link was used already or has run out.")
            maker = provenance.maker_of(sql, "link", digest(code))
            provenance.forget(sql, "link", digest(code))
            if maker is not None:
                provenance.require_device(sql, maker)
            return _arrive(sql, row["player"], present, device, now, maker)

    def recovery(self, player: Player, token: str, now: int) -> str:
        """A new recovery code in groups of five; it takes the place of the one before.

        ``token`` is the secret of the device that makes it.
        """
        code = "".join(secrets.choice(_LETTERS) for _ in range(20))
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, digest(token))
            provenance.note(sql, "recovery_code", player.id, digest(token))
            sql.run(
                "INSERT INTO {0}recoveries VALUES (?,?,?) ON CONFLICT (player)"
                " DO UPDATE SET code = excluded.code, created = excluded.created",
                player.id,
                digest(code),
                now,
            )
        return "-".join(code[i : i + 5] for i in range(0, 20, 5))

    def recover(
        self, code: str, present: Player | None, device: str, now: int
    ) -> tuple[Player, str]:
        """The player of a recovery code, however it is typed, and a secret for this device.

        ``present`` as in `claim`.
        """
        typed = re.sub(r"[\s-]", "", code).upper().translate(_MISREAD)
        with self._store.transaction(commit=True) as sql:
            # Locked, so that a device that is signed out right now does not come back by it.
            row = sql.one(
                "UPDATE {0}recoveries SET created = created WHERE code = ? RETURNING player",
                digest(typed),
            )
            if row is None:
                raise Fault(404, "no_such_code", "There is no such recovery code.", field="code")
            maker = provenance.maker_of(sql, "recovery_code", row["player"])
            return _arrive(sql, row["player"], present, device, now, maker)

    # -- the devices of a player -----------------------------------------------------------

    def devices(self, player: Player) -> tuple[list[Device], int | None]:
        """The player's devices, the newest first, and when their recovery code was made."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT d.token, d.created, n.name, n.seen FROM {0}devices d LEFT JOIN"
                " {0}device_notes n ON n.token = d.token WHERE d.player = ?"
                " ORDER BY d.created DESC, d.token",
                player.id,
            )
            code = sql.one("SELECT created FROM {0}recoveries WHERE player = ?", player.id)
            makers = provenance.linked_by(sql, [row["token"] for row in rows])
        devices = [
            Device(
                *(device_id(r["token"]), r["name"] or "", r["created"], r["seen"]),
                device_id(makers[r["token"]]) if r["token"] in makers else None,
            )
            for r in rows
        ]
        return devices, code["created"] if code else None

    def sign_out(self, player: Player, device: str) -> list[provenance.Kind]:
        """End a device of the player's and what it made; gives what else was revoked.

        `Fault` 404 when there is none of this id.
        """
        ended, revoked = self._end(player, lambda hashed: device_id(hashed) == device)
        if not ended:
            raise Fault(404, "no_such_device", "You have no such device.")
        return revoked

    def sign_out_others(self, player: Player, token: str) -> list[provenance.Kind]:
        """End all devices of the player's but the one with this secret, and what they made; gives
        what else was revoked."""
        return self._end(player, lambda hashed: hashed != digest(token), unknown=True)[1]

    def signed_out(self, devices: set[str]) -> set[str]:
        """Those of some devices, by the `digest` of their secrets, that are signed out."""
        asked = sorted(devices)
        known = set()
        with self._store.transaction(commit=False) as sql:
            for some in (asked[i : i + _AT_ONCE] for i in range(0, len(asked), _AT_ONCE)):
                marks = ",".join("?" * len(some))
                rows = sql.all(f"SELECT token FROM {{0}}devices WHERE token IN ({marks})", *some)
                known |= {row["token"] for row in rows}
        return devices - known

    def _end(
        self, player: Player, ends: Callable[[str], bool], *, unknown: bool = False
    ) -> tuple[list[str], list[provenance.Kind]]:
        with self._store.transaction(commit=True) as sql:
            rows = sql.all("SELECT token FROM {0}devices WHERE player = ?", player.id)
            ended = [row["token"] for row in rows if ends(row["token"])]
            for hashed in ended:
                sql.run("DELETE FROM {0}devices WHERE token = ?", hashed)
                sql.run("DELETE FROM {0}device_notes WHERE token = ?", hashed)
                provenance.forget(sql, "device", hashed)
            revoked = provenance.revoke(sql, player.id, ended, unknown=unknown)
        for hashed in ended:
            self._forget(hashed)
        return ended, revoked


def device_id(hashed: str) -> str:
    """What a device is called in addresses: a part of the hash of its secret."""
    return hashed[:16]


def _day(now: int) -> int:
    return now - now % _DAY


def _arrive(
    sql: Sql, player: str, present: Player | None, device: str, now: int, maker: str | None
) -> tuple[Player, str]:
    name = sql.one("SELECT name FROM {0}players WHERE id = ?", player)["name"]
    if present is not None and present.id != player:
        raise Fault(
            409,
            "already_player",
            "This device plays as {name}.",
            args={"name": present.name},
            present=present.name,
            offered=name,
        )
    token = _add_device(sql, player, device, now)
    if maker is not None:
        provenance.note(sql, "device", digest(token), maker)
    return Player(player, name), token


def _add_device(sql: Sql, player: str, device: str, now: int) -> str:
    token = secrets.token_urlsafe(32)
    sql.run("INSERT INTO {0}devices VALUES (?,?,?)", digest(token), player, now)
    _note_device(sql, digest(token), device, now)
    return token


def _note_device(sql: Sql, hashed: str, device: str, now: int) -> None:
    sql.run(
        "INSERT INTO {0}device_notes VALUES (?,?,?) ON CONFLICT (token)"
        " DO UPDATE SET name = excluded.name, seen = excluded.seen",
        hashed,
        device,
        _day(now),
    )
