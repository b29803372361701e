"""What lets a request be repeated safely, and how decisions go into the store."""

import hashlib
import uuid

from msgspec import Struct

from domain.match import (
    Decision,
    Timeline,
)
from service.base.now import clock
from service.players.identity import Player
from service.store import Receipt, Recorded


class Idempotency(Struct, frozen=True):
    """The hashes of an Idempotency-Key (with caller and route) and of the body it came with."""

    key: str
    body: str


def idempotency(key: str, player: Player, route: str, body: bytes) -> Idempotency:
    """Hashes that recognise a repeated request."""
    whole = "\n".join((player.id, route, key))
    return Idempotency(hashlib.sha256(whole.encode()).hexdigest(), hashlib.sha256(body).hexdigest())


def recorded(key: uuid.UUID, timeline: Timeline, decisions: list[Decision]) -> list[Recorded]:
    game = timeline.now.opened.game
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
    """The receipt of a request; ``woken``: the answer is still to wait for bots."""
    if repeat is None:
        return None
    return Receipt(
        repeat.key, repeat.body, match, seat, before, -after if woken else after, status, clock()
    )
