"""Seats that a bot took over because of time or a vote, and their return to their players.

A player who lost a seat still sees what the seat saw up to the loss, and everything later as a
spectator. While a bot holds the seat, the player may reclaim it once; after a second loss all
others must agree.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match import events

if TYPE_CHECKING:
    from domain.match.history import Decision
    from domain.match.moment import Moment

MAX_DEPARTED = 32
"""Maximum length of `Moment.departed`, which keeps only the latest players who left."""


class Loss(Struct, frozen=True):
    """The loss of a seat by ``player``; a match has at most one for each seat.

    ``version``: match version of the latest loss. ``reclaimed``: whether the player has reclaimed
    the seat, before or after that loss. ``requested``: whether a request for its return is open;
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
    """Return the loss of a seat that a bot holds in its player's place; None if there is none."""
    for loss in moment.losses:
        if loss.seat == seat and moment.seats[loss.seat].kind == "bot":
            return loss
    return None


def losses_of(moment: "Moment", player: str | None) -> list[Loss]:
    """Return the losses of all seats that a player has lost and has not got back."""
    if player is None or not moment.losses:
        return []
    return [
        loss
        for loss in moment.losses
        if loss.player == player and moment.seats[loss.seat].player != player
    ]


def open_requests(moment: "Moment") -> list[Loss]:
    """Return the losses for which a request to return the seat is open."""
    return [loss for loss in moment.losses if loss.requested]


def record_departure(moment: "Moment", event: events.SeatLeft, step: "Decision") -> "Moment":
    """Return the moment with a loss or departure recorded, and open return requests closed.

    In ``moment``, the player must still hold the seat.
    """
    player = moment.seats[event.seat].player
    # An open request may have been waiting for the agreement of the player who leaves.
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


def _was_taken_away(step: "Decision", left: events.SeatLeft) -> bool:
    """Return whether a timeout or a vote, rather than the player, gave up the seat."""
    for event in step.events:
        match event:
            case events.TimeRanOut(seat=seat) | events.Voted(about=seat) if seat == left.seat:
                return True
    return False


def record_return(moment: "Moment", event: "events.SeatTaken | events.SeatReclaimed") -> "Moment":
    """Return the moment with a player's return recorded.

    In ``moment``, the player must already hold the seat.
    """
    if event.player in moment.departed:
        departed = tuple(each for each in moment.departed if each != event.player)
        moment = replace(moment, departed=departed)
    if not isinstance(event, events.SeatReclaimed):
        return moment
    return change_loss(
        moment, event.seat, reclaimed=True, requested=False, agreed=(), declined=False
    )


def record_request(
    moment: "Moment", event: "events.ReturnRequested | events.ReturnAnswered"
) -> "Moment":
    """Return the moment after a request for a lost seat or a response to such a request."""
    if isinstance(event, events.ReturnRequested):
        return change_loss(moment, event.seat, requested=True, agreed=(), declined=False)
    if not event.accept:
        return change_loss(moment, event.about, requested=False, agreed=(), declined=True)
    player = moment.seats[event.seat].player or ""
    agreed = next((loss.agreed for loss in moment.losses if loss.seat == event.about), ())
    others = (each for each in agreed if each != player)
    return change_loss(moment, event.about, agreed=(*others, player))


def change_loss(moment: "Moment", seat: int, **changes: Any) -> "Moment":
    """Return the moment with the loss of a seat, if there is one, changed."""
    losses = tuple(
        replace(loss, **changes) if loss.seat == seat else loss for loss in moment.losses
    )
    return replace(moment, losses=losses)
