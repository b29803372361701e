"""The state of a match after one decision, and how the kernel's events change it."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match.events import MatchOpened, SeatLeft, SeatReclaimed, SeatRecovered, SeatTaken
from domain.match.losses import Loss, change_loss
from domain.match.seats import Seat, Status
from domain.text.default_names import default_bot_name

if TYPE_CHECKING:
    from domain.match.clocks import SeatClock


class Proposal(Struct, frozen=True):
    """A proposed undo that awaits the consent of the others.

    A decline, the consent of all, a move, or the departure or recovery of a seat closes it.
    ``reason`` and ``args``: why consent is needed; ``accepted``: the players who have agreed.
    """

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]
    accepted: tuple[str, ...] = ()


class Recovery(Struct, frozen=True):
    """An open request to move the seat ``about`` to another device of its player.

    ``seat``: the requester; ``player``: the player id of the new device; ``agreed``: the players
    who have agreed. ``since``: the instant of the request or, once all have agreed (``began``), of
    the last agreement; ``version``: match version of the request. ``delay`` and ``patience``: in
    milliseconds, see `domain.match.commands.AskRecovery`.
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
        """Instant at which the seat moves or, before all have agreed, the request expires."""
        return self.since + (self.delay if self.began else self.patience)


class UndoneMoves(Struct, frozen=True):
    """An entry of the redo stack: an undo by ``seat`` replaced the moment with ``index``.

    ``before``: the entry below. The stack is a linked list, so that n undos in a row take O(n)
    memory over all moments, not O(n²).
    """

    index: int
    seat: int
    before: "UndoneMoves | None" = None


class Moment(Struct, frozen=True, gc=False):
    """The state of a match after one decision of its `History`.

    - ``version``: number of events so far; ``state``: the game's state, None before the start.
    - ``head``: index of the latest game decision that still counts, -1 if none; ``parent``: the
      head before it; ``latest``: by seat, the index of its latest decision that counts, or -1.
    - ``redo``: top of the redo stack; ``proposal``: the open undo proposal.
    - ``drawn``, ``said``: numbers of draws and of chat messages so far.
    - ``clocks``: the seat clocks, empty without a time control.
    - ``recovery``: the open recovery request. ``moved``: ``(seat, old player, new player)`` for
      each recovery of a seat; both player ids belong to the same person.
    - ``losses``: seats lost on time or by a vote; ``departed``: the latest players who left of
      their own accord after the start.
    """

    version: int
    status: Status
    opened: MatchOpened
    seats: tuple[Seat, ...]
    state: Any = None
    head: int = -1
    parent: int = -1
    latest: tuple[int, ...] = ()
    redo: UndoneMoves | None = None
    proposal: Proposal | None = None
    drawn: int = 0
    said: int = 0
    clocks: tuple["SeatClock", ...] = ()
    recovery: Recovery | None = None
    moved: tuple[tuple[int, str, str], ...] = ()
    losses: tuple[Loss, ...] = ()
    departed: tuple[str, ...] = ()

    def people(self) -> set[str | None]:
        """Return the players who hold a seat; bots and open seats do not count."""
        return {seat.player for seat in self.seats if seat.kind == "human"}

    def player_since(self, seat: int, player: str | None) -> str | None:
        """Return the current player id of the person who once held the seat as ``player``.

        It differs from ``player`` if the seat has been recovered on another device since.
        """
        for moved, old, new in self.moved:
            if moved == seat and old == player:
                player = new
        return player


def free_seats(moment: Moment) -> list[int]:
    """Return the open seats of a running match that are not reserved for a player."""
    if moment.status != "playing":
        return []
    seats = enumerate(moment.seats)
    return [seat for seat, chair in seats if chair.kind == "open" and chair.player is None]


def after_move(
    moment: Moment, index: int, seat: int | None, state: Any, version: int, drawn: int
) -> Moment:
    """Return the moment after a game event that led to ``state``.

    ``index``: index of the event's decision; ``seat``: the seat that acted, None for the setup;
    ``version`` and ``drawn``: the numbers of events and draws after that decision.
    """
    latest = moment.latest
    if seat is not None and moment.head != index:
        by_seat = list(latest)  # slicing tuples takes a phone twice as long
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


def after_seating(moment: Moment, event: SeatTaken | SeatLeft | SeatReclaimed) -> Moment:
    """Return the moment after a player took, left or reclaimed a seat."""
    if isinstance(event, SeatTaken | SeatReclaimed):
        seat = Seat("human", event.name, event.player)
    else:
        seat = Seat(
            event.kind, (event.name or _unused_bot_name(moment)) if event.kind == "bot" else ""
        )
        # The player who left may have proposed an undo or may have to agree to one.
        moment = replace(moment, proposal=None)
    return _with_seat(moment, event.seat, seat)


def after_recovery(moment: Moment, event: SeatRecovered) -> Moment:
    """Return the moment after a seat moved to another device.

    The same person plays on under another player id. If the old id owns the match and holds no
    other seat, the new id becomes the owner.
    """
    before = moment.seats[event.seat]
    old, opened = before.player or "", moment.opened
    went = (*moment.moved, (event.seat, old, event.player))
    # An undo proposal records consent by player id, so it does not survive a changed id.
    moment = replace(moment, proposal=None, moved=went)
    moment = change_loss(moment, event.seat, player=event.player)
    moment = _with_seat(moment, event.seat, replace(before, player=event.player))
    departed = tuple(player for player in moment.departed if player != event.player)
    moment = replace(moment, departed=departed)
    if opened.owner == old and old not in moment.people():
        moment = replace(moment, opened=replace(opened, owner=event.player))
    return moment


def _with_seat(moment: Moment, number: int, seat: Seat) -> Moment:
    """Return the moment with a seat replaced; an open recovery of that seat is cancelled."""
    before, after = moment.seats[:number], moment.seats[number + 1 :]
    open_request = moment.recovery
    if open_request is not None and open_request.about == number:
        moment = replace(moment, recovery=None)
    return replace(moment, seats=(*before, seat, *after))


def _unused_bot_name(moment: Moment) -> str:
    """Return the first default bot name that no seat has."""
    known = {seat.name for seat in moment.seats}
    return next(
        mark for mark in map(default_bot_name, range(1, len(known) + 2)) if mark not in known
    )


def after_agreement(moment: Moment, proposal: Proposal, seat: int) -> Moment:
    """Return the moment after a seat agreed to the open proposal.

    Each player is recorded once, however often they agree.
    """
    player = moment.seats[seat].player or ""
    accepted = (*(a for a in proposal.accepted if a != player), player)
    return replace(moment, proposal=replace(proposal, accepted=accepted))
