"""Idempotency of requests (keys and receipts), and records of decisions for the store."""

import hashlib
import uuid

from msgspec import Struct

from domain.match import (
    Decision,
    Timeline,
)
from service.common.clock import clock
from service.players.identity import Player
from service.store import Receipt, Recorded


class Idempotency(Struct, frozen=True):
    """Hashes of an Idempotency-Key (with caller and route) and of the body it came with."""

    key: str
    body: str


def idempotency(key: str, player: Player, route: str, body: bytes) -> Idempotency:
    """Return the hashes (SHA-256, hex) that recognise a repeated request."""
    whole = "\n".join((player.id, route, key))
    return Idempotency(hashlib.sha256(whole.encode()).hexdigest(), hashlib.sha256(body).hexdigest())


def recorded(key: uuid.UUID, timeline: Timeline, decisions: list[Decision]) -> list[Recorded]:
    """Return decisions of a match as records for the store."""
    game = timeline.latest.opened.game
    return [Recorded(key, game, decision) for decision in decisions]


def receipt_of(
    repeat: Idempotency | None,
    match: str,
    seat: int,
    before: int,
    after: int,
    status: int,
    woken: bool = False,
) -> Receipt | None:
    """Build the receipt of a request; None without an Idempotency-Key.

    ``before``, ``after``: versions around the action. ``woken``: the answer still has to wait for
    bots, which is stored as a negative ``after``.
    """
    if repeat is None:
        return None
    return Receipt(
        repeat.key, repeat.body, match, seat, before, -after if woken else after, status, clock()
    )
