"""The steps of one match with the moment after each: the one fold, and what still counts.

A step is a `Decision`: who, which command, which draws, which events, when. Versions count
events: a decision whose first event is number v and that holds k events takes the match to
version v + k - 1. Its moments share structure, so any moment of a long match is at hand at no
cost. Where only events are known (a service tells a phone no more), each is a step of its own.

Undo is an event. `MovesUndone` sets the match back to what it was at an earlier version and
`MovesRedone` brings back what the last undo took away, until somebody makes a new move.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.match.events import (
    KERNEL,
    MatchStarted,
    MovesRedone,
    MovesUndone,
    RecoveryAnswered,
    RecoveryAsked,
    RecoveryBegan,
    RecoveryEnded,
    ReturnAnswered,
    ReturnRequested,
    Said,
    SeatLeft,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    SeedRevealed,
    UndoAnswered,
    UndoProposed,
)
from domain.match.growing import Growing
from domain.match.losses import after_leaving, after_request, after_sitting
from domain.match.moments import (
    Moment,
    Proposal,
    PutAway,
    Recovery,
    agreed,
    moved,
    recovered,
    reseated,
)
from domain.match.seats import Refused

Self = TypeVar("Self", bound="History")


class Decision(Struct, frozen=True, gc=False):
    """The unit of appending.

    ``version`` is that of its first event (from 1), ``draws`` are ``(n, value)`` pairs in the
    order they were drawn, ``at`` is milliseconds since 1970 UTC.
    """

    version: int
    seat: int | None
    command: Any
    events: tuple[Any, ...]
    draws: tuple[tuple[int, int], ...] = ()
    at: int = 0

    @property
    def last_version(self) -> int:
        """The version of the match after this decision."""
        return self.version + len(self.events) - 1


class Decided(Struct, frozen=True):
    """What a command leads to: its events and, unless ``folded`` is False, the game's state."""

    events: tuple[Any, ...]
    state: Any = None
    folded: bool = False


class Page(Struct, frozen=True):
    """A stretch of a history: its decisions from the one with the index ``first`` on, and the
    moment after each."""

    first: int
    decisions: list[Decision]
    moments: list[Moment]


class Past:
    """What lies in the log before a history begins; ``began``: when its first decision was made,
    in milliseconds since 1970 UTC. Each page is read once; ``held``: decisions read so far."""

    began = 0
    held = 0

    def page(self, index: int) -> Page:
        """The page with the decision of an index."""
        raise NotImplementedError

    def page_at(self, version: int) -> Page:
        """The page with the last decision that is complete at a version."""
        raise NotImplementedError


