"""Command handlers for seat recovery: moving a seat to another device of its player.

A seat is recovered at once with its PIN, or with the consent of all other players after a delay.
During the delay the holder of the old device can object, which protects the seat's player against
another player who claims the seat for a second device of their own. Until the delay is over, the
new device has no seat and the seat's clock is stopped. Times are in milliseconds.
"""

from domain.match import events
from domain.match.commands import (
    AnswerRecovery,
    AskRecovery,
    EndRecovery,
    ObjectToRecovery,
    RecoverSeat,
)
from domain.match.history import Outcome
from domain.match.moment import Moment, Recovery
from domain.match.seats import Refused

MAX_DELAY_MS = 2_000_000_000
"""Maximum ``delay`` and ``patience`` in milliseconds, within the range of match files."""


def recover_seat(before: Moment, seat: int | None, command: RecoverSeat, _at: int) -> Outcome:
    """Move the seat to another device. The caller has verified the seat's PIN.

    Raises `Refused` if the device already has the seat or the seat cannot be recovered.
    """
    _check_seat(before, seat)
    assert seat is not None
    if before.seats[seat].player == command.player:
        raise Refused("already_yours", "error.already_yours")
    return Outcome((events.SeatRecovered(seat, command.player, "pin"),))


def ask_recovery(before: Moment, seat: int | None, command: AskRecovery, _at: int) -> Outcome:
    """Open a recovery request; the delay begins at once if no other player must agree.

    Raises `Refused` if the request is invalid or another one is open.
    """
    about = command.about
    if not 0 <= about < len(before.seats):
        raise Refused("no_such_seat", "error.no_such_seat")
    _check_seat(before, about)
    assert seat is not None
    if before.recovery is not None:
        raise Refused("recovery_open", "error.recovery_open")
    if before.seats[about].player == before.seats[seat].player:
        raise Refused("own_recovery", "error.own_recovery")
    if command.player in before.people():
        raise Refused("already_seated", "error.already_seated")
    if not 0 < command.delay <= MAX_DELAY_MS or not 0 < command.patience <= MAX_DELAY_MS:
        raise Refused("bad_delay", "error.bad_delay")
    asked = events.RecoveryAsked(seat, about, command.player, command.delay, command.patience)
    return Outcome((asked, *_begin_if_agreed(before, about, {before.seats[seat].player})))


def answer_recovery(before: Moment, seat: int | None, command: AnswerRecovery, _at: int) -> Outcome:
    """Accept or decline a recovery request; the requester withdraws it by declining.

    Until the seat moves, a player who has agreed may still decline, also during the delay: they may
    learn meanwhile that the seat's player still has the old device. Raises `Refused` if there is no
    such request, it is about the player's own seat, or the player has already agreed to it.
    """
    request = _request_about(before, command.about)
    assert seat is not None
    own = before.seats[seat].player
    if own == before.seats[request.about].player:
        raise Refused("own_recovery", "error.own_recovery")
    answered = events.RecoveryAnswered(seat, request.about, command.accept)
    if not command.accept:
        return Outcome((answered,))
    if request.began or own in request.agreed:
        raise Refused("voted", "error.voted")
    return Outcome((answered, *_begin_if_agreed(before, request.about, {*request.agreed, own})))


def object_to_recovery(
    before: Moment, seat: int | None, _command: ObjectToRecovery, _at: int
) -> Outcome:
    """End the recovery request because the seat's player still has the old device.

    Raises `Refused` if there is none.
    """
    assert seat is not None
    _request_about(before, seat)
    return Outcome((events.RecoveryEnded(seat, "objected"),))


def end_recovery(before: Moment, seat: int | None, _command: EndRecovery, at: int) -> Outcome:
    """Carry out a recovery whose delay is over, or end a request that not everybody agreed to.

    Raises `Refused` if there is no request or it does not end yet.
    """
    assert seat is not None
    request = _request_about(before, seat)
    if at < request.ends:
        raise Refused("time_left", "error.time_left")
    if request.began:
        return Outcome((events.SeatRecovered(seat, request.player, "others"),))
    return Outcome((events.RecoveryEnded(seat, "expired"),))


def next_end(moment: Moment) -> tuple[int, int] | None:
    """Return when the open recovery request ends, as ``(instant, seat)``; None if none is open."""
    request = moment.recovery
    if request is None or moment.status == "finished":
        return None
    return request.ends, request.about


def can_be_recovered(moment: Moment, seat: int) -> bool:
    """Return whether a person holds the seat and at least one other person holds another."""
    return moment.seats[seat].kind == "human" and len(moment.people()) > 1


def _begin_if_agreed(
    before: Moment, about: int, agreed: set[str | None]
) -> tuple[events.RecoveryBegan, ...]:
    others = before.people() - {before.seats[about].player}
    return (events.RecoveryBegan(about),) if others <= agreed else ()


def _check_seat(before: Moment, seat: int | None) -> None:
    if before.status == "finished":
        raise Refused("match_over", "error.match_over")
    if seat is None or before.seats[seat].kind != "human":
        raise Refused("nobody_there", "error.nobody_there")
    if len(before.people()) < 2:
        raise Refused("nobody_else", "error.nobody_else")


def _request_about(before: Moment, seat: int) -> Recovery:
    request = before.recovery
    if request is None or request.about != seat or before.status == "finished":
        raise Refused("no_recovery", "error.no_recovery")
    return request
