"""A match with its rules: redaction for each viewer, and the execution of commands.

Nothing here reads a clock or generates randomness; both are passed in to `Timeline.act`.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from msgspec.structs import replace

from domain.contract import trait_defaults
from domain.contract.game import ALL_SEEING, AmountRange, AnyRules, Draw, IllegalMove, Standing
from domain.match import clock_changes, clock_undo, clocks, commands, recovery, seating, undo, votes
from domain.match.events import META_EVENTS, WITHHELD, MatchOpened, Said, SeedRevealed, is_kernel
from domain.match.history import Decision, History, Outcome
from domain.match.moment import Moment
from domain.match.seats import NotYourTurn, Refused
from domain.match.secrecy import match_keeps_secrets, published_seed
from domain.match.undo import UndoKind

MAX_DECISIONS = 20_000
"""Maximum number of decisions of one match, nine times that of the longest match stored so far. It
limits the cost of folding, verifying and transferring a match."""

DrawSource = Callable[[str, int], Draw]
"""``draws(seed, first)`` returns a `Draw` that yields the numbers derived from a seed (hex digits),
beginning with draw number ``first``."""


class DrawRecorder:
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
        """Return the viewer for a seat: `ALL_SEEING` when a match that keeps no secrets is over."""
        finished = self.latest.status == "finished"
        return (
            ALL_SEEING
            if finished and not match_keeps_secrets(self.rules, self.latest.opened)
            else seat
        )

    @property
    def public_seed(self) -> str:
        """The seed if it is public; empty before the end, or if it would reveal kept secrets."""
        now = self.latest
        return published_seed(self.rules, now.opened) if now.status == "finished" else ""

    @property
    def may_hide(self) -> bool:
        """Whether the game can hide anything, that is, defines its own `redact`."""
        return self.rules.redact is not trait_defaults.redact

    def redacted_for(
        self,
        event: Any,
        seat: int | None,
        private_seats: Collection[int] = (),
        index: int = -1,
        holder: str | None = None,
    ) -> Any:
        """Return the event, of the same type, as the holder of ``seat`` may see it now.

        Hidden fields are blanked. ``seat``: None for a spectator. ``private_seats``: further seats
        of the same holder, whose private messages they may read. Private messages stay private
        after the end of the match, and after a change of the player on a seat. ``index``: the index
        of the event's decision, needed for private messages. ``holder``: the player who holds or
        held these seats; None for the current holders.
        """
        match event:
            case MatchOpened():
                return replace(event, seed=self.public_seed, deal_seed="")
            case SeedRevealed():
                return SeedRevealed(self.public_seed)
            case Said(to=to, seat=by) if to is not None:
                ears = {seat, *private_seats}
                heard = any(
                    self._held_seat(each, index, holder) for each in (to, by) if each in ears
                )
                return event if heard else WITHHELD
            case _ if is_kernel(event):
                return event
            case _:
                return self.rules.redact(event, self.viewer(seat))

    def _held_seat(self, seat: int | None, index: int, holder: str | None) -> bool:
        """Return whether ``holder`` (None: the current one) held the seat at a decision."""
        if seat is None:
            return False
        then, now = self.moments[index].seats[seat].player, self.latest
        return now.player_since(seat, then) == (holder or now.seats[seat].player)

    def hides(self, events: Iterable[Any]) -> bool:
        """Return whether anything in the events is hidden from a spectator."""
        return self.may_hide and any(
            not is_kernel(e) and self.rules.redact(e, None) != e for e in events
        )

    def standings(self, moment: Moment) -> tuple[Standing, ...] | None:
        """Return the final standings; None if the game is not over at the moment."""
        return self.rules.outcome(moment.state) if moment.status == "finished" else None

    def to_act(self, moment: Moment) -> tuple[int, ...]:
        """Return the seats that are to act; empty unless the game is being played."""
        return tuple(self.rules.to_act(moment.state)) if moment.status == "playing" else ()

    def undo_kind(self, seat: int | None, to_version: int | None = None) -> UndoKind:
        """Return kind, reason and target of an undo by the seat; see `domain.match.undo`."""
        return undo.undo_kind(self, self.latest, seat, to_version)

    def turn_start(self, seat: int) -> int | None:
        """Return where the seat's latest turn began; see `domain.match.undo.turn_start`."""
        return undo.turn_start(self, self.latest, seat)

    def declined_at(self, seat: int, to_version: int | None) -> int | None:
        """Return when an undo by the seat was declined; see `domain.match.undo.declined_at`."""
        return undo.declined_at(self, seat, to_version)

    def still_valid_since(self, seat: int, version: int) -> bool:
        """Return whether a command meant for an earlier version still means the same now.

        That is so if everything since is chat, clock, vote or recovery events, or if several seats
        act at once and the others have only made their choices. Nothing may have been drawn or
        revealed, no turn may have begun, and the seat's legal commands and their labels must be the
        same. False for the current version.
        """
        if not 1 <= version < self.version or self.latest.status != "playing":
            return False
        index = self.index(version)
        then, now = self.moments[index], self.latest
        since = [d for d in self.decisions.tail(index + 1) if not is_meta(d)]
        if then.version != version or (since and len(self.to_act(then)) < 2):
            return False
        return (
            all(self._is_only_a_choice(decision, seat) for decision in since)
            and self.rules.turn(then.state) == self.rules.turn(now.state)
            and self._labelled_options(then, seat) == self._labelled_options(now, seat)
        )

    def _labelled_options(self, moment: Moment, seat: int) -> list[Any]:
        """Return the seat's legal commands and ranges, each with its label."""
        rules, state = self.rules, moment.state
        return [
            (
                option,
                rules.label(
                    state, seat, option.command if isinstance(option, AmountRange) else option
                ),
            )
            for group in rules.groups(state, seat)
            for option in group.options
        ]

    def _is_only_a_choice(self, decision: Decision, seat: int) -> bool:
        if decision.seat in (seat, None) or decision.draws:
            return False
        return not any(is_kernel(e) or self.rules.reveals(e) for e in decision.events)

    # -- growing ---------------------------------------------------------------------------

    def _with_clocks(self, before: Moment | None, moment: Moment, step: Decision) -> Moment:
        return replace(moment, clocks=clock_changes.clocks_after(self, before, moment, step))

    def act(
        self, seat: int | None, commands: Iterable[Any], at: int, draws: DrawSource
    ) -> list[Decision]:
        """Return the decisions resulting from the commands, without appending them.

        Each command of the batch, even an undo, is decided on the result of the previous one.
        ``at``: the current instant in milliseconds since 1970 UTC; the latest decision's instant is
        used if that is later. Clocks and recovery requests that have expired by then are applied
        first, each at its own instant, even if there are no commands. Raises `IllegalMove` or
        `Refused` for the whole batch.
        """
        ahead = self.branch()
        if self.decisions:
            # System clocks are sometimes set back, and the clocks of two workers differ.
            at = max(at, self.decisions[-1].at)
            ahead._run_out(at, draws)
            if seat is not None:
                _check_still_held(self.latest, ahead.latest, seat)
        for command in commands:
            ahead._apply_command(seat, command, at, draws)
        return ahead.decisions.tail(len(self.decisions))

    def play(self, seat: int | None, commands: Iterable[Any], at: int, draws: DrawSource) -> None:
        """Decide the commands like `act` and append the decisions."""
        for decision in self.act(seat, commands, at, draws):
            self.append(decision)

    def _run_out(self, at: int, draws: DrawSource) -> None:
        """Append a decision for each clock and recovery request that has expired by ``at``.

        Stops at `MAX_DECISIONS`.
        """
        while (over := next_expiry(self.latest)) is not None and over[0] <= at:
            if len(self.decisions) >= MAX_DECISIONS:
                return
            self._apply_with_draws(over[1], over[2], max(over[0], self.decisions[-1].at), draws)

    def _apply_command(self, seat: int | None, command: Any, at: int, draws: DrawSource) -> None:
        """Append the command's decision and, if it filled the last seat, the start of the game.

        Raises `Refused` if the match has `MAX_DECISIONS` already.
        """
        if len(self.decisions) >= MAX_DECISIONS:
            raise Refused("match_full", "error.match_full")
        self._apply_with_draws(seat, command, at, draws)
        now = self.latest
        filled = now.status == "open" and all(s.kind != "open" for s in now.seats)
        if filled and now.opened.forked_from is None:
            self._apply_with_draws(None, commands.Start(), at, draws)

    def _apply_with_draws(self, seat: int | None, command: Any, at: int, draws: DrawSource) -> None:
        """Decide a command, record its draws and append the decision.

        In a match with a deal seed, a decision that draws may be decided twice: only its events
        show whether it hides something, and then its draws must come from the deal seed.
        """
        before = self.moments[-1] if self.moments else None
        first = before.drawn if before else 0
        recorder = DrawRecorder(draws(before.opened.seed if before else "", first))
        outcome = self.decide(before, seat, command, recorder, at)
        if before and before.opened.deal_seed and recorder.drawn and self.hides(outcome.events):
            recorder = DrawRecorder(draws(before.opened.deal_seed, first))
            outcome = self.decide(before, seat, command, recorder, at)
        drawn = tuple(recorder.drawn)
        decision = Decision(self.version + 1, seat, command, outcome.events, drawn, at)
        self._append_outcome(decision, outcome)

    def recompute(self, decision: Decision, draw: Draw) -> Decision:
        """Decide the decision's command again and return it with the resulting events.

        Nothing is appended. ``draw`` supplies the draws. Raises `IllegalMove` or `Refused`.
        """
        before = self.moments[-1] if self.moments else None
        outcome = self.decide(before, decision.seat, decision.command, draw, decision.at)
        again = replace(decision, events=outcome.events)
        self.branch()._append_outcome(again, outcome)
        return again

    def _append_outcome(self, decision: Decision, made: Outcome) -> None:
        before = self.moments[-1] if self.moments else None
        self._append_moment(decision, self.after(before, len(self.moments), decision, made))

    # -- deciding --------------------------------------------------------------------------

    def decide(
        self, before: Moment | None, seat: int | None, command: Any, draw: Draw, at: int = 0
    ) -> Outcome:
        """Return the outcome of a command at a moment of this timeline (None before the first).

        ``at``: the instant in milliseconds, used by clock and recovery commands and by the time
        check of an undo. Raises `Refused` or the game's `IllegalMove`.
        """
        if before is None:
            if not isinstance(command, commands.Open):
                raise Refused("no_such_match", "error.no_open")
            return seating.open_match(command)
        by_moment = _MOMENT_HANDLERS.get(type(command))
        if by_moment is not None:
            return by_moment(before, seat, command, at)
        handler: Callable[..., Outcome] = _HANDLERS.get(type(command), _play_move)
        made = handler(self, before, seat, command, draw)
        if handler is undo.undo_moves:
            clock_undo.check_time_left(self, before, made.events, at)
        return made


