"""Seats that a bot took over because of time or a vote, and how their players get them back.

A player who lost a seat still sees what the seat saw up to the loss, and everything later as a
spectator. While a bot has the seat the player may reclaim it once; after a second loss all others
must agree.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match.events import (
    ReturnAnswered,
    ReturnRequested,
    SeatLeft,
    SeatReclaimed,
    SeatTaken,
    TimeRanOut,
    Voted,
)

if TYPE_CHECKING:
    from domain.match.history import Decision
    from domain.match.moment import Moment

MAX_DEPARTED = 32
"""Length of `Moment.departed`: only the latest players who left a match are remembered."""


class Loss(Struct, frozen=True):
    """A seat that its ``player`` lost; at most one per seat.

    ``version``: match version of the latest loss. ``reclaimed``: whether the player has reclaimed
    the seat, before or after that loss. ``requested``: whether a request for the seat is open;
    ``agreed``: the players who have agreed to it; ``declined``: whether it was declined.
    """

    seat: int
    player: str
    version: int
    reclaimed: bool = False
    requested: bool = False
    agreed: tuple[str, ...] = ()
    declined: bool = False


def loss_of(moment: "Moment", seat: int | None) -> Loss | None:
    """Return the loss of a seat that a bot holds now in its player's place; None if none."""
    for loss in moment.losses:
        if loss.seat == seat and moment.seats[loss.seat].kind == "bot":
            return loss
    return None


def losses_of(moment: "Moment", player: str | None) -> list[Loss]:
    """Return the losses of all seats that a player has lost and does not hold again."""
    if player is None or not moment.losses:
        return []
    return [
        loss
        for loss in moment.losses
        if loss.player == player and moment.seats[loss.seat].player != player
    ]


def open_requests(moment: "Moment") -> list[Loss]:
    """Return the losses whose players have an open request for their seat."""
    return [loss for loss in moment.losses if loss.requested]


def record_departure(moment: "Moment", event: SeatLeft, step: "Decision") -> "Moment":
    """Return the moment with the loss or departure recorded.

    ``moment`` is the one before the event: the player still has the seat in it.
    """
    player = moment.seats[event.seat].player
    # The player who leaves may be one whose agreement an open request was waiting for.
    losses = tuple(
        replace(loss, requested=False, agreed=()) if loss.requested else loss
        for loss in moment.losses
    )
    sat = moment.seats[event.seat].kind == "human"
    if not sat or player is None or moment.status != "playing":
        return moment if losses == moment.losses else replace(moment, losses=losses)
    before = [loss for loss in losses if loss.seat == event.seat]
    others = tuple(loss for loss in losses if loss.seat != event.seat)
    if not _was_taken_away(step, event):
        departed = (*(each for each in moment.departed if each != player), player)
        return replace(moment, losses=others, departed=departed[-MAX_DEPARTED:])
    again = any(loss.player == player and loss.reclaimed for loss in before)
    version = step.version + step.events.index(event)
    loss = Loss(event.seat, player, version, again)
    return replace(moment, losses=(*others, loss))


def _was_taken_away(step: "Decision", left: SeatLeft) -> bool:
    """Return whether the seat went to a bot because of time or a vote, not by leaving."""
    for event in step.events:
        match event:
            case TimeRanOut(seat=seat) | Voted(about=seat) if seat == left.seat:
                return True
    return False


def record_return(moment: "Moment", event: "SeatTaken | SeatReclaimed") -> "Moment":
    """Return the moment with a player's return recorded.

    ``moment`` is already reseated: the player has the seat in it.
    """
    if event.player in moment.departed:
        departed = tuple(each for each in moment.departed if each != event.player)
        moment = replace(moment, departed=departed)
    if not isinstance(event, SeatReclaimed):
        return moment
    return _change_loss(
        moment, event.seat, reclaimed=True, requested=False, agreed=(), declined=False
    )


def record_request(moment: "Moment", event: "ReturnRequested | ReturnAnswered") -> "Moment":
    """Return the moment after a request for a lost seat or an answer to one."""
    if isinstance(event, ReturnRequested):
        return _change_loss(moment, event.seat, requested=True, agreed=(), declined=False)
    if not event.accept:
        return _change_loss(moment, event.about, requested=False, agreed=(), declined=True)
    player = moment.seats[event.seat].player or ""
    agreed = next((loss.agreed for loss in moment.losses if loss.seat == event.about), ())
    others = (each for each in agreed if each != player)
    return _change_loss(moment, event.about, agreed=(*others, player))


def _change_loss(moment: "Moment", seat: int, **changes: Any) -> "Moment":
    losses = tuple(
        replace(loss, **changes) if loss.seat == seat else loss for loss in moment.losses
    )
    return replace(moment, losses=losses)
