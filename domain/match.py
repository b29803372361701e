"""One match of any game: its seats, its decisions, the fold and undo. Knows no game by name.

A `Decision` is what is appended: who, which command, which draws, which events, when. Versions
count events: a decision whose first event is number v and that holds k events takes the match
to version v + k - 1. A `Timeline` folds decisions into `Moment` values, one for each decision;
they share structure, so any moment of a long match is at hand at no cost.

Undo is an event. `MovesUndone` sets the match back to what it was at an earlier version and
`MovesRedone` brings back what the last undo took away, until somebody makes a new move.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.draws import Recorder
from domain.game import ALL_SEEING, Draw, Rules, Standing

NO_SEAT = -1


class Refused(Exception):
    """A kernel command that cannot be carried out now. ``code`` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class NotYourTurn(Refused):
    """The seat is not to act."""

    def __init__(self) -> None:
        super().__init__("not_your_turn", "It is not this seat's turn.")


class Seat(Struct, frozen=True):
    """A place at the table. ``kind`` is "human", "open" or "bot"; ``player`` is a player id."""

    kind: str
    name: str
    player: str | None = None


class Origin(Struct, frozen=True):
    """The match and version a fork began from, and how many of its draws came along."""

    match: str
    version: int
    draws: int = 0


# --- commands the kernel itself understands ------------------------------------------------


class Open(Struct, frozen=True, tag=True):
    """Open a match; ``seed`` is 64 hex digits and stays secret until the game ends."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    visibility: str
    owner: str
    commitment: str
    seed: str = ""
    forked_from: Origin | None = None


class Start(Struct, frozen=True, tag=True):
    """Lay the game out; follows of itself when the last seat is filled."""


class Join(Struct, frozen=True, tag=True):
    """Take an open seat."""

    player: str
    name: str


class Undo(Struct, frozen=True, tag=True):
    """Go back to ``to_version``, or before the seat's own last decision."""

    to_version: int | None = None


class AnswerUndo(Struct, frozen=True, tag=True):
    """Agree to an open proposal or decline it; the proposer withdraws by declining."""

    accept: bool


class Redo(Struct, frozen=True, tag=True):
    """Bring back what the last undo took away."""


class Say(Struct, frozen=True, tag=True):
    """A word to everybody, or to one seat."""

    text: str
    to: int | None = None


# --- events of the kernel -------------------------------------------------------------------


class MatchOpened(Struct, frozen=True, tag=True):
    """The first event of every match, with the hash of the seed (see `domain.draws`)."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    visibility: str
    owner: str
    commitment: str
    seed: str = ""
    forked_from: Origin | None = None


class SeatTaken(Struct, frozen=True, tag=True):
    """Somebody sat down on an open seat."""

    seat: int
    player: str
    name: str


class MatchStarted(Struct, frozen=True, tag=True):
    """All seats are filled; the game's setup follows in the same decision."""


class UndoProposed(Struct, frozen=True, tag=True):
    """A seat asks the others to go back to ``to_version``."""

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]


class UndoAnswered(Struct, frozen=True, tag=True):
    """A seat agreed or declined (or, if it is the proposer's, withdrew)."""

    seat: int
    accept: bool


class MovesUndone(Struct, frozen=True, tag=True):
    """The match is again what it was at ``to_version``; ``kind`` is free, consent or open."""

    seat: int
    to_version: int
    kind: str


class MovesRedone(Struct, frozen=True, tag=True):
    """The match is again what it was at ``to_version``, before the undo."""

    seat: int
    to_version: int


class Said(Struct, frozen=True, tag=True):
    """A word to everybody (``to`` None) or to one seat; not undone by undo."""

    seat: int | None
    text: str
    to: int | None = None


class SeedRevealed(Struct, frozen=True, tag=True):
    """The game has ended; the seed whose hash the first event holds."""

    seed: str


