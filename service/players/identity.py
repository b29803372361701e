"""Players and their devices, without registration.

Each device has a random secret, of which the service stores only the SHA-256. A player adds another
device with a one-time link, which is valid for ten minutes. A player who has lost every device
signs in again with a recovery code of 100 random bits, of which only the SHA-256 is stored too. A
recovery code does not expire, because people write it down once. It is valid until a new one
replaces it or the device that created it is signed out.

A player can sign out any of their devices. This revokes the unused links, the recovery code, the
calendar address and the seat PINs that the device created (`service.players.provenance`). In the
process that signs it out, this takes effect at once; other processes trust a secret for up to
`TRUST_LIFETIME_S` before they query the store again.
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

from domain.text.i18n import N_
from domain.text.text_rules import MAX_MESSAGE_CHARS, MAX_NAME_CHARS, sanitize
from projections.database.sql import Sql, batches
from service.http.i18n import t
from service.http.problems import ApiProblem
from service.players import provenance
from service.store import Store

LINK_LIFETIME_S = 600
"""Seconds for which a device link is valid."""
TRUST_LIFETIME_S = 2.0
"""Seconds for which a process trusts a secret without querying the store again."""
_MAX_CACHED_SECRETS = 10_000
"""Maximum number of secrets that a process caches."""
_MAX_DEVICES_PER_QUERY = 500
"""Maximum number of devices looked up in one query."""
_DAY_MS = 86_400_000
_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of recovery codes, without I, L, O and U, which are easily misread."""
_MISREAD_LETTERS = str.maketrans("ILO", "110")
_BROWSER_MARKS = (
    ("Edge", "Edg"),
    ("Opera", "OPR/"),
    ("Samsung Internet", "SamsungBrowser/"),
    ("Firefox", "Firefox/|FxiOS/"),
    ("Chromium", "Chrome/|CriOS/"),
    ("Safari", "Safari/"),
)
_SYSTEM_MARKS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("ChromeOS", "CrOS"),
    ("Mac", "Mac OS X"),
    ("Linux", "Linux"),
)


class Player(Struct, frozen=True):
    """A player. Their ``id`` is shown only to themselves."""

    id: str
    name: str


class Device(Struct, frozen=True):
    """A device of a player.

    - ``id``: the id from `device_id`, which is shown only to its player;
    - ``name``: the name from `device_name`, or "";
    - ``created``: when it was added, in milliseconds since 1970 UTC;
    - ``seen``: the start of the day of its last request, in the same unit; None if unknown;
    - ``linked_by``: the id of the device whose link or recovery code added it, None if there is
      none or it is unknown.
    """

    id: str
    name: str
    created: int
    seen: int | None
    linked_by: str | None = None


class CachedPlayer(Struct, frozen=True):
    """A cached player.

    ``checked_at_s``: when this process last queried the store, in seconds of the monotonic clock.
    """

    player: Player
    checked_at_s: float


def device_name(agent: str) -> str:
    """Return a name for the device that sent a User-Agent: browser and system, without versions."""
    browser = next((name for name, sign in _BROWSER_MARKS if re.search(sign, agent)), None)
    system = next((name for name, sign in _SYSTEM_MARKS if re.search(sign, agent)), None)
    if browser is None:
        return "A program"
    return f"{browser} on {system}" if system else browser


def device_label(name: str) -> str:
    """Return the name of a device in the current language.

    ``name``: a name returned by `device_name`, or "" if unknown.
    """
    browser, _, system = name.partition(" on ")
    if system:
        return t("device.browser_on_system", browser=browser, system=system)
    return t(_DEVICE_LABELS[name]) if name in _DEVICE_LABELS else name


_DEVICE_LABELS = {"": N_("device.unknown"), "A program": N_("device.api_client")}


def clean_text(text: str) -> str:
    """Sanitise the text of a chat message and return it.

    Raises `ApiProblem` 422 ``bad_text`` if it is empty or too long.
    """
    cleaned = sanitize(text)
    if not cleaned:
        raise ApiProblem(422, "bad_text", "error.text_empty", field="text")
    if len(cleaned) > MAX_MESSAGE_CHARS:
        # Checked after sanitising, because normalisation can turn one character into several.
        raise ApiProblem(422, "bad_text", "error.text_too_long", field="text")
    return cleaned


