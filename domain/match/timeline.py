"""A match with its rules: what each viewer may see, and what commands lead to.

Nothing here reads a clock or generates randomness; both are passed in to `Timeline.act`.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from msgspec.structs import replace

from domain.contract import trait_defaults
from domain.contract.game import ALL_SEEING, Amounts, AnyRules, Draw, IllegalMove, Standing
from domain.match import clocks, recovery, seating, undo
from domain.match.commands import (
    AnswerRecovery,
    AnswerReturn,
    AnswerUndo,
    AskRecovery,
    ComeBack,
    EndRecovery,
    GoAway,
    Join,
    Leave,
    ObjectToRecovery,
    Open,
    Reclaim,
    RecoverSeat,
    Redo,
    RunOut,
    Say,
    Start,
    Undo,
    Vote,
)
from domain.match.events import (
    BESIDE_THE_GAME,
    WITHHELD,
    MatchOpened,
    Said,
    SeedRevealed,
    is_kernel,
)
from domain.match.history import Decided, Decision, History
from domain.match.moment import Moment
from domain.match.seats import NotYourTurn, Refused
from domain.match.secrecy import published_seed, secrets_kept
from domain.match.undo import UndoKind

MOST_DECISIONS = 20_000
"""Maximum number of decisions of one match, nine times that of the longest stored one. It bounds
the cost of folding, verifying and transferring a match."""

Draws = Callable[[str, int], Draw]
"""``draws(seed, first)`` returns a `Draw` that yields the numbers derived from a seed (hex digits),
beginning with the one at index ``first``."""


class Recorder:
    """A `Draw` that records each number it returns in ``drawn``, as ``(n, value)``."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.drawn: list[tuple[int, int]] = []

    def __call__(self, n: int) -> int:
        value = self._draw(n)
        self.drawn.append((n, value))
        return value


