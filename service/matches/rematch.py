"""A rematch: one finished match, one match that goes on from it.

The id of a rematch follows from that of the finished match. So the event store's own key, a match
and a version, lets only one of several taps at once make it, in whichever worker; the others find
it and sit down there.
"""

import uuid

from domain.answers.viewing import held_seats, is_for_review
from domain.marks import unnamed
from domain.match import IMPORTED_SOURCES, Open, Seat, Timeline
from domain.pace import Pace
from domain.register import TITLES
from domain.rematch import options_again, seats_again
from service.base.problems import Fault
from service.matches import schema
from service.matches.answers import awaiting_seats
from service.matches.problems import imported, not_your_seat
from service.matches.seating import in_time_zone, opening
from service.players.identity import Player


def rematch_key(match: uuid.UUID) -> uuid.UUID:
    """The id of the one rematch of a match."""
    return uuid.uuid5(match, "rematch")


def can_have_one(timeline: Timeline) -> bool:
    """Whether the match is over and the people in its seats are people of this service."""
    here = timeline.now.opened.source not in IMPORTED_SOURCES
    return timeline.now.status == "finished" and here and not is_for_review(timeline)


def rematch_of(timeline: Timeline, player: Player, now: int) -> Open:
    """How the same table is opened again by one of its players; `Fault` where it cannot be."""
    if timeline.now.opened.source in IMPORTED_SOURCES or is_for_review(timeline):
        raise imported()
    if not held_seats(timeline, player.id):
        raise not_your_seat()
    if timeline.now.status != "finished":
        raise Fault(409, "not_over", "The match is not over yet.")
    opened = timeline.now.opened
    title, seats = TITLES[opened.game], seats_again(timeline.now.seats, player.id)
    pace = _pace_again(opened.pace, now)
    options = options_again(timeline.rules, opened.options)
    return opening(title, options, seats, opened.visibility, player, pace)


def _pace_again(pace: Pace | None, now: int) -> Pace | None:
    """The same pace, with the time zone's offsets from now on."""
    if pace is None or not pace.time_zone:
        return pace
    try:
        return in_time_zone(pace, pace.time_zone, now)
    except Fault:
        return pace  # the zone has another name by now: what the match knew of it holds


def name_kept(seat: Seat) -> str | None:
    """What somebody called themselves on the seat that is held for them; None: nothing."""
    return None if unnamed("human", seat.name) else seat.name or None


def without_you() -> Fault:
    """The seat was declined, and somebody else has it."""
    return Fault(409, "without_you", "The rematch goes on without you.")


def rematch_answer(
    finished: Timeline, match_id: str, rematch: Timeline, player: str
) -> schema.RematchAnswer | None:
    """What somebody is told of the rematch; None who has no seat in it and none to take."""
    offered = bool(awaiting_seats(rematch, player))
    if not offered and not held_seats(rematch, player):
        return None
    owner = rematch.now.opened.owner
    for _seat, old, new in reversed(rematch.now.moved):
        owner = old if owner == new else owner  # who has moved to another device since
    by = next(i for i, seat in enumerate(finished.now.seats) if seat.player == owner)
    return schema.RematchAnswer(match=match_id, by=by, offered=offered)
