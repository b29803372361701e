"""Rematches, at most one for each finished match.

The id of a rematch is derived from that of the finished match. The event store's primary key (match
and version) therefore lets only one of several concurrent requests create it, across all workers;
the other requests find it and take seats in it.
"""

import uuid
from dataclasses import dataclass

from domain.contract.registry import TITLES
from domain.match.commands import Open
from domain.match.rematch import rematch_options, rematch_seats
from domain.match.seats import IMPORTED_SOURCES, Seat
from domain.match.time_control import Pace
from domain.match.timeline import Timeline
from domain.presentation import schemas
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.text.default_names import parse_default_name
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.http.rate_limits import SocialLimits
from service.matches import schema
from service.matches.access import reserved_seats
from service.matches.match_access import MatchAccess
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.match_writer import ActionResult, MatchWriter
from service.matches.problems import imported_match_problem, not_your_seat
from service.matches.reserved_seats import players_with_reservation
from service.matches.seat_actions import SeatActions
from service.matches.seating import build_open_command, in_time_zone
from service.players.identity import Player
from service.store import VersionConflict


@dataclass(kw_only=True, eq=False)
class RematchActions:
    """The actions of players that open, join and find the rematch of a match."""

    writer: MatchWriter
    matches: MatchCache
    access: MatchAccess
    limits: SocialLimits
    seats: SeatActions

    async def open_rematch(self, match: LoadedMatch, player: Player, address: str) -> ActionResult:
        """Open the rematch of a match, with another starting seat, or join the existing one.

        There is at most one rematch of a match: the first request creates it (status 201), later
        ones take the seats reserved for the player in it (status 200). ``address``: the client
        address, for rate limits.
        """
        now = now_ms()
        command = build_rematch(match.timeline, player, now)
        key = rematch_key(match.key)
        other = await self.matches.find(key, fresh=True)
        if other is None:
            await self.limits.count_reservations(address, players_with_reservation(command.seats))
            timeline = Timeline(match.timeline.rules)
            timeline.play(None, [command], now, draws_from_seed)
            try:
                return await self.writer.create_match(key, timeline, None)
            except VersionConflict:
                other = await self.matches.find(key, fresh=True)
                assert other is not None
        return await self._take_reserved_seats(other, player, address)

    async def _take_reserved_seats(
        self, other: LoadedMatch, player: Player, address: str
    ) -> ActionResult:
        """Take all seats of a rematch that are reserved for the player.

        Raises `ApiProblem` 409 ``without_you`` if none is and the player holds none.
        """
        done = None
        for seat in reserved_seats(other.timeline, player.id):
            name = reserved_name(other.timeline.latest.seats[seat])
            request = schema.JoinMatch(seat=seat, name=name)
            done = await self.seats.take_seat(other, player, request, address)
        if done is not None:
            return await self.writer.wait_for_bots(done, None)
        held = held_seats(other.timeline, player.id)
        if not held:
            raise not_in_rematch()
        return ActionResult(other.id, other.timeline, held[0], other.timeline.version)

    async def find_rematch(
        self, match: LoadedMatch, player: Player | None
    ) -> schemas.RematchAnswer | None:
        """Return the rematch of a match as seen by a player; None if there is none for them.

        Also None if the player does not hold a seat in the match or has blocked the player who
        opened the rematch.
        """
        if player is None or not can_have_rematch(match.timeline):
            return None
        if not held_seats(match.timeline, player.id):
            return None
        other = await self.matches.find(rematch_key(match.key), fresh=True)
        if other is None:
            return None
        if await self.access.has_blocked_host(other.timeline, player.id):
            return None
        return rematch_answer(match.timeline, other.id, other.timeline, player.id)


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
        raise ApiProblem(409, "not_over", "error.not_over")
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
    return ApiProblem(409, "without_you", "error.without_you")


def rematch_answer(
    finished: Timeline, match_id: str, rematch: Timeline, player: str
) -> schemas.RematchAnswer | None:
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
    return schemas.RematchAnswer(match=match_id, by=by, offered=offered)