def clean_name(name: str) -> str:
    """Sanitise a display name and return it.

    Markup is kept, because names are always displayed as plain text. Raises `ApiProblem` 422
    ``bad_name`` unless the result has 1 to 40 characters.
    """
    cleaned = sanitize(name)
    if not 1 <= len(cleaned) <= MAX_NAME_CHARS:
        raise ApiProblem(422, "bad_name", "error.bad_name", field="name")
    return cleaned


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret in hex, the form in which the service stores secrets."""
    return hashlib.sha256(secret.encode()).hexdigest()


class PlayerStore:
    """Database store of players, devices, device links and recovery codes.

    In its methods, ``token`` is a device's secret, ``device`` the name of the caller's device
    (`device_name`) unless stated otherwise, and ``now`` milliseconds since 1970 UTC.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: LRUCache[str, CachedPlayer] = LRUCache(_MAX_CACHED_SECRETS)
        # The cache is read in the event loop but may be filled in other threads.
        self._lock = Lock()

    def create(self, name: str, device: str, now: int) -> tuple[Player, str]:
        """Create a player with one device; return the player and the device's secret.

        Raises `ApiProblem` 422 ``bad_name`` if the name is invalid.
        """
        player = Player(str(uuid.uuid4()), clean_name(name))
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}players VALUES (?,?,?)", player.id, player.name, now)
            return player, _add_device(sql, player.id, device, now)

    def rename(self, player: Player, name: str, token: str) -> Player:
        """Change a player's name; return the player with the new name.

        ``token``: the secret of the device that changes it. Other processes may use the old name
        for up to `TRUST_LIFETIME_S`. Raises `ApiProblem` 422 ``bad_name`` if the name is invalid,
        and 401 if the device is signed out.
        """
        renamed = Player(player.id, clean_name(name))
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, hash_secret(token))
            sql.run("UPDATE {0}players SET name = ? WHERE id = ?", renamed.name, renamed.id)
            rows = sql.all("SELECT token FROM {0}devices WHERE player = ?", renamed.id)
        with self._lock:
            for known in {row["token"] for row in rows} & self._cache.keys():
                self._cache[known] = CachedPlayer(renamed, self._cache[known].checked_at_s)
        return renamed

    def cached_player(self, token: str) -> Player | None:
        """Return the cached player of a secret, or None; the device may be signed out by now."""
        known = self._read_cache(hash_secret(token))
        return known.player if known else None

    def trusted_player(self, token: str) -> Player | None:
        """Return the cached player of a secret if checked within `TRUST_LIFETIME_S`, else None."""
        known = self._read_cache(hash_secret(token))
        fresh = known is not None and time.monotonic() - known.checked_at_s < TRUST_LIFETIME_S
        return known.player if known and fresh else None

    def find(self, token: str, device: str, now: int) -> Player | None:
        """Return the player of a secret, or None, and record the day and the device's name."""
        hashed = hash_secret(token)
        queried_at = time.monotonic()
        row = self._store.fetch_one(
            "SELECT p.id, p.name, n.seen FROM {0}devices d JOIN {0}players p ON p.id = d.player"
            " LEFT JOIN {0}device_notes n ON n.token = d.token WHERE d.token = ?",
            hashed,
        )
        if row is None:
            self._drop_cached(hashed)
            return None
        if row["seen"] != _start_of_day(now):
            with self._store.transaction(commit=True) as sql:
                _touch_device(sql, hashed, device, now)
        player = Player(row["id"], row["name"])
        with self._lock:
            self._cache[hashed] = CachedPlayer(player, queried_at)
        return player

    def _read_cache(self, secret_hash: str) -> CachedPlayer | None:
        with self._lock:
            return self._cache.get(secret_hash)

    def _drop_cached(self, secret_hash: str) -> None:
        with self._lock:
            self._cache.pop(secret_hash, None)

    # -- moving to another device ----------------------------------------------------------

    def create_link(self, player: Player, token: str, now: int) -> tuple[str, int]:
        """Create a one-time code for adding another device.

        Returns the code and when it expires, in milliseconds since 1970 UTC. ``token``: the secret
        of the device that creates it. Raises `ApiProblem` 401 if that device is signed out.
        """
        code = secrets.token_urlsafe(18)
        expires = now + LINK_LIFETIME_S * 1000
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, hash_secret(token))
            sql.run("DELETE FROM {0}links WHERE expires < ?", now)
            sql.run(
                "DELETE FROM {0}provenance WHERE kind = 'link'"
                " AND key NOT IN (SELECT code FROM {0}links)"
            )
            sql.run("INSERT INTO {0}links VALUES (?,?,?)", hash_secret(code), player.id, expires)
            provenance.record_maker(sql, "link", hash_secret(code), hash_secret(token))
        return code, expires

    def claim_link(
        self, code: str, current: Player | None, device: str, now: int
    ) -> tuple[Player, str]:
        """Use up a device link; return its player and a new secret for the caller's device.

        ``current``: the current player of the caller's device, None if there is none or they may be
        replaced. Raises `ApiProblem` 404 ``no_such_link``, 401 if the device that created the link
        is signed out, and 409 ``already_player`` if the link belongs to a player other than
        ``current``; in the last case it remains valid.
        """
        with self._store.transaction(commit=True) as sql:
            row = sql.one(
                "DELETE FROM {0}links WHERE code = ? AND expires >= ? RETURNING player",
                hash_secret(code),
                now,
            )
            if row is None:
                raise ApiProblem(404, "no_such_link", "error.no_such_link")
            maker = provenance.find_maker(sql, "link", hash_secret(code))
            provenance.delete_record(sql, "link", hash_secret(code))
            if maker is not None:
                provenance.require_device(sql, maker)
            return _add_signed_in_device(sql, row["player"], current, device, now, maker)

    def create_recovery_code(self, player: Player, token: str, now: int) -> str:
        """Create a recovery code, which replaces the previous one, and return it.

        The code consists of four groups of five characters with hyphens. ``token``: the secret of
        the device that creates it. Raises `ApiProblem` 401 if that device is signed out.
        """
        code = "".join(secrets.choice(_CODE_ALPHABET) for _ in range(20))
        with self._store.transaction(commit=True) as sql:
            provenance.require_device(sql, hash_secret(token))
            provenance.record_maker(sql, "recovery_code", player.id, hash_secret(token))
            sql.run(
                "INSERT INTO {0}recoveries VALUES (?,?,?) ON CONFLICT (player)"
                " DO UPDATE SET code = excluded.code, created = excluded.created",
                player.id,
                hash_secret(code),
                now,
            )
        return "-".join(code[i : i + 5] for i in range(0, 20, 5))

    def recover(
        self, code: str, current: Player | None, device: str, now: int
    ) -> tuple[Player, str]:
        """Use a recovery code; return its player and a new secret for the caller's device.

        Case, spaces and hyphens are ignored; I and L are read as 1, and O as 0. ``current`` as in
        `claim_link`. Raises `ApiProblem` 404 ``no_such_code``, and 409 ``already_player`` if the
        code belongs to a player other than ``current``.
        """
        typed = re.sub(r"[\s-]", "", code).upper().translate(_MISREAD_LETTERS)
        with self._store.transaction(commit=True) as sql:
            # Lock the row, so that this cannot race with a sign-out that revokes the code.
            row = sql.one(
                "UPDATE {0}recoveries SET created = created WHERE code = ? RETURNING player",
                hash_secret(typed),
            )
            if row is None:
                raise ApiProblem(404, "no_such_code", "error.no_such_code", field="code")
            maker = provenance.find_maker(sql, "recovery_code", row["player"])
            return _add_signed_in_device(sql, row["player"], current, device, now, maker)

    # -- the devices of a player -----------------------------------------------------------

    def list_devices(self, player: Player) -> tuple[list[Device], int | None]:
        """Return a player's devices, newest first, and when their recovery code was created.

        The time is in milliseconds since 1970 UTC, None if there is no code.
        """
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT d.token, d.created, n.name, n.seen FROM {0}devices d LEFT JOIN"
                " {0}device_notes n ON n.token = d.token WHERE d.player = ?"
                " ORDER BY d.created DESC, d.token",
                player.id,
            )
            code = sql.one("SELECT created FROM {0}recoveries WHERE player = ?", player.id)
            makers = provenance.find_linking_devices(sql, [row["token"] for row in rows])
        devices = [
            Device(
                *(device_id(r["token"]), r["name"] or "", r["created"], r["seen"]),
                device_id(makers[r["token"]]) if r["token"] in makers else None,
            )
            for r in rows
        ]
        return devices, code["created"] if code else None

    def sign_out(self, player: Player, device: str) -> list[provenance.Kind]:
        """Sign out a device and revoke the credentials that it created; return their kinds.

        ``device``: the id of the device. Raises `ApiProblem` 404 ``no_such_device``.
        """
        ended, revoked = self._sign_out_devices(player, lambda hashed: device_id(hashed) == device)
        if not ended:
            raise ApiProblem(404, "no_such_device", "error.no_such_device")
        return revoked

    def sign_out_others(self, player: Player, token: str) -> list[provenance.Kind]:
        """Sign out all of a player's devices except the one with the secret ``token``.

        Revokes the credentials that the devices created, and a recovery code or calendar address of
        unknown origin. Returns the revoked kinds.
        """
        return self._sign_out_devices(
            player, lambda hashed: hashed != hash_secret(token), unknown=True
        )[1]

    def find_signed_out(self, devices: set[str]) -> set[str]:
        """Return which of some devices are signed out.

        Devices are identified by the `hash_secret` of their secrets.
        """
        hashes = sorted(devices)
        known = set()
        with self._store.transaction(commit=False) as sql:
            for some in batches(hashes, _MAX_DEVICES_PER_QUERY):
                marks = ",".join("?" * len(some))
                rows = sql.all(f"SELECT token FROM {{0}}devices WHERE token IN ({marks})", *some)
                known |= {row["token"] for row in rows}
        return devices - known

    def _sign_out_devices(
        self, player: Player, select: Callable[[str], bool], *, unknown: bool = False
    ) -> tuple[list[str], list[provenance.Kind]]:
        with self._store.transaction(commit=True) as sql:
            rows = sql.all("SELECT token FROM {0}devices WHERE player = ?", player.id)
            ended = [row["token"] for row in rows if select(row["token"])]
            for hashed in ended:
                sql.run("DELETE FROM {0}devices WHERE token = ?", hashed)
                sql.run("DELETE FROM {0}device_notes WHERE token = ?", hashed)
                provenance.delete_record(sql, "device", hashed)
            revoked = provenance.revoke_credentials(sql, player.id, ended, unknown=unknown)
        for hashed in ended:
            self._drop_cached(hashed)
        return ended, revoked