class Timeline(History):
    """A history with the rules of its game, on which commands are decided."""

    def __init__(self, rules: AnyRules, decisions: Iterable[Decision] = ()) -> None:
        self.rules = rules
        super().__init__(rules.evolve, decisions)

    def _empty(self) -> "Timeline":
        return Timeline(self.rules)

    # -- reading ---------------------------------------------------------------------------

    def viewer(self, seat: int | None) -> int | None:
        """Return the viewer for a seat: `ALL_SEEING` once a match without kept secrets is over."""
        finished = self.now.status == "finished"
        return ALL_SEEING if finished and not secrets_kept(self.rules, self.now.opened) else seat

    @property
    def public_seed(self) -> str:
        """The seed if it is public; empty while the match goes on or its secrets are kept."""
        now = self.now
        return published_seed(self.rules, now.opened) if now.status == "finished" else ""

    @property
    def may_hide(self) -> bool:
        """Whether the game can hide anything, that is, has a `redact` of its own."""
        return self.rules.redact is not trait_defaults.redact

    def shown(
        self,
        event: Any,
        seat: int | None,
        hears: Collection[int] = (),
        index: int = -1,
        holder: str | None = None,
    ) -> Any:
        """Return the event as the holder of ``seat`` may see it now, hidden fields blanked.

        The type of the event stays. ``hears``: further seats of the same holder, whose private
        messages they may read. Private messages stay private when the match is over, and when
        somebody else holds one of the seats by now. ``index``: of the event's decision.
        ``holder``: the player whose seats these are or were; None for the present holders.
        """
        match event:
            case MatchOpened():
                return replace(event, seed=self.public_seed, deal_seed="")
            case SeedRevealed():
                return SeedRevealed(self.public_seed)
            case Said(to=to, seat=by) if to is not None:
                ears = {seat, *hears}
                heard = any(
                    self._sat_there(each, index, holder) for each in (to, by) if each in ears
                )
                return event if heard else WITHHELD
            case _ if is_kernel(event):
                return event
            case _:
                return self.rules.redact(event, self.viewer(seat))

    def _sat_there(self, seat: int | None, index: int, holder: str | None) -> bool:
        """Return whether the holder (None: the present one) had the seat at a decision."""
        if seat is None:
            return False
        then, now = self.moments[index].seats[seat].player, self.now
        return now.player_since(seat, then) == (holder or now.seats[seat].player)

    def hides(self, events: Iterable[Any]) -> bool:
        """Return whether anything in the events is hidden from a spectator."""
        return self.may_hide and any(
            not is_kernel(e) and self.rules.redact(e, None) != e for e in events
        )

    def standings(self, moment: Moment) -> tuple[Standing, ...] | None:
        """Return the final standings; None while the game goes on."""
        return self.rules.outcome(moment.state) if moment.status == "finished" else None

    def to_act(self, moment: Moment) -> tuple[int, ...]:
        """Return the seats that are to act; none unless the game is being played."""
        return tuple(self.rules.to_act(moment.state)) if moment.status == "playing" else ()

    def undo_kind(self, seat: int | None, to_version: int | None = None) -> UndoKind:
        """Return kind, reason and target of an undo by the seat now."""
        return undo.undo_kind(self, self.now, seat, to_version)

    def turn_start(self, seat: int) -> int | None:
        """Return the version at which the latest turn with a decision of the seat began."""
        return undo.turn_start(self, self.now, seat)

    def declined_at(self, seat: int, to_version: int | None) -> int | None:
        """Return when an undo by the seat was declined; see `domain.match.undo.declined_at`."""
        return undo.declined_at(self, seat, to_version)

    def undisturbed(self, seat: int, version: int) -> bool:
        """Return whether a command meant for an earlier version still means the same now.

        True if everything since is chat, clock or recovery events, or if several seats act at
        once and the others have only made their choices. Nothing may have been drawn or revealed,
        no turn begun, and the seat's legal commands and their labels must be the same.
        """
        if not 1 <= version < self.version or self.now.status != "playing":
            return False
        index = self.index(version)
        then, now = self.moments[index], self.now
        since = [d for d in self.decisions.tail(index + 1) if not is_beside_the_game(d)]
        if then.version != version or (since and len(self.to_act(then)) < 2):
            return False
        return (
            all(self._is_only_a_choice(decision, seat) for decision in since)
            and self.rules.turn(then.state) == self.rules.turn(now.state)
            and self._offered(then, seat) == self._offered(now, seat)
        )

    def _offered(self, moment: Moment, seat: int) -> list[Any]:
        """Return the seat's legal commands and ranges, each with its label."""
        rules, state = self.rules, moment.state
        return [
            (way, rules.label(state, seat, way.command if isinstance(way, Amounts) else way))
            for group in rules.groups(state, seat)
            for way in group.ways
        ]

    def _is_only_a_choice(self, decision: Decision, seat: int) -> bool:
        if decision.seat in (seat, None) or decision.draws:
            return False
        return not any(is_kernel(e) or self.rules.reveals(e) for e in decision.events)

    # -- growing ---------------------------------------------------------------------------

    def _timed(self, before: Moment | None, moment: Moment, step: Decision) -> Moment:
        return replace(moment, clocks=clocks.ticked(self, before, moment, step))

    def act(
        self, seat: int | None, commands: Iterable[Any], at: int, draws: Draws
    ) -> list[Decision]:
        """Return the decisions that the commands lead to, without appending them.

        Each command of the batch, also an undo, is decided on the result of the one before.
        ``at``: the present in milliseconds since 1970 UTC, raised to the latest decision's
        instant if that is later. Time that has run out by then is applied first, each at its own
        instant, even if there are no commands. Raises `IllegalMove` or `Refused` for the whole
        batch.
        """
        ahead = self.branch()
        if self.decisions:
            # System clocks are set back now and then, and the clocks of two workers differ.
            at = max(at, self.decisions[-1].at)
            ahead._run_out(at, draws)
            if seat is not None:
                _check_still_held(self.now, ahead.now, seat)
        for command in commands:
            ahead._carry_out(seat, command, at, draws)
        return ahead.decisions.tail(len(self.decisions))

    def play(self, seat: int | None, commands: Iterable[Any], at: int, draws: Draws) -> None:
        """Decide the commands like `act` and append the decisions."""
        for decision in self.act(seat, commands, at, draws):
            self.append(decision)

    def _run_out(self, at: int, draws: Draws) -> None:
        """Append a decision for every clock and recovery that has expired by ``at``."""
        while (over := next_over(self.now)) is not None and over[0] <= at:
            if len(self.decisions) >= MOST_DECISIONS:
                return
            self._carry_on(over[1], over[2], max(over[0], self.decisions[-1].at), draws)

    def _carry_out(self, seat: int | None, command: Any, at: int, draws: Draws) -> None:
        """Append the command's decision and, if it filled the last seat, the start of the game."""
        if len(self.decisions) >= MOST_DECISIONS:
            raise Refused("match_full", "No more can happen in this match; fork it to play on.")
        self._carry_on(seat, command, at, draws)
        now = self.now
        filled = now.status == "open" and all(s.kind != "open" for s in now.seats)
        if filled and now.opened.forked_from is None:
            self._carry_on(None, Start(), at, draws)

    def _carry_on(self, seat: int | None, command: Any, at: int, draws: Draws) -> None:
        """Decide a command, record its draws and append the decision.

        In a match with a deal seed a decision that draws may be decided twice: only its events
        show whether it hides something, in which case the draws must come from the deal seed.
        """
        before = self.moments[-1] if self.moments else None
        first = before.drawn if before else 0
        recorder = Recorder(draws(before.opened.seed if before else "", first))
        made = self.decide(before, seat, command, recorder, at)
        if before and before.opened.deal_seed and recorder.drawn and self.hides(made.events):
            recorder = Recorder(draws(before.opened.deal_seed, first))
            made = self.decide(before, seat, command, recorder, at)
        drawn = tuple(recorder.drawn)
        decision = Decision(self.version + 1, seat, command, made.events, drawn, at)
        self._grow_by(decision, made)

    def remake(self, decision: Decision, draw: Draw) -> Decision:
        """Return the decision with the events that its command leads to now; append nothing.

        ``draw`` supplies the draws. Raises `IllegalMove` or `Refused`.
        """
        before = self.moments[-1] if self.moments else None
        made = self.decide(before, decision.seat, decision.command, draw, decision.at)
        again = replace(decision, events=made.events)
        self.branch()._grow_by(again, made)
        return again

    def _grow_by(self, decision: Decision, made: Decided) -> None:
        before = self.moments[-1] if self.moments else None
        self._grow(decision, self.after(before, len(self.moments), decision, made))

    # -- deciding --------------------------------------------------------------------------

    def decide(
        self, before: Moment | None, seat: int | None, command: Any, draw: Draw, at: int = 0
    ) -> Decided:
        """Return what a command leads to at a moment of this timeline, None before the first.

        ``at``: the instant in milliseconds, used by clock and recovery commands and by the time
        check of an undo. Raises `Refused` or the game's `IllegalMove`.
        """
        if before is None:
            if not isinstance(command, Open):
                raise Refused("no_such_match", "A match begins with Open.")
            return seating.opening(command)
        timed = _TIMED.get(type(command))
        if timed is not None:
            return timed(before, seat, command, at)
        handler: Callable[..., Decided] = _HANDLERS.get(type(command), _move)
        made = handler(self, before, seat, command, draw)
        if handler is undo.undo:
            clocks.check_time_left(self, before, made.events, at)
        return made


