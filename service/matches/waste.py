"""How much of a match one person may use up by taking back, by votes, and by coming and going.

A match holds so many decisions (`domain.match.MOST_DECISIONS`), also those that were taken back,
and is over for everybody when they are used up. Who plays on and takes back for ever would end it
for the others, so each person's share is bounded. Where one person holds all seats there is nobody
to be hurt, and no bound.

What somebody has used up is counted only in matches so long that it could be too much, and in
another thread: then all of the match is looked at.
"""

import asyncio
from collections import Counter

from msgspec import Struct

from domain.match import (
    MovesRedone,
    MovesUndone,
    RecoveryAnswered,
    RecoveryAsked,
    Refused,
    SeatTaken,
    Timeline,
    UndoProposed,
    Voted,
)
from service.base.problems import Fault

MOST = 1_500
"""Decisions: a whole match has some 300, of which people take back a few dozen."""
MOST_VOTES = 100
"""Of one person in a match: whoever decides about a seat needs one."""
MOST_SEAT_MOVES = 50
"""Of one seat to other devices. Each clears the votes about the seat, so there are fewer of them
than votes."""
MOST_COMINGS = 50
"""Of one player in a match, who may leave and sit down again."""
MOST_COMINGS_OF_ALL = 1_000
"""Of all players in a match: whoever has an invitation can be a new player each time."""
_TAKING_BACK = (MovesUndone, MovesRedone, UndoProposed)


_VOTES = (Voted, RecoveryAsked, RecoveryAnswered)


def wasted(timeline: Timeline, player: str) -> int:
    """The player's decisions that no longer count, and those that took back or brought back."""
    own = {i for i, seat in enumerate(timeline.now.seats) if seat.player == player}
    undone = timeline.undone(1)
    return sum(
        1
        for index, decision in enumerate(timeline.decisions)
        if decision.seat in own
        and (index in undone or isinstance(decision.events[-1], _TAKING_BACK))
    )


def votes(timeline: Timeline, player: str) -> int:
    """How often the player has said whether a bot should have a seat, or somebody be let back
    in."""
    own = {i for i, seat in enumerate(timeline.now.seats) if seat.player == player}
    return sum(d.seat in own and isinstance(d.events[0], _VOTES) for d in timeline.decisions)


class Used(Struct, frozen=True):
    """What a player has used up of a match, as far as it could be too much."""

    wasted: int = 0
    votes: int = 0

    def check_waste(self) -> None:
        """`Fault` 409 where the player has used up what one may."""
        if self.wasted >= MOST:
            raise Fault(
                409,
                "too_many_undos",
                "You have taken back too much in this match: play it to the end.",
            )

    def check_votes(self) -> None:
        """`Fault` 409 where the player has voted too often."""
        if self.votes >= MOST_VOTES:
            raise Fault(
                409, "too_many_votes", "You have changed your mind too often in this match."
            )


async def used_by_undo(timeline: Timeline, player: str, seat: int, to_version: int | None) -> Used:
    """What somebody has used up who asks to go back to a version; the log is read for it too."""
    if len(timeline.decisions) < MOST and not timeline.moments.away:
        return Used()

    def look() -> Used:
        try:
            kind = timeline.undo_kind(seat, to_version)
            if kind.kind == "consent":
                timeline.declined_at(seat, kind.to_version)
        except (Refused, IndexError):
            pass  # It is told to who asks, in its place.
        alone = len(timeline.decisions) < MOST or len(timeline.now.people()) <= 1
        return Used() if alone else Used(wasted=wasted(timeline, player))

    return await asyncio.to_thread(look)


async def used_by_votes(timeline: Timeline, player: str) -> Used:
    """What somebody has used up who votes."""
    if len(timeline.decisions) < MOST_VOTES:
        return Used()
    return Used(votes=await asyncio.to_thread(votes, timeline, player))


def check_seat_moves(timeline: Timeline, seat: int) -> None:
    """`Fault` 409 where a seat has moved to other devices as often as one may."""
    if sum(moved == seat for moved, _old, _new in timeline.now.moved) >= MOST_SEAT_MOVES:
        raise Fault(
            409,
            "too_many_moves",
            "This seat has moved to other devices too often. Play on where it is now.",
        )


def comings(timeline: Timeline) -> Counter[str]:
    """How often players have sat down, by player."""
    return Counter(
        event.player
        for decision in timeline.decisions
        if isinstance(event := decision.events[0], SeatTaken)
    )


async def check_comings(timeline: Timeline, player: str) -> None:
    """`Fault` 409 where somebody has sat down as often as one may, or all players have."""
    if len(timeline.decisions) < MOST_COMINGS:
        return
    found = await asyncio.to_thread(comings, timeline)
    if found[player] >= MOST_COMINGS or found.total() >= MOST_COMINGS_OF_ALL:
        raise Fault(
            409,
            "too_many_comings",
            "Too many people have come and gone at this table: a bot can take the seat.",
        )
