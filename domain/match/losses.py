"""Seats that people lost to time or to a vote, and how they get them back.

Whoever loses a seat in this way goes on to see what the seat saw until then, and of what follows
what a spectator sees. While a bot has the seat they may take it back once; after a second loss the
others have to agree.
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
    from domain.match.moments import Moment

MAX_DEPARTED = 32
"""So many of those who left a match by themselves are remembered, the latest."""


class Loss(Struct, frozen=True):
    """A seat that its ``player`` lost; there is at most one of a seat.

    ``version``: of the match when they lost it last. ``reclaimed``: they have taken the seat back
    before or since. ``requested``: they ask the others for it; ``agreed``: the players who agree;
    ``declined``: one did not.
    """

    seat: int
    player: str
    version: int
    reclaimed: bool = False
    requested: bool = False
    agreed: tuple[str, ...] = ()
    declined: bool = False


def loss_of(moment: "Moment", seat: int | None) -> Loss | None:
    """The loss of a seat that a bot has by now in its person's place; None: there is none."""
    for loss in moment.losses:
        if loss.seat == seat and moment.seats[loss.seat].kind == "bot":
            return loss
    return None


def losses_of(moment: "Moment", player: str | None) -> list[Loss]:
    """The losses of the seats that a player has lost and not got back."""
    if player is None or not moment.losses:
        return []
    return [
        loss
        for loss in moment.losses
        if loss.player == player and moment.seats[loss.seat].player != player
    ]


def requests(moment: "Moment") -> list[Loss]:
    """The seats that somebody asks the others for."""
    return [loss for loss in moment.losses if loss.requested]


def after_leaving(moment: "Moment", event: SeatLeft, step: "Decision") -> "Moment":
    """The moment with who has just lost or left their seat; ``moment`` still has them in it."""
    player = moment.seats[event.seat].player
    # Who was asked to let somebody back in may no longer be here.
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
    """Whether a seat went to a bot because time ran out, or by a vote."""
    for event in step.events:
        match event:
            case TimeRanOut(seat=seat) | Voted(about=seat) if seat == left.seat:
                return True
    return False


def after_sitting(moment: "Moment", event: "SeatTaken | SeatReclaimed") -> "Moment":
    """The moment with who is back; ``moment`` has them in their seat already."""
    if event.player in moment.departed:
        departed = tuple(each for each in moment.departed if each != event.player)
        moment = replace(moment, departed=departed)
    if not isinstance(event, SeatReclaimed):
        return moment
    return _changed(moment, event.seat, reclaimed=True, requested=False, agreed=(), declined=False)


def after_request(moment: "Moment", event: "ReturnRequested | ReturnAnswered") -> "Moment":
    """The moment after somebody asked for their seat, or one of the others answered."""
    if isinstance(event, ReturnRequested):
        return _changed(moment, event.seat, requested=True, agreed=(), declined=False)
    if not event.accept:
        return _changed(moment, event.about, requested=False, agreed=(), declined=True)
    player = moment.seats[event.seat].player or ""
    agreed = next((loss.agreed for loss in moment.losses if loss.seat == event.about), ())
    others = (each for each in agreed if each != player)
    return _changed(moment, event.about, agreed=(*others, player))


def _changed(moment: "Moment", seat: int, **changes: Any) -> "Moment":
    losses = tuple(
        replace(loss, **changes) if loss.seat == seat else loss for loss in moment.losses
    )
    return replace(moment, losses=losses)