COMMANDS: tuple[type, ...] = (Open, Start, Join, Undo, AnswerUndo, Redo, Say)
EVENTS: tuple[type, ...] = (
    MatchOpened,
    SeatTaken,
    MatchStarted,
    UndoProposed,
    UndoAnswered,
    MovesUndone,
    MovesRedone,
    Said,
    SeedRevealed,
)
_KERNEL = frozenset(EVENTS)

TEXT: dict[str, str] = {
    "opened": "The table was opened.",
    "opened-fork": "The table was opened, from version {version} of another match.",
    "taken": "{who} sat down.",
    "started": "The game begins.",
    "proposed": "{who} asks to take back moves.",
    "accepted": "{who} agrees to the take-back.",
    "declined": "{who} declines the take-back.",
    "undone": "{who} took back moves.",
    "redone": "{who} played the taken-back moves again.",
    "said": "{who}: {text}",
    "said-hidden": "A private word was passed.",
    "seed": "The seed of the draws is revealed.",
    "why-free": "Only your own moves are taken back, and nothing new came to light.",
    "why-secret": "Your choice is still secret.",
    "why-open": "One person plays all seats.",
    "why-moved": "{who} has moved since.",
    "why-others": "Somebody has moved since.",
    "why-drawn": "Chance has decided something since.",
    "why-revealed": "Something hidden came to light since.",
    "why-branch": "This would bring back moves that were taken back.",
    "why-nothing": "There is nothing to take back.",
    "why-over": "The match is over; fork it to play on from an earlier moment.",
    "why-no-seat": "You hold no seat here.",
    "why-waiting": "The match has not begun.",
}


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """A kernel event in words: a key of ``TEXT`` and its arguments."""
    match event:
        case MatchOpened(forked_from=Origin(version=version)):
            return "opened-fork", {"version": version}
        case MatchOpened():
            return "opened", {}
        case SeatTaken(seat=seat):
            return "taken", {"who": seat}
        case MatchStarted():
            return "started", {}
        case UndoProposed(seat=seat):
            return "proposed", {"who": seat}
        case UndoAnswered(seat=seat, accept=accept):
            return ("accepted" if accept else "declined"), {"who": seat}
        case MovesUndone(seat=seat):
            return "undone", {"who": seat}
        case MovesRedone(seat=seat):
            return "redone", {"who": seat}
        case Said(seat=None):
            return "said-hidden", {}
        case Said(seat=seat, text=text):
            return "said", {"who": seat, "text": text}
        case _:
            return "seed", {}


def is_kernel(event: Any) -> bool:
    """Whether the event is the kernel's, not the game's."""
    return type(event) in _KERNEL


class Decision(Struct, frozen=True):
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


def _is_only_talk(decision: Decision) -> bool:
    return all(type(event) is Said for event in decision.events)


class Proposal(Struct, frozen=True):
    """An open wish to go back; closed by a decline, by all agreeing, or by a new move."""

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]
    accepted: tuple[str, ...] = ()


class Moment(Struct, frozen=True):
    """The match after some decision.

    ``head`` is the index of the latest game decision that still counts (-1: none), ``parent``
    the head before it, ``redo`` the ``(moment index, seat)`` pairs that undo put away.
    """

    version: int
    status: str
    opened: MatchOpened
    seats: tuple[Seat, ...]
    state: Any = None
    head: int = -1
    parent: int = -1
    redo: tuple[tuple[int, int], ...] = ()
    proposal: Proposal | None = None
    drawn: int = 0


class UndoKind(Struct, frozen=True):
    """What an undo would be: ``kind`` free, consent, open or None, why, and where to."""

    kind: str | None
    reason: str
    args: dict[str, Any] = {}
    to_version: int | None = None


