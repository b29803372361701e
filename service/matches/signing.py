"""Signatures: what makes a match file proof that the match was played here.

A file proves by itself that rules and draws were kept. That its names, times and words are those
of a match at this service only the service can say, and says it with an Ed25519 signature over
the whole content. Signed are matches of which the service saw every decision, never what came in
a file: whoever brings a match in keeps the file it came in.

The keys are in the store, so all workers share them; the first that needs one makes it. The
private half of a key never leaves this module, and is deleted when another key takes its place.
"""

import hashlib
from collections.abc import Collection
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

from domain.filed import BadFile, Signature, signature_in
from domain.match import FROM_FILE, PHONE, SIGNED_FILE, MatchOpened, Open, Timeline
from domain.matchfile import Sign, signed_content, verify
from service.matches import options as game_options
from service.store import Store

ALGORITHM: Final = "Ed25519"


class Key(Struct, frozen=True):
    """The public half of a key in hex; times are milliseconds since 1970 UTC.

    ``retired`` is None while the key signs.
    """

    id: str
    public: str
    created: int
    retired: int | None = None


def key_id(public: str) -> str:
    """A short name of a public key: 16 hex digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


class Keys:
    """The keys of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def signer(self, now: int) -> Sign:
        """Signs with the present key, which is made when there is none yet."""
        private = self._private() or self._made(now)

        def sign(content: bytes) -> Signature:
            key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
            public = _public(private)
            return Signature(ALGORITHM, key_id(public), public, key.sign(content).hex())

        return sign

    def rotate(self, now: int) -> Key:
        """Puts a new key in the place of the present one, which stays listed; gives the new one."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "UPDATE {0}keys SET active = NULL, private = '', retired = ? WHERE active = 1", now
            )
            _insert(sql, now)
        return next(key for key in self.listed() if key.retired is None)

    def listed(self) -> list[Key]:
        """All keys there ever were, the newest first."""
        with self._store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT id, public, created, retired FROM {0}keys ORDER BY created DESC, id"
            )
        return [Key(row["id"], row["public"], row["created"], row["retired"]) for row in rows]

    def publics(self) -> set[str]:
        """The public halves of all keys."""
        return {key.public for key in self.listed()}

    def _private(self) -> str:
        with self._store.transaction(commit=False) as sql:
            row = sql.one("SELECT private FROM {0}keys WHERE active = 1")
        return "" if row is None else str(row["private"])

    def _made(self, now: int) -> str:
        """The first key; of several workers that make one at once only one succeeds."""
        with self._store.transaction(commit=True) as sql:
            _insert(sql, now)
        return self._private()


def _insert(sql: Any, now: int) -> None:
    """A new active key; nothing when there is one, for `active` is 1 in one row only."""
    private = Ed25519PrivateKey.generate().private_bytes_raw().hex()
    public = _public(private)
    sql.run(
        "INSERT INTO {0}keys (id, private, public, created, active) VALUES (?,?,?,?,1)"
        " ON CONFLICT DO NOTHING",
        *(key_id(public), private, public, now),
    )


def _public(private: str) -> str:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return key.public_key().public_bytes_raw().hex()


# --- checking ---------------------------------------------------------------------------------


def signature_of(document: Any) -> Signature | None:
    """The file's signature, which holds; None of a file without. `BadFile` when it does not.

    It holds for the key that it names: whose that is, the caller has to know.
    """
    signature = signature_in(document)
    if signature is None:
        return None
    wrong = BadFile("the signature does not hold: the file was changed after it was signed")
    try:
        if signature.algorithm != ALGORITHM or signature.key != key_id(signature.public):
            raise wrong
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.public))
        public.verify(bytes.fromhex(signature.value), signed_content(document))
    except (InvalidSignature, ValueError):
        raise wrong from None
    return signature


def received(document: Any, ours: Collection[str], now: int) -> Timeline:
    """The timeline of a file from outside, proved, with a note where it came from.

    ``ours``: the public keys whose signature says that a match was played here; ``now``: the
    present in milliseconds. Raises `BadFile`.
    """
    # The rules first: a file that does not follow them is told which decision is wrong.
    timeline = verify(document, game_options.check, now)
    return noted(timeline, signature_of(document), ours)


def noted(timeline: Timeline, signature: Signature | None, ours: Collection[str]) -> Timeline:
    """The match of a file with a note in its first decision where it came from."""
    known = signature is not None and signature.public in ours
    phone = timeline.now.opened.source == PHONE
    source = SIGNED_FILE if known else PHONE if phone else FROM_FILE
    first, *rest = timeline.decisions

    def mended(part: Any) -> Any:
        return replace(part, source=source) if isinstance(part, Open | MatchOpened) else part

    events = tuple(mended(event) for event in first.events)
    first = replace(first, command=mended(first.command), events=events)
    return Timeline(timeline.rules, [first, *rest])
