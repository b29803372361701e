"""Ownership of imported matches."""

from typing import Any

from msgspec.structs import replace

from domain.match import (
    AskRecovery,
    Join,
    MatchOpened,
    Open,
    Reclaim,
    RecoverSeat,
    RecoveryAsked,
    Seat,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    Timeline,
)

_WITH_PLAYER = (
    *(Join, SeatTaken, Reclaim, SeatReclaimed),
    *(RecoverSeat, SeatRecovered, AskRecovery, RecoveryAsked),
)


def owned_by(timeline: Timeline, owner: str, match_id: str, visibility: str) -> Timeline:
    """Return an imported match with ``owner`` in place of its original owner.

    The other players get ids that belong to nobody. These ids differ from each other, because the
    kinds of undo in the log depend on which seats one player holds.
    """
    first = timeline.now.opened.owner

    def known(player: str | None) -> str | None:
        if player is None:
            return None
        return owner if player == first else f"{match_id}/{player}"

    def seats(old: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(replace(seat, player=known(seat.player)) for seat in old)

    def mended(part: Any) -> Any:
        if isinstance(part, Open | MatchOpened):
            return replace(part, owner=owner, seats=seats(part.seats), visibility=visibility)
        if isinstance(part, _WITH_PLAYER):
            return replace(part, player=known(part.player))
        return part

    decisions = [
        replace(d, command=mended(d.command), events=tuple(mended(e) for e in d.events))
        for d in timeline.decisions
    ]
    return Timeline(timeline.rules, decisions)
