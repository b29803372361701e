"""Who is asking: players without sign-up.

A device holds a random secret; the service keeps only its SHA-256. A player moves to another
device by a one-time link that is good for ten minutes.
"""

import hashlib
import secrets
import unicodedata
import uuid
from collections import OrderedDict

from msgspec import Struct

from service.problems import Fault
from service.store import Store

LINK_SECONDS = 600
_REMEMBERED = 10_000


class Player(Struct, frozen=True):
    """A person. The id is public to nobody but its owner."""

    id: str
    name: str


def visible(text: str) -> str:
    """The text in NFC on one line, without control or invisible formatting characters."""
    kept = [
        " " if c.isspace() else c
        for c in unicodedata.normalize("NFC", text)
        if c.isspace() or unicodedata.category(c)[0] != "C"
    ]
    return " ".join("".join(kept).split())


def clean_text(text: str) -> str:
    """What somebody says; `Fault` 422 ``bad_text`` when nothing is left of it."""
    cleaned = visible(text)
    if not cleaned:
        raise Fault(422, "bad_text", "There is nothing to say in that.", field="text")
    return cleaned


def clean_name(name: str) -> str:
    """A display name: NFC, no control or invisible formatting characters, 1-40 characters.

    Markup is kept: it is text and shown as text. Raises `Fault` 422 ``bad_name``.
    """
    cleaned = visible(name)
    if not 1 <= len(cleaned) <= 40:
        raise Fault(422, "bad_name", "A name has 1 to 40 visible characters.", field="name")
    return cleaned


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Players:
    """Makes players, devices and device links, and finds them again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, Player] = OrderedDict()

    def create(self, name: str, now: int) -> tuple[Player, str]:
        """A new player and the secret of their device; ``now`` in milliseconds."""
        player = Player(str(uuid.uuid4()), clean_name(name))
        token = secrets.token_urlsafe(32)
        with self._store.transaction(commit=True) as sql:
            sql.run("INSERT INTO {0}players VALUES (?,?,?)", player.id, player.name, now)
            sql.run("INSERT INTO {0}devices VALUES (?,?,?)", digest(token), player.id, now)
        return player, token

    def known(self, token: str) -> Player | None:
        """The player of a secret, if this process has seen it before."""
        return self._known.get(digest(token))

    def find(self, token: str) -> Player | None:
        """The player of a secret, or None."""
        hashed = digest(token)
        with self._store.transaction(commit=False) as sql:
            row = sql.one(
                "SELECT p.id, p.name FROM {0}devices d JOIN {0}players p ON p.id = d.player"
                " WHERE d.token = ?",
                hashed,
            )
        if row is None:
            return None
        player = self._known[hashed] = Player(row["id"], row["name"])
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return player

    def link(self, player: Player, now: int) -> tuple[str, int]:
        """A one-time code for another device and when it expires, in milliseconds."""
        code = secrets.token_urlsafe(18)
        expires = now + LINK_SECONDS * 1000
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}links WHERE expires < ?", now)
            sql.run("INSERT INTO {0}links VALUES (?,?,?)", digest(code), player.id, expires)
        return code, expires

    def claim(self, code: str, now: int) -> tuple[Player, str]:
        """The player of an unused code and a secret for this device."""
        token = secrets.token_urlsafe(32)
        with self._store.transaction(commit=True) as sql:
            row = sql.one(
                "DELETE FROM {0}links WHERE code = ? AND expires >= ? RETURNING player",
                digest(code),
                now,
            )
            if row is None:
                raise Fault(404, "no_such_link", "This link was used already or has run out.")
            player = row["player"]
            name = sql.one("SELECT name FROM {0}players WHERE id = ?", player)["name"]
            sql.run("INSERT INTO {0}devices VALUES (?,?,?)", digest(token), player, now)
        return Player(player, name), token
