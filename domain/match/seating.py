"""Handlers of the commands that open and start a match, of seating commands and of chat.

A handler gets the moment before, the acting seat, the command, and the instant; or, if it reads the
timeline or draws, the timeline, the same moment, seat and command, and a `Draw`. It returns an
`Outcome` or raises `Refused`.
"""

from typing import TYPE_CHECKING

from domain.contract.game import Draw
from domain.match import events
from domain.match.commands import AnswerReturn, Join, Leave, Open, Reclaim, Say, Start
from domain.match.history import Outcome
from domain.match.losses import Loss, loss_of
from domain.match.moment import Moment
from domain.match.seats import Refused
from domain.match.secrecy import options_of

if TYPE_CHECKING:
    from domain.match.timeline import Timeline

MAX_MESSAGES = 2_000
"""Maximum number of chat messages in one match."""


def open_match(command: Open) -> Outcome:
    """Return the first decision of a match: `MatchOpened` with the fields of the command."""
    return Outcome(
        (events.MatchOpened(**{f: getattr(command, f) for f in command.__struct_fields__}),)
    )


def reject_second_opening(_before: Moment, _seat: int | None, _command: Open, _at: int) -> Outcome:
    raise Refused("already_open", "error.already_open")


def start_match(
    timeline: "Timeline", before: Moment, _seat: int | None, _command: Start, draw: Draw
) -> Outcome:
    opened = before.opened
    waiting = any(seat.kind == "open" for seat in before.seats)
    # A fork may start with open seats: its game has begun, and players may join later.
    if before.status != "open" or (waiting and opened.forked_from is None):
        raise Refused("not_open", "error.cannot_start")
    options = options_of(timeline.rules, opened)
    laid = timeline.rules.setup(options, len(before.seats), draw, opened.rules_version)
    return Outcome((events.MatchStarted(), *laid.events), laid.state, True)


def join_match(before: Moment, seat: int | None, command: Join, _at: int) -> Outcome:
    if before.status == "finished" or seat is None or not 0 <= seat < len(before.seats):
        raise Refused("not_open", "error.seat_not_open")
    if before.seats[seat].kind != "open":
        raise Refused("seat_taken", "error.seat_taken")
    if before.seats[seat].player not in (None, command.player):
        raise Refused("seat_held", "error.seat_held")
    return Outcome((events.SeatTaken(seat, command.player, command.name),))


def leave_seat(
    timeline: "Timeline", before: Moment, seat: int | None, command: Leave, _draw: Draw
) -> Outcome:
    if before.status == "finished":
        raise Refused("match_over", "error.match_over")
    assert seat is not None
    here = before.seats[seat]
    if here.player is None or here.kind == "bot":
        raise Refused("nobody_there", "error.nobody_there")
    sat = here.kind == "human"
    # In a fork, the player for whom a seat is reserved knows the seat's secrets, and a newcomer
    # must not learn them, so a bot takes the seat when that player gives it up.
    ends = before.status == "playing" and (sat or _had_secrets(timeline, before))
    if sat and ends and before.people() == {here.player}:
        raise Refused("last_person", "error.last_person")
    if sat and ends and command.free:
        # The next player of an open seat sees its secrets and could be a former opponent.
        if timeline.may_hide:
            raise Refused("keeps_secrets", "error.keeps_secrets")
        ends = False
    return Outcome((events.SeatLeft(seat, here.name, "bot" if ends else "open"),))


def _had_secrets(timeline: "Timeline", before: Moment) -> bool:
    """Return whether anything was hidden from spectators up to the moment."""
    last = timeline.index(before.version)
    return timeline.may_hide and any(
        timeline.hides(timeline.decisions[index].events) for index in range(last + 1)
    )


def reclaim_seat(before: Moment, seat: int | None, command: Reclaim, _at: int) -> Outcome:
    """Give a lost seat back to its player, or request it from the other players.

    After the first loss, or if there is no other player, the seat is given back at once; after a
    second loss all others must agree. Raises `Refused` if the player has not lost the seat to a
    bot, or has already made a request that is open or was declined.
    """
    loss = loss_of(before, seat)
    if before.status == "finished":
        raise Refused("match_over", "error.match_over")
    if loss is None or loss.player != command.player or before.status != "playing":
        raise Refused("no_lost_seat", "error.no_lost_seat")
    if not loss.reclaimed or not before.people() - {loss.player}:
        return Outcome((_reclaim_event(before, loss),))
    if loss.requested:
        raise Refused("return_requested", "error.return_requested")
    if loss.declined:
        raise Refused("return_declined", "error.return_declined")
    return Outcome((events.ReturnRequested(loss.seat),))


def answer_return(before: Moment, seat: int | None, command: AnswerReturn, _at: int) -> Outcome:
    """Accept or decline a request for a lost seat; the last acceptance gives the seat back.

    Raises `Refused` if there is no such request, or it is the player's own or already accepted.
    """
    loss = loss_of(before, command.about)
    assert seat is not None
    voter = before.seats[seat].player or ""
    if loss is None or not loss.requested or before.status != "playing":
        raise Refused("no_return", "error.no_return")
    if voter == loss.player:
        raise Refused("own_seat", "error.own_seat")
    answered = events.ReturnAnswered(seat, loss.seat, command.accept)
    if not command.accept:
        return Outcome((answered,))
    if voter in loss.agreed:
        raise Refused("voted", "error.voted")
    if before.people() - {loss.player} <= {*loss.agreed, voter}:
        return Outcome((answered, _reclaim_event(before, loss)))
    return Outcome((answered,))


def _reclaim_event(before: Moment, loss: Loss) -> events.SeatReclaimed:
    """Return the event that gives the seat back, with the player's name, which the bot kept."""
    return events.SeatReclaimed(loss.seat, loss.player, before.seats[loss.seat].name)


def send_message(before: Moment, seat: int | None, command: Say, _at: int) -> Outcome:
    if command.to is not None and not 0 <= command.to < len(before.seats):
        raise Refused("no_such_seat", "error.no_such_seat")
    if before.said >= MAX_MESSAGES:
        raise Refused("talk_full", "error.talk_full")
    return Outcome((events.Said(seat, command.text, command.to),))
