"""Signatures of match files: proof that a match was played on this service.

A file by itself proves that the rules were followed and the draws not manipulated. An Ed25519
signature over the whole content certifies that its names, times and messages are those of a match
on this service. Only matches whose every decision was made on the service are signed, never
imported ones, which can be passed on as the original file.

The keys are in the store, shared by all workers; the first worker that needs one creates it. The
private key never leaves this module, and is deleted when another key replaces it.
"""

import hashlib
from collections.abc import Collection
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

from domain.match.commands import Open
from domain.match.events import MatchOpened
from domain.match.seats import FROM_FILE, PHONE, SIGNED_FILE
from domain.match.timeline import Timeline
from domain.matchfile.schema import BadFile, Signature, parse_signature
from domain.matchfile.verification import verify
from domain.matchfile.writer import Signer, content_to_sign
from service.matches import options as game_options
from service.store import Store

ALGORITHM: Final = "Ed25519"


class SigningKey(Struct, frozen=True):
    """A key for match files; ``id``: see `key_id`; ``public``: its public key in hex.

    ``created`` and ``retired`` are milliseconds since 1970 UTC; ``retired`` is None while the key
    is used for signing.
    """

    id: str
    public: str
    created: int
    retired: int | None = None


def key_id(public: str) -> str:
    """Return the id of a public key: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


class SigningKeys:
    """The signing keys of one store; every method queries the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def signer(self, now: int) -> Signer:
        """Return a function that signs with the active key, creating a key if there is none.

        ``now``: milliseconds since 1970 UTC.
        """
        private = self._active_private_key() or self._create_first_key(now)

        def sign(content: bytes) -> Signature:
            key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
            public = _public_key(private)
            return Signature(ALGORITHM, key_id(public), public, key.sign(content).hex())

        return sign

    def rotate(self, now: int) -> SigningKey:
        """Replace the active key and return the new one; the old public key stays listed.

        ``now``: milliseconds since 1970 UTC. The old private key is deleted.
        """
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "UPDATE {0}keys SET active = NULL, private = '', retired = ? WHERE active = 1", now
            )
            _insert_key(sql, now)
        return next(key for key in self.list_keys() if key.retired is None)

    def list_keys(self) -> list[SigningKey]:
        """Return all keys, including retired ones, newest first."""
        rows = self._store.fetch_all(
            "SELECT id, public, created, retired FROM {0}keys ORDER BY created DESC, id"
        )
        return [
            SigningKey(row["id"], row["public"], row["created"], row["retired"]) for row in rows
        ]

    def public_keys(self) -> set[str]:
        """Return all public keys in hex, including retired ones."""
        return {key.public for key in self.list_keys()}

    def _active_private_key(self) -> str:
        row = self._store.fetch_one("SELECT private FROM {0}keys WHERE active = 1")
        return "" if row is None else str(row["private"])

    def _create_first_key(self, now: int) -> str:
        """Create the first key and return the private key; concurrent workers get the same one."""
        with self._store.transaction(commit=True) as sql:
            _insert_key(sql, now)
        return self._active_private_key()


def _insert_key(sql: Any, now: int) -> None:
    """Insert a new active key; does nothing if there is one, because ``active`` is unique."""
    private = Ed25519PrivateKey.generate().private_bytes_raw().hex()
    public = _public_key(private)
    sql.run(
        "INSERT INTO {0}keys (id, private, public, created, active) VALUES (?,?,?,?,1)"
        " ON CONFLICT DO NOTHING",
        *(key_id(public), private, public, now),
    )


def _public_key(private: str) -> str:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return key.public_key().public_bytes_raw().hex()


# --- checking ---------------------------------------------------------------------------------


class BadSignature(BadFile):
    """Error for a file whose signature is wrong; its message is one of the service."""

    text_domain = "service"


def verify_signature(document: Any) -> Signature | None:
    """Verify and return the signature of a match file; return None if it has none.

    The signature is verified with the public key that it contains; the caller has to check whose
    key that is. Raises `BadFile` if the signature is invalid.
    """
    signature = parse_signature(document)
    if signature is None:
        return None
    wrong = BadSignature("file.bad_signature")
    try:
        if signature.algorithm != ALGORITHM or signature.key != key_id(signature.public):
            raise wrong
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.public))
        public.verify(bytes.fromhex(signature.value), content_to_sign(document))
    except (InvalidSignature, ValueError):
        raise wrong from None
    return signature


def verify_upload(document: Any, own_keys: Collection[str], now: int) -> Timeline:
    """Verify an uploaded match file and return its timeline, with its source recorded.

    ``own_keys``: the public keys of this service; ``now``: milliseconds since 1970 UTC. Raises
    `BadFile`.
    """
    # Check rules before the signature, because their errors name the invalid decision.
    timeline = verify(document, game_options.check_options, now)
    return with_source(timeline, verify_signature(document), own_keys)


def with_source(
    timeline: Timeline, signature: Signature | None, own_keys: Collection[str]
) -> Timeline:
    """Return an imported match with its source recorded in the first decision.

    The source is `SIGNED_FILE` if the signature is by one of ``own_keys``, otherwise `PHONE` for a
    match played on a phone, otherwise `FROM_FILE`.
    """
    known = signature is not None and signature.public in own_keys
    phone = timeline.latest.opened.source == PHONE
    source = SIGNED_FILE if known else PHONE if phone else FROM_FILE
    first, *rest = timeline.decisions

    def with_new_source(part: Any) -> Any:
        return replace(part, source=source) if isinstance(part, Open | MatchOpened) else part

    events = tuple(with_new_source(event) for event in first.events)
    first = replace(first, command=with_new_source(first.command), events=events)
    return Timeline(timeline.rules, [first, *rest])
