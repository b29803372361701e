"""Previews of matches as they would begin, built without opening a match."""

import hashlib
from typing import Any

import msgspec

from domain.match.commands import Open
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from service.matches.options import find_game, options_from_request


def build_preview(slug: str, options: dict[str, Any], seats: int) -> Timeline:
    """Return the timeline of a match without an owner, which is not stored.

    The same game, options and number of seats give the same draws. They come from a seed that
    anyone can compute and that no real match uses. Raises `ApiProblem` 404 ``no_such_game``, 422
    ``wrong_seats`` or ``bad_option``.
    """
    title = find_game(slug, seats)
    filled = options_from_request(title, options)
    seed = hashlib.sha256(b"preview" + _encode_request(slug, filled, seats)).digest()
    bot_seats = (Seat("bot", ""),) * seats
    opening = Open(
        slug,
        title.rules_version,
        filled,
        bot_seats,
        "private",
        "",
        compute_commitment(seed),
        seed.hex(),
    )
    timeline = Timeline(codec_of(slug).rules)
    timeline.play(None, [opening], 0, draws_from_seed)
    return timeline


def preview_key(timeline: Timeline) -> str:
    """Return a key that identifies the content of a preview: the commitment of its seed."""
    return timeline.latest.opened.commitment


def _encode_request(slug: str, options: dict[str, Any], seats: int) -> bytes:
    return msgspec.json.encode([slug, options, seats], order="sorted")
