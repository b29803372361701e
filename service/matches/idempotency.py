"""Idempotency keys and receipts of requests, and conversion of decisions for the store."""

import hashlib
import uuid

from msgspec import Struct

from domain.match.history import Decision
from domain.match.timeline import Timeline
from service.common.clock import now_ms
from service.players.identity import Player
from service.store import Receipt, StoredDecision


class RequestFingerprint(Struct, frozen=True):
    """Hashes of the Idempotency-Key (with player and route) and of the body of a request."""

    key: str
    body: str


def fingerprint_request(key: str, player: Player, route: str, body: bytes) -> RequestFingerprint:
    """Return the hashes (SHA-256 in hex) by which a repeated request is recognised."""
    whole = "\n".join((player.id, route, key))
    return RequestFingerprint(
        hashlib.sha256(whole.encode()).hexdigest(), hashlib.sha256(body).hexdigest()
    )


def to_stored_decisions(
    key: uuid.UUID, timeline: Timeline, decisions: list[Decision]
) -> list[StoredDecision]:
    """Return decisions of the match ``key`` in the form that the store saves."""
    game = timeline.latest.opened.game
    return [StoredDecision(key, game, decision) for decision in decisions]


def build_receipt(
    fingerprint: RequestFingerprint | None,
    match: str,
    seat: int,
    version_before: int,
    version_after: int,
    status: int,
    bots_started: bool = False,
) -> Receipt | None:
    """Return the receipt of a request, or None if it has no Idempotency-Key.

    ``version_before``, ``version_after``: versions of the match before and after the action;
    ``status``: the HTTP status. ``bots_started``: whether the response still waits for bots, which
    is stored as a negative version.
    """
    if fingerprint is None:
        return None
    return Receipt(
        fingerprint.key,
        fingerprint.body,
        match,
        seat,
        version_before,
        -version_after if bots_started else version_after,
        status,
        now_ms(),
    )
