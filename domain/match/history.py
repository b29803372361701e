"""The decisions of one match and the moment after each, computed by folding the events.

A `Decision` holds seat, command, draws, events and instant. Versions count events: a decision of k
events, the first of which is number v, takes the match to version v + k - 1. Moments share
structure, so keeping all of them is cheap. A client that gets only events from the service wraps
each event in a separate decision.

Undo is an event: `MovesUndone` sets the game back to its state at an earlier version, and
`MovesRedone` restores what the latest undo removed, until a new move is made.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.match import events
from domain.match.append_only import AppendOnlyList
from domain.match.losses import record_departure, record_request, record_return
from domain.match.moment import (
    Moment,
    Proposal,
    Recovery,
    UndoneMoves,
    after_agreement,
    after_move,
    after_recovery,
    after_seating,
)
from domain.match.seats import Refused

Self = TypeVar("Self", bound="History")


class Decision(Struct, frozen=True, gc=False):
    """The unit of appending: a command, its draws and its events.

    ``version``: the number of the first event, counted from 1. ``seat``: the seat that acted, None
    for the system. ``draws``: ``(n, value)`` pairs in the order drawn. ``at``: the instant in
    milliseconds since 1970 UTC.
    """

    version: int
    seat: int | None
    command: Any
    events: tuple[Any, ...]
    draws: tuple[tuple[int, int], ...] = ()
    at: int = 0

    @property
    def last_version(self) -> int:
        """Version of the match after this decision."""
        return self.version + len(self.events) - 1


class Outcome(Struct, frozen=True):
    """The result of deciding a command: its events and the game's state after them.

    ``has_state``: whether ``state`` is set; if not, the events must be folded.
    """

    events: tuple[Any, ...]
    state: Any = None
    has_state: bool = False


class Page(Struct, frozen=True):
    """A contiguous part of a history: decisions from index ``first`` on, and their moments."""

    first: int
    decisions: list[Decision]
    moments: list[Moment]


class LogReader:
    """Interface to the decisions in the log that precede a resumed history.

    ``began_at``: the instant of the match's first decision, in milliseconds since 1970 UTC.
    ``loaded_count``: the number of decisions read so far; each page is read once.
    """

    began_at = 0
    loaded_count = 0

    def page(self, index: int) -> Page:
        """Return the page that contains the decision with this index."""
        raise NotImplementedError

    def page_at(self, version: int) -> Page:
        """Return the page that contains the last decision that is complete at a version."""
        raise NotImplementedError


class History:
    """All decisions of one match and the moment after each; append-only.

    ``evolve(state, event)`` is the game's fold. Without it, moments have no game state; a client
    that sees only redacted events omits it.
    """

    def __init__(
        self, evolve: Callable[[Any, Any], Any] | None = None, decisions: Iterable[Decision] = ()
    ) -> None:
        self._fold = evolve or _fold_to_none
        self.decisions: AppendOnlyList[Decision] = AppendOnlyList()
        self.moments: AppendOnlyList[Moment] = AppendOnlyList()
        self.log_reader: LogReader | None = None
        for decision in decisions:
            self.append(decision)

    def resume(self, moment: Moment, last: Decision, index: int, log_reader: LogReader) -> None:
        """Start an empty history at the decision ``last`` with this index and its moment.

        ``log_reader`` loads earlier decisions and moments when they are needed.
        """

        def decisions(index: int) -> tuple[int, list[Decision]]:
            page = log_reader.page(index)
            return page.first, page.decisions

        def moments(index: int) -> tuple[int, list[Moment]]:
            page = log_reader.page(index)
            return page.first, page.moments

        self.log_reader = log_reader
        self.decisions.resume(index, last, decisions)
        self.moments.resume(index, moment, moments)

    # -- reading ---------------------------------------------------------------------------

    @property
    def latest(self) -> Moment:
        """The latest moment."""
        # Read some fifty times per response, so the common case skips `AppendOnlyList.__getitem__`.
        moments = self.moments
        moment: Moment | None = moments.entries[moments.length - 1] if moments.length else None
        return moments[-1] if moment is None else moment

    @property
    def version(self) -> int:
        """Number of events so far; 0 before the match is opened."""
        return self.latest.version if self.moments.length else 0

    @property
    def began_at(self) -> int:
        """Instant of the first decision, in milliseconds since 1970 UTC."""
        return self.log_reader.began_at if self.log_reader else self.decisions[0].at

    @property
    def loaded_count(self) -> int:
        """Number of decisions in memory."""
        return (
            len(self.decisions)
            - self.decisions.unloaded
            + (self.log_reader.loaded_count if self.log_reader else 0)
        )

    def at(self, version: int) -> Moment:
        """Return the moment at a version, which may be in the middle of a decision.

        Raises `Refused` if the version is not between 1 and the current one.
        """
        if not 1 <= version <= self.version:
            raise Refused("no_such_version", "error.no_such_version", last=self.version)
        index = self.index(version)
        before = self.moments[index] if index >= 0 else None
        if before is not None and before.version == version:
            return before
        decision = self.decisions[index + 1]
        part = decision.events[: version - decision.version + 1]
        return self.after(before, index + 1, replace(decision, events=part))

    def index(self, version: int) -> int:
        """Return the index of the last decision that is complete at a version; -1 if none is."""
        length = len(self.moments)
        low, high = self.moments.unloaded, length
        if self.log_reader and (low >= high or version < self.moments[low].version):
            page = self.log_reader.page_at(version)
            self.moments.put(page.first, page.moments)
            low, high = page.first, min(page.first + len(page.moments), length)
        moments = self.moments.entries
        while low < high:
            middle = (low + high) // 2
            if moments[middle].version <= version:
                low = middle + 1
            else:
                high = middle
        return min(low, length) - 1

    def ancestry(self, moment: Moment) -> Iterator[int]:
        """Return the indexes of the game decisions that count at a moment, latest first."""
        return self.ancestry_from(moment.head)

    def ancestry_from(self, head: int) -> Iterator[int]:
        """Yield the indexes of a game decision and all its ancestors, latest first.

        ``head``: the index of the decision; yields nothing for -1.
        """
        while head >= 0:
            yield head
            head = self.moments[head].parent

    def diverging(self, one: Moment, other: Moment) -> tuple[list[int], list[int]]:
        """Return the indexes of the game decisions that count at only one of two moments.

        The first list is for ``one``, the second for ``other``; both are latest first and end
        before the common ancestor.
        """
        mine, theirs = one.head, other.head
        only_mine, only_theirs = [], []
        while mine != theirs:
            if mine > theirs:
                only_mine.append(mine)
                mine = self.moments[mine].parent
            else:
                only_theirs.append(theirs)
                theirs = self.moments[theirs].parent
        return only_mine, only_theirs

    def undone_indexes(self, first: int = 0) -> set[int]:
        """Return the indexes, from ``first`` on, of game decisions that no longer count."""
        alive = set()
        for index in self.ancestry(self.latest):
            if index < first:
                break
            alive.add(index)
        later = range(first, len(self.moments))
        return {i for i in later if self.moments[i].head == i and i not in alive}

    # -- growing ---------------------------------------------------------------------------

    def append(self, decision: Decision) -> None:
        """Append a decision and its moment; reuse a moment that a branch has already computed."""
        moments = self.moments
        moment = moments.next_shared() if self.decisions.next_shared() is decision else None
        if moment is None:
            index = moments.length
            before = moments[index - 1] if index else None
            moment = self.after(before, index, decision)
        self._append_moment(decision, moment)

    def _append_moment(self, decision: Decision, moment: Moment) -> None:
        if not self.decisions.append(decision):
            self.moments.unshare()  # the next shared moment belongs to another decision
        self.moments.append(moment)

    def branch(self: Self) -> Self:
        """Return a history with the same past that grows independently of this one."""
        twin = self._empty()
        twin.decisions = self.decisions.branch()
        twin.moments = self.moments.branch()
        twin.log_reader = self.log_reader
        return twin

    def branch_until(self: Self, version: int) -> Self:
        """Return a branch that ends with the last decision that is complete at a version.

        No event is folded again.
        """
        last = self.index(version)
        twin = self.branch()
        twin.decisions.length = twin.moments.length = last + 1
        return twin

    def _empty(self: Self) -> Self:
        return type(self)(self._fold)

    # -- the fold --------------------------------------------------------------------------

    def after(
        self, before: Moment | None, index: int, step: Decision, outcome: Outcome | None = None
    ) -> Moment:
        """Return the moment after a decision.

        ``before``: the moment before it, None for the first decision; ``index``: the index of the
        decision ``step``. ``outcome``: the result of deciding it; if it has the game's state, game
        events are not folded.
        """
        moment = before
        emitted, seat = step.events, step.seat
        version, drawn = len(emitted), len(step.draws)
        if before is not None:  # not `if before`: a truth test is slow under Brython
            version += before.version
            drawn += before.drawn
        for event in emitted:
            if moment is None:
                moment = Moment(0, "open", event, event.seats, latest=(-1,) * len(event.seats))
            elif type(event) in events.KERNEL_EVENTS:
                moment = self._after_kernel_event(moment, index, event, step)
            elif outcome is None or not outcome.has_state:
                state = self._fold(moment.state, event)
                moment = after_move(moment, index, seat, state, version, drawn)
            elif moment.head != index:
                moment = after_move(moment, index, seat, outcome.state, version, drawn)
        assert moment is not None
        if moment.version != version or moment.drawn != drawn:
            moment = replace(moment, version=version, drawn=drawn)
        return moment if moment.opened.pace is None else self._with_clocks(before, moment, step)

    def _with_clocks(self, _before: Moment | None, moment: Moment, _step: Decision) -> Moment:
        """Return the moment unchanged; a subclass that has the game's rules updates the clocks."""
        return moment

    def _after_kernel_event(self, moment: Moment, index: int, event: Any, step: Decision) -> Moment:
        """Return the moment after a kernel event."""
        match event:
            case events.SeatTaken() | events.SeatReclaimed():
                return record_return(after_seating(moment, event), event)
            case events.SeatLeft():
                return after_seating(record_departure(moment, event, step), event)
            case events.ReturnRequested() | events.ReturnAnswered():
                return record_request(moment, event)
            case events.MatchStarted():
                return replace(moment, status="playing")
            case events.UndoProposed(seat=seat, to_version=to, reason=reason, args=args):
                return replace(moment, proposal=Proposal(seat, to, reason, args))
            case events.UndoAnswered(seat=seat, accept=True) if moment.proposal:
                return after_agreement(moment, moment.proposal, seat)
            case events.UndoAnswered():
                return replace(moment, proposal=None)
            case events.MovesUndone(seat=seat, to_version=to):
                redo = UndoneMoves(index - 1, seat, moment.redo)
                return self._jump_to(moment, to, redo)
            case events.MovesRedone(to_version=to):
                return self._jump_to(moment, to, moment.redo.before if moment.redo else None)
            case events.SeedRevealed():
                return replace(moment, status="finished", recovery=None)
            case events.Said():
                return replace(moment, said=moment.said + 1)
            case _:
                return _after_recovery_event(moment, event, step.at)

    def _jump_to(self, moment: Moment, version: int, redo: UndoneMoves | None) -> Moment:
        target = self.moments[self.index(version)]
        return replace(
            moment,
            state=target.state,
            head=target.head,
            latest=target.latest,
            redo=redo,
            proposal=None,
        )


def _after_recovery_event(moment: Moment, event: Any, at: int) -> Moment:
    """Return the moment after an event of seat recovery; unchanged after any other event."""
    asked = moment.recovery
    match event:
        case events.SeatRecovered():
            return after_recovery(moment, event)
        case events.RecoveryAsked(seat=seat, about=about, player=player):
            delay, patience, own = event.delay, event.patience, moment.seats[seat].player or ""
            request = Recovery(seat, about, player, delay, patience, at, moment.version + 1, (own,))
            return replace(moment, recovery=request)
        case events.RecoveryAnswered(seat=seat, accept=True) if asked is not None:
            own = moment.seats[seat].player or ""
            others = tuple(player for player in asked.agreed if player != own)
            return replace(moment, recovery=replace(asked, agreed=(*others, own)))
        case events.RecoveryBegan() if asked is not None:
            return replace(moment, recovery=replace(asked, since=at, began=True))
        case events.RecoveryAnswered() | events.RecoveryEnded():
            return replace(moment, recovery=None)
        case _:
            return moment


def _fold_to_none(_state: Any, _event: Any) -> None:
    """Return None: the fold of a history without the game's rules."""