class History:
    """All decisions of one match with the moment after each; grows at the end only.

    ``evolve(state, event)`` is the game's fold. Without it moments have no state: so a game is
    followed whose events are told only in part.
    """

    def __init__(
        self,
        evolve: Callable[[Any, Any], Any] | None = None,
        decisions: Iterable[Decision] = (),
    ) -> None:
        self._fold = evolve or _nothing
        self.decisions: Growing[Decision] = Growing()
        self.moments: Growing[Moment] = Growing()
        self.past: Past | None = None
        for decision in decisions:
            self.append(decision)

    def resume(self, moment: Moment, last: Decision, index: int, past: Past) -> None:
        """Makes an empty history begin with the decision of an index and the moment after it."""

        def decisions(index: int) -> tuple[int, list[Decision]]:
            page = past.page(index)
            return page.first, page.decisions

        def moments(index: int) -> tuple[int, list[Moment]]:
            page = past.page(index)
            return page.first, page.moments

        self.past = past
        self.decisions.resume(index, last, decisions)
        self.moments.resume(index, moment, moments)

    # -- looking ---------------------------------------------------------------------------

    @property
    def now(self) -> Moment:
        """The latest moment."""
        # Asked for fifty times in an answer: the short way first.
        moments = self.moments
        moment: Moment | None = moments.entries[moments.length - 1] if moments.length else None
        return moments[-1] if moment is None else moment

    @property
    def version(self) -> int:
        """How many events there are; 0 before the match is opened."""
        return self.now.version if self.moments.length else 0

    @property
    def began(self) -> int:
        """When the first decision was made: milliseconds since 1970 UTC."""
        return self.past.began if self.past else self.decisions[0].at

    @property
    def held(self) -> int:
        """How many decisions are in memory."""
        return len(self.decisions) - self.decisions.away + (self.past.held if self.past else 0)

    def at(self, version: int) -> Moment:
        """The match at any version from 1 on, in the middle of a decision too."""
        if not 1 <= version <= self.version:
            raise Refused("no_such_version", "There are versions 1 to {last}.", last=self.version)
        index = self.index(version)
        before = self.moments[index] if index >= 0 else None
        if before is not None and before.version == version:
            return before
        decision = self.decisions[index + 1]
        part = decision.events[: version - decision.version + 1]
        return self.after(before, index + 1, replace(decision, events=part))

    def index(self, version: int) -> int:
        """Index of the last decision that is complete at the version; -1 when there is none."""
        length = len(self.moments)
        low, high = self.moments.away, length
        if self.past and (low >= high or version < self.moments[low].version):
            page = self.past.page_at(version)
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

    def line(self, moment: Moment) -> Iterator[int]:
        """Indexes of the game's decisions that count at the moment, latest first."""
        return self.line_from(moment.head)

    def line_from(self, head: int) -> Iterator[int]:
        """The index of a decision of the game, and of those it built on, latest first."""
        while head >= 0:
            yield head
            head = self.moments[head].parent

    def parted(self, one: Moment, other: Moment) -> tuple[list[int], list[int]]:
        """Indexes of the decisions that count at one moment only, and at the other only.

        The latest come first; both lines are followed back to where they part.
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

    def undone(self, first: int = 0) -> set[int]:
        """Indexes, from ``first`` on, of the game's decisions that no longer count."""
        alive = set()
        for index in self.line(self.now):
            if index < first:
                break
            alive.add(index)
        later = range(first, len(self.moments))
        return {i for i in later if self.moments[i].head == i and i not in alive}

    # -- growing ---------------------------------------------------------------------------

    def append(self, decision: Decision) -> None:
        """Folds one more decision in; one that a branch has made just now is folded already."""
        moments = self.moments
        moment = moments.next() if self.decisions.next() is decision else None
        if moment is None:
            index = moments.length
            before = moments[index - 1] if index else None
            moment = self.after(before, index, decision)
        self._grow(decision, moment)

    def _grow(self, decision: Decision, moment: Moment) -> None:
        if not self.decisions.append(decision):
            self.moments.part()  # what lies beyond is the moment after another decision
        self.moments.append(moment)

    def branch(self: Self) -> Self:
        """The same past in a history that can grow without touching this one."""
        twin = self._empty()
        twin.decisions = self.decisions.branch()
        twin.moments = self.moments.branch()
        twin.past = self.past
        return twin

    def until(self: Self, version: int) -> Self:
        """The past up to the last decision that was complete at a version; folds nothing anew."""
        last = self.index(version)
        twin = self.branch()
        twin.decisions.length = twin.moments.length = last + 1
        return twin

    def _empty(self: Self) -> Self:
        return type(self)(self._fold)

    # -- the fold --------------------------------------------------------------------------

    def after(
        self,
        before: Moment | None,
        index: int,
        step: Decision,
        made: Decided | None = None,
    ) -> Moment:
        """The moment after one more step; ``before`` is None for the first, ``index`` its own.

        ``made`` spares the fold: it knows the state that the events lead to.
        """
        moment = before
        events, seat = step.events, step.seat
        version, drawn = len(events), len(step.draws)
        if before is not None:  # asking for its truth would cost a phone more than all the rest
            version += before.version
            drawn += before.drawn
        for event in events:
            if moment is None:
                moment = Moment(0, "open", event, event.seats, latest=(-1,) * len(event.seats))
            elif type(event) in KERNEL:
                moment = self._noted(moment, index, event, step)
            elif made is None or not made.folded:
                state = self._fold(moment.state, event)
                moment = moved(moment, index, seat, state, version, drawn)
            elif moment.head != index:
                moment = moved(moment, index, seat, made.state, version, drawn)
        assert moment is not None
        if moment.version != version or moment.drawn != drawn:
            moment = replace(moment, version=version, drawn=drawn)
        return moment if moment.opened.pace is None else self._timed(before, moment, step)

    def _timed(self, _before: Moment | None, moment: Moment, _step: Decision) -> Moment:
        """The moment with its clocks, which only rules can tell: they say who is to act."""
        return moment

    def _noted(self, moment: Moment, index: int, event: Any, step: Decision) -> Moment:
        """The moment after an event of the kernel."""
        match event:
            case SeatTaken() | SeatReclaimed():
                return after_sitting(reseated(moment, event), event)
            case SeatLeft():
                return reseated(after_leaving(moment, event, step), event)
            case ReturnRequested() | ReturnAnswered():
                return after_request(moment, event)
            case MatchStarted():
                return replace(moment, status="playing")
            case UndoProposed(seat=seat, to_version=to, reason=reason, args=args):
                return replace(moment, proposal=Proposal(seat, to, reason, args))
            case UndoAnswered(seat=seat, accept=True) if moment.proposal:
                return agreed(moment, moment.proposal, seat)
            case UndoAnswered():
                return replace(moment, proposal=None)
            case MovesUndone(seat=seat, to_version=to):
                redo = PutAway(index - 1, seat, moment.redo)
                return self._went_to(moment, to, redo)
            case MovesRedone(to_version=to):
                return self._went_to(moment, to, moment.redo.before if moment.redo else None)
            case SeedRevealed():
                return replace(moment, status="finished", recovery=None)
            case Said():
                return replace(moment, said=moment.said + 1)
            case _:
                return _in_recovery(moment, event, step.at)

    def _went_to(self, moment: Moment, version: int, redo: PutAway | None) -> Moment:
        there = self.moments[self.index(version)]
        return replace(
            moment,
            state=there.state,
            head=there.head,
            latest=there.latest,
            redo=redo,
            proposal=None,
        )


def _in_recovery(moment: Moment, event: Any, at: int) -> Moment:
    """The moment after an event about a person who is to be let back in."""
    asked = moment.recovery
    match event:
        case SeatRecovered():
            return recovered(moment, event)
        case RecoveryAsked(seat=seat, about=about, player=player):
            delay, patience, own = event.delay, event.patience, moment.seats[seat].player or ""
            request = Recovery(seat, about, player, delay, patience, at, moment.version + 1, (own,))
            return replace(moment, recovery=request)
        case RecoveryAnswered(seat=seat, accept=True) if asked is not None:
            own = moment.seats[seat].player or ""
            others = tuple(player for player in asked.agreed if player != own)
            return replace(moment, recovery=replace(asked, agreed=(*others, own)))
        case RecoveryBegan() if asked is not None:
            return replace(moment, recovery=replace(asked, since=at, began=True))
        case RecoveryAnswered() | RecoveryEnded():
            return replace(moment, recovery=None)
        case _:
            return moment


def _nothing(_state: Any, _event: Any) -> None:
    """The fold of a game that is not known."""
