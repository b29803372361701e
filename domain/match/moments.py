"""A match at one moment, and what the kernel's own events make of it."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.marks import bot_mark
from domain.match.events import MatchOpened, SeatLeft, SeatReclaimed, SeatRecovered, SeatTaken
from domain.match.losses import Loss
from domain.match.seats import Seat, Status

if TYPE_CHECKING:
    from domain.match.clocks import SeatClock


class Proposal(Struct, frozen=True):
    """An open wish to go back; closed by a decline, by all agreeing, or by a new move.

    ``accepted``: the players who have agreed.
    """

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]
    accepted: tuple[str, ...] = ()


class Recovery(Struct, frozen=True):
    """An open request to let the person of the seat ``about`` back in on another device.

    ``seat`` asked for it, for the device that plays as ``player``; ``agreed``: the players who
    have agreed. ``since``: the instant of the request or, once all have agreed (``began``), of the
    last agreement; ``version``: of the match when it was asked for. ``delay`` and ``patience`` are
    milliseconds, as in `AskRecovery`.
    """

    seat: int
    about: int
    player: str
    delay: int
    patience: int
    since: int
    version: int
    agreed: tuple[str, ...] = ()
    began: bool = False

    @property
    def ends(self) -> int:
        """The instant at which the seat moves or, before all have agreed, the request expires."""
        return self.since + (self.delay if self.began else self.patience)


class PutAway(Struct, frozen=True):
    """What an undo by ``seat`` put away: the moment of that index; ``before``: the undo before.

    A linked list, so that ten thousand undos in a row cost ten thousand entries, not their square.
    """

    index: int
    seat: int
    before: "PutAway | None" = None


class Moment(Struct, frozen=True, gc=False):
    """The match after some step of its `History`.

    ``head`` is the index of the latest step of the game that still counts (-1: none), ``parent``
    the head before it, ``latest`` by seat the index of its own latest step that counts (-1: none),
    ``redo`` what the latest undo put away, ``drawn`` and ``said`` count draws and words, ``clocks``
    are those of the seats where the match has a pace, ``recovery`` is the open request to let
    somebody back in. ``moved``: seats that went to another device, each with the player before and
    after; these two are one person. ``losses`` are the seats that people lost to time or a vote,
    ``departed`` the players who left by themselves once the match had begun.
    """

    version: int
    status: Status
    opened: MatchOpened
    seats: tuple[Seat, ...]
    state: Any = None
    head: int = -1
    parent: int = -1
    latest: tuple[int, ...] = ()
    redo: PutAway | None = None
    proposal: Proposal | None = None
    drawn: int = 0
    said: int = 0
    clocks: tuple["SeatClock", ...] = ()
    recovery: Recovery | None = None
    moved: tuple[tuple[int, str, str], ...] = ()
    losses: tuple[Loss, ...] = ()
    departed: tuple[str, ...] = ()

    def people(self) -> set[str | None]:
        """The players who sit here now."""
        return {seat.player for seat in self.seats if seat.kind == "human"}

    def player_since(self, seat: int, player: str | None) -> str | None:
        """The player by now of a person who once had the seat as ``player``: another one where the
        seat has moved to another device since."""
        for moved, old, new in self.moved:
            if moved == seat and old == player:
                player = new
        return player


def free_seats(moment: Moment) -> list[int]:
    """The seats of a match that has begun in which nobody sits and that are held for nobody."""
    if moment.status != "playing":
        return []
    seats = enumerate(moment.seats)
    return [seat for seat, chair in seats if chair.kind == "open" and chair.player is None]


def moved(
    moment: Moment, index: int, seat: int | None, state: Any, version: int, drawn: int
) -> Moment:
    """The moment after an event of the game, in the step of that index, which ends at a version.

    ``seat``: whose step it is.
    """
    latest = moment.latest
    if seat is not None and moment.head != index:
        by_seat = list(latest)  # slices of tuples would cost a phone twice as much
        by_seat[seat] = index
        latest = tuple(by_seat)
    return replace(
        moment,
        version=version,
        state=state,
        head=index,
        parent=moment.parent if moment.head == index else moment.head,
        latest=latest,
        redo=None,
        proposal=None,
        drawn=drawn,
    )


def reseated(moment: Moment, event: SeatTaken | SeatLeft | SeatReclaimed) -> Moment:
    """The moment after somebody sat down or got up."""
    if isinstance(event, SeatTaken | SeatReclaimed):
        seat = Seat("human", event.name, event.player)
    else:
        seat = Seat(event.kind, (event.name or _new_bot(moment)) if event.kind == "bot" else "")
        # Who was asked for a take-back, and who asked, may no longer be here.
        moment = replace(moment, proposal=None)
    return _with_seat(moment, event.seat, seat)


def recovered(moment: Moment, event: SeatRecovered) -> Moment:
    """The moment after a seat moved to another device: the same person under another id, who
    stays the host."""
    before = moment.seats[event.seat]
    old, opened = before.player or "", moment.opened
    # A take-back counts those who agreed by their ids.
    losses = tuple(
        replace(loss, player=event.player) if loss.seat == event.seat else loss
        for loss in moment.losses
    )
    went = (*moment.moved, (event.seat, old, event.player))
    moment = replace(moment, proposal=None, moved=went, losses=losses)
    moment = _with_seat(moment, event.seat, replace(before, player=event.player))
    departed = tuple(player for player in moment.departed if player != event.player)
    moment = replace(moment, departed=departed)
    if opened.owner == old and old not in moment.people():
        moment = replace(moment, opened=replace(opened, owner=event.player))
    return moment


def _with_seat(moment: Moment, number: int, seat: Seat) -> Moment:
    """The moment with another seat; a request to recover the one before it is void."""
    before, after = moment.seats[:number], moment.seats[number + 1 :]
    open_request = moment.recovery
    if open_request is not None and open_request.about == number:
        moment = replace(moment, recovery=None)
    return replace(moment, seats=(*before, seat, *after))


def _new_bot(moment: Moment) -> str:
    """What a bot is called that plays on for nobody: as no other at the table."""
    known = {seat.name for seat in moment.seats}
    return next(mark for mark in map(bot_mark, range(1, len(known) + 2)) if mark not in known)


def agreed(moment: Moment, proposal: Proposal, seat: int) -> Moment:
    """The moment after a seat agreed to the open proposal.

    Who agrees again adds nothing, neither to what counts nor to what is kept.
    """
    player = moment.seats[seat].player or ""
    accepted = (*(a for a in proposal.accepted if a != player), player)
    return replace(moment, proposal=replace(proposal, accepted=accepted))