def _play_move(
    timeline: Timeline, before: Moment, seat: int | None, command: Any, draw: Draw
) -> Outcome:
    """Decide a command of the game; reveal the seed if it ends the game."""
    if before.status == "finished":
        raise Refused("match_over", "error.match_over")
    if before.status != "playing":
        raise Refused("not_started", "error.not_started")
    rules, opened = timeline.rules, before.opened
    if seat not in rules.to_act(before.state):
        raise NotYourTurn
    try:
        recorder = rules.decide(before.state, seat, command, draw, opened.rules_version)
    except IllegalMove as error:
        error.text_domain = opened.game
        raise
    over = rules.outcome(recorder.state) is not None
    end = (SeedRevealed(published_seed(rules, before.opened)),) if over else ()
    return Outcome((*recorder.events, *end), recorder.state, True)


def next_expiry(moment: Moment) -> tuple[int, int, Any] | None:
    """Return the next expiry, of a clock or a recovery request, as ``(instant, seat, command)``.

    None if no clock runs and no recovery request is open.
    """
    out, end = clocks.next_timeout(moment), recovery.next_end(moment)
    if end is not None and (out is None or end[0] <= out[0]):
        return end[0], end[1], commands.EndRecovery()
    return None if out is None else (out[0], out[1], commands.RunOut())