class Timeline:
    """All decisions of one match with the moment after each; grows at the end only."""

    def __init__(self, rules: Rules, decisions: Iterable[Decision] = ()) -> None:
        self.rules = rules
        self.decisions: list[Decision] = []
        self.moments: list[Moment] = []
        self._ends: list[int] = []
        for decision in decisions:
            self.append(decision)

    # -- looking ---------------------------------------------------------------------------

    @property
    def now(self) -> Moment:
        """The latest moment."""
        return self.moments[-1]

    @property
    def version(self) -> int:
        """How many events there are; 0 before the match is opened."""
        return self._ends[-1] if self._ends else 0

    def at(self, version: int) -> Moment:
        """The match at any version from 1 on, in the middle of a decision too."""
        if not 1 <= version <= self.version:
            raise Refused("no_such_version", f"There are versions 1 to {self.version}.")
        index = self.index(version)
        if index >= 0 and self._ends[index] == version:
            return self.moments[index]
        decision = self.decisions[index + 1]
        part = replace(decision, events=decision.events[: version - decision.version + 1])
        return self._advance(self.moments[index] if index >= 0 else None, index + 1, part)

    def index(self, version: int) -> int:
        """Index of the last decision that is complete at the version."""
        return bisect_right(self._ends, version) - 1

    def line(self, moment: Moment) -> Iterator[int]:
        """Indexes of the game decisions that count at the moment, latest first."""
        head = moment.head
        while head >= 0:
            yield head
            head = self.moments[head].parent

    def undone(self, first: int = 0) -> set[int]:
        """Indexes, from ``first`` on, of the game decisions that no longer count."""
        alive = set()
        for index in self.line(self.now):
            if index < first:
                break
            alive.add(index)
        later = range(first, len(self.moments))
        return {i for i in later if self.moments[i].head == i and i not in alive}

    def viewer(self, seat: int | None) -> int | None:
        """Whose eyes to look with: everybody sees all once the match is finished."""
        finished = self.now.status == "finished"
        secret = self.now.opened.options.get("keep_secrets", False)
        return ALL_SEEING if finished and not secret else seat

    def standings(self, moment: Moment) -> tuple[Standing, ...] | None:
        """The final places, None while the game goes on."""
        return self.rules.outcome(moment.state) if moment.status == "finished" else None

    def to_act(self, moment: Moment) -> tuple[int, ...]:
        """The seats the match waits for."""
        return tuple(self.rules.to_act(moment.state)) if moment.status == "playing" else ()

    def undisturbed(self, seat: int, version: int) -> bool:
        """Whether a command the seat meant for an earlier version still means the same now.

        So it is when there was only talk, and while several seats act at once and only others
        have made their choices since: nothing came to light, no turn began, the seat's own
        choices are what they were.
        """
        if not 1 <= version < self.version or self.now.status != "playing":
            return False
        index = self.index(version)
        then, now = self.moments[index], self.now
        since = [d for d in self.decisions[index + 1 :] if not _is_only_talk(d)]
        if then.version != version or (since and len(self.to_act(then)) < 2):
            return False
        return (
            all(self._is_only_a_choice(decision, seat) for decision in since)
            and self.rules.turn(then.state) == self.rules.turn(now.state)
            and self.rules.choices(then.state, seat) == self.rules.choices(now.state, seat)
        )

    def _is_only_a_choice(self, decision: Decision, seat: int) -> bool:
        if decision.seat in (seat, None) or decision.draws:
            return False
        return not any(is_kernel(e) or self.rules.reveals(e) for e in decision.events)

    # -- growing ---------------------------------------------------------------------------

    def append(self, decision: Decision) -> None:
        """Fold one more decision in."""
        before = self.moments[-1] if self.moments else None
        self.moments.append(self._advance(before, len(self.decisions), decision))
        self.decisions.append(decision)
        self._ends.append(decision.last_version)

    def act(self, seat: int | None, commands: Iterable[Any], at: int) -> list[Decision]:
        """The decisions that the commands lead to, one after the other; appends nothing.

        Raises `IllegalMove` or `Refused`; then none of them counts.
        """
        made: list[Decision] = []
        before = self.moments[-1] if self.moments else None
        for command in commands:
            for step in self._steps(before, len(made), seat, command, at):
                made.append(step[0])
                before = step[1]
        return made

    def _steps(
        self, before: Moment | None, made: int, seat: int | None, command: Any, at: int
    ) -> Iterator[tuple[Decision, Moment]]:
        """The command's decision and, when it filled the last seat, the start of the game."""
        index = len(self.decisions) + made
        decision, after = self._decided(before, index, seat, command, at)
        yield decision, after
        filled = after.status == "open" and all(s.kind != "open" for s in after.seats)
        if filled and after.opened.forked_from is None:
            yield self._decided(after, index + 1, None, Start(), at)

    def _decided(
        self, before: Moment | None, index: int, seat: int | None, command: Any, at: int
    ) -> tuple[Decision, Moment]:
        seed = before.opened.seed if before else ""
        draw = Recorder(bytes.fromhex(seed), before.drawn if before else 0)
        events = self.decide(before, seat, command, draw)
        version = before.version + 1 if before else 1
        decision = Decision(version, seat, command, tuple(events), tuple(draw.drawn), at)
        return decision, self._advance(before, index, decision)

    # -- the fold --------------------------------------------------------------------------

    def _advance(self, before: Moment | None, index: int, decision: Decision) -> Moment:
        moment = before
        for event in decision.events:
            moment = self._evolve(moment, index, event)
        assert moment is not None
        return replace(
            moment,
            version=decision.last_version,
            drawn=moment.drawn + len(decision.draws),
        )

    def _evolve(self, moment: Moment | None, index: int, event: Any) -> Moment:
        if moment is None:
            return Moment(0, "open", event, event.seats)
        if type(event) not in _KERNEL:
            return self._moved(moment, index, event)
        match event:
            case SeatTaken(seat=seat, player=player, name=name):
                seats = list(moment.seats)
                seats[seat] = Seat("human", name, player)
                return replace(moment, seats=tuple(seats))
            case MatchStarted():
                return replace(moment, status="playing")
            case UndoProposed(seat=seat, to_version=to, reason=reason, args=args):
                return replace(moment, proposal=Proposal(seat, to, reason, args))
            case UndoAnswered(seat=seat, accept=True) if moment.proposal:
                player = moment.seats[seat].player or ""
                accepted = (*moment.proposal.accepted, player)
                return replace(moment, proposal=replace(moment.proposal, accepted=accepted))
            case UndoAnswered():
                return replace(moment, proposal=None)
            case MovesUndone(seat=seat, to_version=to):
                kept = self.moments[self.index(to)]
                redo = (*moment.redo, (index - 1, seat))
                return replace(moment, state=kept.state, head=kept.head, redo=redo, proposal=None)
            case MovesRedone(to_version=to):
                back = self.moments[self.index(to)]
                return replace(
                    moment,
                    state=back.state,
                    head=back.head,
                    redo=moment.redo[:-1],
                    proposal=None,
                )
            case SeedRevealed():
                return replace(moment, status="finished")
            case _:
                return moment

    def _moved(self, moment: Moment, index: int, event: Any) -> Moment:
        state = self.rules.evolve(moment.state, event)
        if moment.head == index:
            return replace(moment, state=state)
        return replace(moment, state=state, head=index, parent=moment.head, redo=(), proposal=None)

    # -- deciding --------------------------------------------------------------------------

    def decide(
        self, before: Moment | None, seat: int | None, command: Any, draw: Draw
    ) -> list[Any]:
        """The events a command causes at a moment, which must be the latest for undo.

        Raises `Refused` or the game's `IllegalMove`.
        """
        if before is None:
            if not isinstance(command, Open):
                raise Refused("no_such_match", "A match begins with Open.")
            return [MatchOpened(**{f: getattr(command, f) for f in command.__struct_fields__})]
        handler = _HANDLERS.get(type(command))
        if handler is not None:
            return handler(self, before, seat, command, draw)
        if before.status != "playing":
            raise Refused(
                "match_over" if before.status == "finished" else "not_started",
                "The match is over." if before.status == "finished" else "Seats are still open.",
            )
        if seat not in self.rules.to_act(before.state):
            raise NotYourTurn
        events = self.rules.decide(before.state, seat, command, draw)
        return [*events, *self._ending(before, events)]

    def _ending(self, before: Moment, events: list[Any]) -> list[Any]:
        state = before.state
        for event in events:
            state = self.rules.evolve(state, event)
        return [] if self.rules.outcome(state) is None else [SeedRevealed(before.opened.seed)]

    def _open(self, _before: Moment, _seat: int | None, _command: Open, _draw: Draw) -> list[Any]:
        raise Refused("already_open", "The match is already open.")

    def _start(self, before: Moment, _seat: int | None, _command: Start, draw: Draw) -> list[Any]:
        opened = before.opened
        waiting = any(seat.kind == "open" for seat in before.seats)
        # A fork has begun already; whoever is to sit there comes later.
        if before.status != "open" or (waiting and opened.forked_from is None):
            raise Refused("not_open", "The match cannot start now.")
        return [MatchStarted(), *self.rules.setup(opened.options, len(before.seats), draw)]

    def _join(self, before: Moment, seat: int | None, command: Join, _draw: Draw) -> list[Any]:
        if before.status == "finished" or seat is None or not 0 <= seat < len(before.seats):
            raise Refused("not_open", "This match has no such open seat.")
        if before.seats[seat].kind != "open":
            raise Refused("seat_taken", "Somebody else has this seat.")
        return [SeatTaken(seat, command.player, command.name)]

    def _say(self, before: Moment, seat: int | None, command: Say, _draw: Draw) -> list[Any]:
        if command.to is not None and not 0 <= command.to < len(before.seats):
            raise Refused("no_such_seat", "There is no such seat.")
        return [Said(seat, command.text, command.to)]

    # -- undo ------------------------------------------------------------------------------

    def undo_kind(self, seat: int | None, to_version: int | None = None) -> UndoKind:
        """What an undo by the seat would be now: kind, reason, target."""
        now = self.now
        if seat is None:
            return UndoKind(None, "why-no-seat")
        if now.status != "playing":
            return UndoKind(None, "why-over" if now.status == "finished" else "why-waiting")
        if to_version is None:
            if self.rules.take_back(now.state, seat):
                return UndoKind("free", "why-secret")
            to_version = self._before_own(seat)
        if to_version is None:
            return UndoKind(None, "why-nothing")
        target = self.moments[self.index(to_version)]
        to_version = target.version
        if target.status != "playing" or target.head == now.head:
            return UndoKind(None, "why-nothing")
        kind, reason, args = self._weigh(seat, target)
        return UndoKind(kind, reason, args, to_version)

    def turn_start(self, seat: int) -> int | None:
        """The version at which the latest turn with a decision of the seat began."""
        start = None
        turn = None
        for index in self.line(self.now):
            decision = self.decisions[index]
            if decision.seat is None:
                break
            began = self.rules.turn(self._state_before(index))
            if turn is not None and began != turn:
                break
            if decision.seat == seat:
                turn = began
                start = self._version_before(index)
        return start

    def _state_before(self, index: int) -> Any:
        return self.moments[self.moments[index].parent].state

    def _version_before(self, index: int) -> int:
        """The version that the match had when the decision's predecessor was complete."""
        return self._ends[self.moments[index].parent]

    def _before_own(self, seat: int) -> int | None:
        for index in self.line(self.now):
            if self.decisions[index].seat == seat:
                return self._version_before(index)
        return None

    def _weigh(self, seat: int, target: Moment) -> tuple[str, str, dict[str, Any]]:
        """Kind, reason and its arguments of going back from now to the target."""
        if len(self._people()) <= 1:
            return "open", "why-open", {}
        gone: list[int] = []
        for index in self.line(self.now):
            if index <= target.head:
                break
            gone.append(index)
        if not gone or self.moments[gone[-1]].parent != target.head:
            return "consent", "why-branch", {}
        for index in reversed(gone):
            decision = self.decisions[index]
            if decision.seat != seat:
                if self._actor_is_public(decision):
                    return "consent", "why-moved", {"who": decision.seat}
                return "consent", "why-others", {}
            if decision.draws:
                return "consent", "why-drawn", {}
            if any(self.rules.reveals(e) for e in decision.events if not is_kernel(e)):
                return "consent", "why-revealed", {}
        return "free", "why-free", {}

    def _actor_is_public(self, decision: Decision) -> bool:
        """Whether a spectator can tell who acted; the reason of an undo is shown to all."""
        shown = (redact(self.rules, event, None, False) for event in decision.events)
        return any(getattr(event, "seat", None) == decision.seat for event in shown)

    def _people(self) -> set[str | None]:
        return {seat.player for seat in self.now.seats if seat.kind == "human"}

    def _undo(self, before: Moment, seat: int | None, command: Undo, _draw: Draw) -> list[Any]:
        to = command.to_version
        if to is not None and not 1 <= to <= before.version:
            raise Refused("no_such_version", f"There are versions 1 to {before.version}.")
        undo = self.undo_kind(seat, to)
        assert seat is not None
        if undo.kind is None:
            raise Refused("nothing_to_undo", TEXT[undo.reason])
        if undo.reason == "why-secret":
            return self.rules.take_back(before.state, seat)
        assert undo.to_version is not None
        if undo.kind == "consent":
            if before.proposal is not None:
                raise Refused("proposal_open", "Another take-back is waiting for an answer.")
            return [UndoProposed(seat, undo.to_version, undo.reason, undo.args)]
        return [MovesUndone(seat, undo.to_version, undo.kind)]

    def _answer(
        self, before: Moment, seat: int | None, command: AnswerUndo, _draw: Draw
    ) -> list[Any]:
        proposal = before.proposal
        if proposal is None:
            raise Refused("no_proposal", "No take-back is waiting for an answer.")
        assert seat is not None
        mine = before.seats[seat].player == before.seats[proposal.seat].player
        if command.accept and mine:
            raise Refused("own_proposal", "The others answer this take-back.")
        answered = UndoAnswered(seat, command.accept)
        if not command.accept:
            return [answered]
        asked = self._people() - {before.seats[proposal.seat].player}
        if asked - {*proposal.accepted, before.seats[seat].player}:
            return [answered]
        return [answered, MovesUndone(proposal.seat, proposal.to_version, "consent")]

    def _redo(self, before: Moment, seat: int | None, _command: Redo, _draw: Draw) -> list[Any]:
        if before.status != "playing" or not before.redo:
            raise Refused("nothing_to_redo", "There is nothing to play again.")
        index, undoer = before.redo[-1]
        assert seat is not None
        if before.seats[seat].player != before.seats[undoer].player:
            raise Refused("not_your_undo", "Only the seat that took back may play it again.")
        return [MovesRedone(seat, self._ends[index])]


_HANDLERS: dict[type, Callable[..., list[Any]]] = {
    Open: Timeline._open,
    Start: Timeline._start,
    Join: Timeline._join,
    Undo: Timeline._undo,
    AnswerUndo: Timeline._answer,
    Redo: Timeline._redo,
    Say: Timeline._say,
}


def redact(rules: Rules, event: Any, viewer: int | None, finished: bool) -> Any:
    """The event as the viewer may see it; works for kernel and game events alike."""
    match event:
        case MatchOpened() if not finished:
            return replace(event, seed="")
        case Said(to=to, seat=seat) if to is not None and viewer not in (to, seat):
            return Said(None, "", None)
        case _ if type(event) in _KERNEL:
            return event
        case _:
            return rules.redact(event, viewer)