def device_id(secret_hash: str) -> str:
    """Return the id of a device: the first 16 digits of the hash of its secret."""
    return secret_hash[:16]


def _start_of_day(now: int) -> int:
    return now - now % _DAY_MS


def _add_signed_in_device(
    sql: Sql, player: str, current: Player | None, device: str, now: int, maker: str | None
) -> tuple[Player, str]:
    name = sql.one("SELECT name FROM {0}players WHERE id = ?", player)["name"]
    if current is not None and current.id != player:
        raise ApiProblem(
            409,
            "already_player",
            "error.already_player",
            args={"name": current.name},
            present=current.name,
            offered=name,
        )
    token = _add_device(sql, player, device, now)
    if maker is not None:
        provenance.record_maker(sql, "device", hash_secret(token), maker)
    return Player(player, name), token


def _add_device(sql: Sql, player: str, device: str, now: int) -> str:
    token = secrets.token_urlsafe(32)
    sql.run("INSERT INTO {0}devices VALUES (?,?,?)", hash_secret(token), player, now)
    _touch_device(sql, hash_secret(token), device, now)
    return token


def _touch_device(sql: Sql, secret_hash: str, device: str, now: int) -> None:
    sql.run(
        "INSERT INTO {0}device_notes VALUES (?,?,?) ON CONFLICT (token)"
        " DO UPDATE SET name = excluded.name, seen = excluded.seen",
        secret_hash,
        device,
        _start_of_day(now),
    )