def _check_still_held(before: Moment, now: Moment, seat: int) -> None:
    """Raise `Refused` if, since ``before``, a person lost the seat or its player changed."""
    if before is now or not 0 <= seat < len(now.seats):
        return
    then, here = before.seats[seat], now.seats[seat]
    if then.kind == "human" and here.kind != "human":
        raise NotYourTurn
    if then.player != here.player:
        raise Refused("not_your_seat", "error.not_your_seat")


def is_meta(decision: Decision) -> bool:
    """Return whether a decision holds only chat, clock, vote or recovery events."""
    return all(type(event) in _META_OR_CHAT for event in decision.events)


_META_OR_CHAT = (Said, *META_EVENTS)


_HANDLERS: dict[type, Callable[..., Outcome]] = {
    commands.Start: seating.start_match,
    commands.Leave: seating.leave_seat,
    commands.Undo: undo.undo_moves,
    commands.Redo: undo.redo_moves,
}
_MOMENT_HANDLERS: dict[type, Callable[..., Outcome]] = {
    commands.Open: seating.reject_second_opening,
    commands.Join: seating.join_match,
    commands.Reclaim: seating.reclaim_seat,
    commands.AnswerReturn: seating.answer_return,
    commands.AnswerUndo: undo.answer_undo,
    commands.Say: seating.send_message,
    commands.RunOut: clocks.apply_timeout,
    commands.GoAway: clocks.start_vacation,
    commands.ComeBack: clocks.end_vacation,
    commands.Vote: votes.cast_vote,
    commands.RecoverSeat: recovery.recover_seat,
    commands.AskRecovery: recovery.ask_recovery,
    commands.AnswerRecovery: recovery.answer_recovery,
    commands.ObjectToRecovery: recovery.object_to_recovery,
    commands.EndRecovery: recovery.end_recovery,
}
"""Handlers that need neither the timeline nor draws."""
