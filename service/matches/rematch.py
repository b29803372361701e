"""Rematches, at most one for each finished match.

The id of a rematch is derived from that of the finished match. The event store's primary key (match
and version) therefore lets only one of several concurrent requests create it, across all workers;
the other requests find it and take seats in it.
"""

import uuid

from domain.contract.registry import TITLES
from domain.match import IMPORTED_SOURCES, Open, Seat, Timeline
from domain.match.rematch import rematch_options, rematch_seats
from domain.match.time_control import Pace
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.text.default_names import parse_default_name
from service.http.problems import ApiProblem
from service.matches import schema
from service.matches.access import reserved_seats
from service.matches.problems import imported_match_problem, not_your_seat
from service.matches.seating import build_open_command, in_time_zone
from service.players.identity import Player


def rematch_key(match: uuid.UUID) -> uuid.UUID:
    """Return the id of the rematch of a match."""
    return uuid.uuid5(match, "rematch")


def can_have_rematch(timeline: Timeline) -> bool:
    """Return whether the match is finished and was played on this service, not imported."""
    here = timeline.latest.opened.source not in IMPORTED_SOURCES
    return timeline.latest.status == "finished" and here and not is_for_review(timeline)


def build_rematch(timeline: Timeline, player: Player, now: int) -> Open:
    """Return the command that opens a rematch requested by one of the match's players.

    ``now``: milliseconds since 1970 UTC. Raises `ApiProblem` 409 ``imported`` or ``not_over``, and
    403 for a player without a seat in the match.
    """
    if timeline.latest.opened.source in IMPORTED_SOURCES or is_for_review(timeline):
        raise imported_match_problem()
    if not held_seats(timeline, player.id):
        raise not_your_seat()
    if timeline.latest.status != "finished":
        raise ApiProblem(409, "not_over", "The match is not over yet.")
    opened = timeline.latest.opened
    title, seats = TITLES[opened.game], rematch_seats(timeline.latest.seats, player.id)
    pace = _renew_time_control(opened.pace, now)
    options = rematch_options(timeline.rules, opened.options)
    return build_open_command(title, options, seats, opened.visibility, player, pace)


def _renew_time_control(pace: Pace | None, now: int) -> Pace | None:
    """Return the same time control with the offsets of its time zone from ``now`` on.

    Returns it unchanged if it has no time zone, or one that is no longer known.
    """
    if pace is None or not pace.time_zone:
        return pace
    try:
        return in_time_zone(pace, pace.time_zone, now)
    except ApiProblem:
        return pace  # The zone has been renamed since: keep the offsets of the match.


def reserved_name(seat: Seat) -> str | None:
    """Return the name that the player had on a reserved seat, or None for a default name."""
    return None if parse_default_name("human", seat.name) else seat.name or None


def not_in_rematch() -> ApiProblem:
    """Return `ApiProblem` 409 for a player who has no seat, and none reserved, in the rematch."""
    return ApiProblem(409, "without_you", "The rematch goes on without you.")


def rematch_answer(
    finished: Timeline, match_id: str, rematch: Timeline, player: str
) -> schema.RematchAnswer | None:
    """Return the description of a rematch for a player.

    None if the player holds no seat in the rematch and none is reserved for the player.
    """
    offered = bool(reserved_seats(rematch, player))
    if not offered and not held_seats(rematch, player):
        return None
    owner = rematch.latest.opened.owner
    for _seat, old, new in reversed(rematch.latest.moved):
        owner = old if owner == new else owner  # Reverse later moves to other devices.
    by = next(i for i, seat in enumerate(finished.latest.seats) if seat.player == owner)
    return schema.RematchAnswer(match=match_id, by=by, offered=offered)