def _move(
    timeline: Timeline, before: Moment, seat: int | None, command: Any, draw: Draw
) -> Decided:
    """Decide a command of the game; reveal the seed if it ends the game."""
    if before.status == "finished":
        raise Refused("match_over", "The match is over.")
    if before.status != "playing":
        raise Refused("not_started", "Seats are still open.")
    rules, opened = timeline.rules, before.opened
    if seat not in rules.to_act(before.state):
        raise NotYourTurn
    try:
        course = rules.decide(before.state, seat, command, draw, opened.rules_version)
    except IllegalMove as error:
        error.room = opened.game
        raise
    over = rules.outcome(course.state) is not None
    end = (SeedRevealed(published_seed(rules, before.opened)),) if over else ()
    return Decided((*course.events, *end), course.state, True)


def next_over(moment: Moment) -> tuple[int, int, Any] | None:
    """Return ``(instant, seat, command)`` of the next expiry: of a seat's time or of a recovery.

    None if no clock runs and no recovery is open.
    """
    out, end = clocks.next_out(moment), recovery.next_end(moment)
    if end is not None and (out is None or end[0] <= out[0]):
        return end[0], end[1], EndRecovery()
    return None if out is None else (out[0], out[1], RunOut())


def _check_still_held(before: Moment, now: Moment, seat: int) -> None:
    """Raise `Refused` if a person held the seat before and has lost it, or it has moved, since."""
    if before is now or not 0 <= seat < len(now.seats):
        return
    then, here = before.seats[seat], now.seats[seat]
    if then.kind == "human" and here.kind != "human":
        raise NotYourTurn
    if then.player != here.player:
        raise Refused("not_your_seat", "You do not hold this seat.")


def is_beside_the_game(decision: Decision) -> bool:
    """Return whether a decision holds only chat, clock, vote or recovery events."""
    return all(type(event) in _BESIDE for event in decision.events)


_BESIDE = (Said, *BESIDE_THE_GAME)


_HANDLERS: dict[type, Callable[..., Decided]] = {
    Open: seating.open_again,
    Start: seating.start,
    Join: seating.join,
    Leave: seating.leave,
    Reclaim: seating.reclaim,
    AnswerReturn: seating.answer_return,
    Undo: undo.undo,
    AnswerUndo: undo.answer,
    Redo: undo.redo,
    Say: seating.say,
}
_TIMED: dict[type, Callable[..., Decided]] = {
    RunOut: clocks.run_out,
    GoAway: clocks.go_away,
    ComeBack: clocks.come_back,
    Vote: clocks.vote,
    RecoverSeat: recovery.recover,
    AskRecovery: recovery.ask,
    AnswerRecovery: recovery.answer,
    ObjectToRecovery: recovery.object_to,
    EndRecovery: recovery.end,
}
