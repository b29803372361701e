"""Limits on the decisions of a match that one player may use up by undoing, voting and joining.

A match has a maximum number of decisions (`domain.match.MAX_DECISIONS`), including undone ones;
once it is reached, nobody can move. A player who keeps moving and undoing would use them up for
everyone, so each player's share is limited. If one player holds all seats, nobody else is affected
and undo has no limit.

Usage is counted only in matches that are long enough to exceed a limit. It is counted in a thread,
because counting reads the whole match.
"""

import asyncio
from collections import Counter

from msgspec import Struct

from domain.match import events
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from service.http.problems import ApiProblem

MAX_UNDO_DECISIONS = 1_500
"""Maximum number of decisions that one player may undo, or use to undo and redo. A whole match has
about 300 decisions, of which players undo a few dozen."""
MAX_VOTES = 100
"""Maximum number of votes of one player in a match; deciding about a seat takes one."""
MAX_SEAT_MOVES = 50
"""Maximum number of moves of one seat to other devices. Each clears the votes about the seat, so
the maximum is lower than that of votes."""
MAX_JOINS_PER_PLAYER = 50
"""Maximum number of times one player may join the same match, leaving it in between."""
MAX_JOINS = 1_000
"""Maximum number of times all players together may join a match, because with an invite one person
can join as a new player each time."""
_UNDO_EVENTS = (events.MovesUndone, events.MovesRedone, events.UndoProposed)


_VOTE_EVENTS = (events.Voted, events.RecoveryAsked, events.RecoveryAnswered)


def count_undone_decisions(timeline: Timeline, player: str) -> int:
    """Count the player's decisions that were undone, or that undid, redid or proposed an undo."""
    own = {i for i, seat in enumerate(timeline.latest.seats) if seat.player == player}
    undone = timeline.undone_indexes(1)
    return sum(
        1
        for index, decision in enumerate(timeline.decisions)
        if decision.seat in own
        and (index in undone or isinstance(decision.events[-1], _UNDO_EVENTS))
    )


def count_votes(timeline: Timeline, player: str) -> int:
    """Count the player's votes on bots, and the player's requests and answers for recoveries."""
    own = {i for i, seat in enumerate(timeline.latest.seats) if seat.player == player}
    return sum(d.seat in own and isinstance(d.events[0], _VOTE_EVENTS) for d in timeline.decisions)


class QuotaUse(Struct, frozen=True):
    """Numbers of decisions that a player has used up in a match.

    They are 0 if the match is too short for a limit to apply.
    """

    undone_decisions: int = 0
    votes: int = 0

    def check_undo_quota(self) -> None:
        """Raise `ApiProblem` 409 ``too_many_undos`` if `MAX_UNDO_DECISIONS` is reached."""
        if self.undone_decisions >= MAX_UNDO_DECISIONS:
            raise ApiProblem(409, "too_many_undos", "error.too_many_undos")

    def check_vote_quota(self) -> None:
        """Raise `ApiProblem` 409 ``too_many_votes`` if the player has reached `MAX_VOTES`."""
        if self.votes >= MAX_VOTES:
            raise ApiProblem(409, "too_many_votes", "error.too_many_votes")


async def quota_used_by_undo(
    timeline: Timeline, player: str, seat: int, to_version: int | None
) -> QuotaUse:
    """Return the decisions used up by a player who requests an undo to a version.

    Returns at once for a short match that is completely in memory. Otherwise a thread counts, and
    also loads the decisions before the snapshot that the undo needs. The result is 0 if one player
    holds all seats.
    """
    if len(timeline.decisions) < MAX_UNDO_DECISIONS and not timeline.moments.unloaded:
        return QuotaUse()

    def look() -> QuotaUse:
        try:
            kind = timeline.undo_kind(seat, to_version)
            if kind.kind == "consent":
                timeline.declined_at(seat, kind.to_version)
        except (Refused, IndexError):
            pass  # The undo itself raises and reports this error again.
        alone = len(timeline.decisions) < MAX_UNDO_DECISIONS or len(timeline.latest.people()) <= 1
        return (
            QuotaUse()
            if alone
            else QuotaUse(undone_decisions=count_undone_decisions(timeline, player))
        )

    return await asyncio.to_thread(look)


async def quota_used_by_votes(timeline: Timeline, player: str) -> QuotaUse:
    """Return the votes used up by a player who is about to vote; 0 for a short match."""
    if len(timeline.decisions) < MAX_VOTES:
        return QuotaUse()
    return QuotaUse(votes=await asyncio.to_thread(count_votes, timeline, player))


def check_seat_moves(timeline: Timeline, seat: int) -> None:
    """Raise `ApiProblem` 409 ``too_many_moves`` if a seat has reached `MAX_SEAT_MOVES`."""
    if sum(moved == seat for moved, _old, _new in timeline.latest.moved) >= MAX_SEAT_MOVES:
        raise ApiProblem(409, "too_many_moves", "error.too_many_moves")


def count_joins(timeline: Timeline) -> Counter[str]:
    """Return how often each player has joined the match, by player id."""
    return Counter(
        event.player
        for decision in timeline.decisions
        if isinstance(event := decision.events[0], events.SeatTaken)
    )


async def check_join_quota(timeline: Timeline, player: str) -> None:
    """Raise `ApiProblem` 409 ``too_many_joins`` if the match cannot be joined once more.

    This is so if the player has reached `MAX_JOINS_PER_PLAYER`, or all players `MAX_JOINS`.
    """
    if len(timeline.decisions) < MAX_JOINS_PER_PLAYER:
        return
    found = await asyncio.to_thread(count_joins, timeline)
    if found[player] >= MAX_JOINS_PER_PLAYER or found.total() >= MAX_JOINS:
        raise ApiProblem(409, "too_many_joins", "error.too_many_joins")
