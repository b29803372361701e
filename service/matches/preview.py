"""Previews: a match as it would begin, made without opening it."""

import hashlib
from typing import Any

import msgspec

from domain.match import Open, Seat, Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from service.matches.options import asked_for, game_of


def laid_out(slug: str, options: dict[str, Any], seats: int) -> Timeline:
    """Build a match that belongs to nobody and is not stored; raises `Fault` as for a new match.

    The same options give the same draws. They come from a seed that anyone can compute and that no
    real match has.
    """
    title = game_of(slug, seats)
    filled = asked_for(title, options)
    seed = hashlib.sha256(b"preview" + _plain(slug, filled, seats)).digest()
    chairs = (Seat("bot", ""),) * seats
    opening = Open(
        slug,
        title.rules_version,
        filled,
        chairs,
        "private",
        "",
        compute_commitment(seed),
        seed.hex(),
    )
    timeline = Timeline(codec_of(slug).rules)
    timeline.play(None, [opening], 0, draws_from_seed)
    return timeline


def key_of(timeline: Timeline) -> str:
    """Return a key that is different for each preview: the commitment of its seed."""
    return timeline.latest.opened.commitment


def _plain(slug: str, options: dict[str, Any], seats: int) -> bytes:
    return msgspec.json.encode([slug, options, seats], order="sorted")
