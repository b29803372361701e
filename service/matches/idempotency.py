"""Idempotency of requests (keys and receipts), and records of decisions for the store."""

import hashlib
import uuid

from msgspec import Struct

from domain.match import (
    Decision,
    Timeline,
)
from service.common.clock import now_ms
from service.players.identity import Player
from service.store import Receipt, StoredDecision


class RequestFingerprint(Struct, frozen=True):
    """Hashes of an Idempotency-Key (with caller and route) and of the request's body."""

    key: str
    body: str


def fingerprint_request(key: str, player: Player, route: str, body: bytes) -> RequestFingerprint:
    """Return the hashes (SHA-256, hex) that identify a repeated request."""
    whole = "\n".join((player.id, route, key))
    return RequestFingerprint(
        hashlib.sha256(whole.encode()).hexdigest(), hashlib.sha256(body).hexdigest()
    )


def to_stored_decisions(
    key: uuid.UUID, timeline: Timeline, decisions: list[Decision]
) -> list[StoredDecision]:
    """Return decisions of a match as records for the store."""
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
    """Build the receipt of a request; None without an Idempotency-Key.

    ``version_before``, ``version_after``: versions around the action. ``bots_started``: the answer
    still has to wait for bots, which is stored as a negative ``version_after``.
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
