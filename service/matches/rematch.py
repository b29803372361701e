"""Rematches: at most one for each finished match.

The id of a rematch is derived from that of the finished match. The event store's primary key (match
and version) therefore lets only one of several concurrent requests create it, across all workers;
the others find it and take their seats in it.
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
    """Return whether the match is finished and was played by players of this service."""
    here = timeline.latest.opened.source not in IMPORTED_SOURCES
    return timeline.latest.status == "finished" and here and not is_for_review(timeline)


def build_rematch(timeline: Timeline, player: Player, now: int) -> Open:
    """Build the opening command of a rematch requested by one of the match's players.

    Raises `ApiProblem` 409 ``imported`` or ``not_over``, and 403 for a player without a seat.
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
    """Return the same time control, with its time zone's offsets from now on."""
    if pace is None or not pace.time_zone:
        return pace
    try:
        return in_time_zone(pace, pace.time_zone, now)
    except ApiProblem:
        return pace  # the zone was renamed since: keep the offsets the match has


def reserved_name(seat: Seat) -> str | None:
    """Return the name the player had on the seat held for them; None without one."""
    return None if parse_default_name("human", seat.name) else seat.name or None


def not_in_rematch() -> ApiProblem:
    """Return `ApiProblem` 409: the player has no seat in the rematch and none is held for them."""
    return ApiProblem(409, "without_you", "The rematch goes on without you.")


def rematch_answer(
    finished: Timeline, match_id: str, rematch: Timeline, player: str
) -> schema.RematchAnswer | None:
    """Describe the rematch to a player; None if they hold no seat in it and none is held for them.

    ``by``: the seat in the finished match of the player who asked for the rematch.
    """
    offered = bool(reserved_seats(rematch, player))
    if not offered and not held_seats(rematch, player):
        return None
    owner = rematch.latest.opened.owner
    for _seat, old, new in reversed(rematch.latest.moved):
        owner = old if owner == new else owner  # undo moves to other devices since
    by = next(i for i, seat in enumerate(finished.latest.seats) if seat.player == owner)
    return schema.RematchAnswer(match=match_id, by=by, offered=offered)
