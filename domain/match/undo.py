"""Undo: the undo that is open to a seat at a moment, and the handlers of undo and redo."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.contract.game import AnyRules, Draw, IllegalMove
from domain.match import events
from domain.match.commands import AnswerUndo, Redo, Undo
from domain.match.history import Decision, Outcome
from domain.match.moment import Moment
from domain.match.seats import Refused

if TYPE_CHECKING:
    from domain.match.timeline import Timeline


class UndoKind(Struct, frozen=True):
    """The condition for an undo: ``kind`` (None if it is impossible), the reason and the target.

    ``reason``: a message id, with ``args``. ``to_version``: the target; None if the undo is
    impossible or takes back only a secret choice.
    """

    kind: events.UndoRight | None
    reason: str
    args: dict[str, Any] = {}
    to_version: int | None = None


def undo_kind(
    timeline: "Timeline", moment: Moment, seat: int | None, to_version: int | None
) -> UndoKind:
    """Return kind, reason and target of an undo by a seat at a moment.

    ``seat``: None for a spectator. ``to_version``: the target; None to undo the seat's choice that
    is still secret, or otherwise its latest decision.
    """
    if seat is None:
        return UndoKind(None, "why-no-seat")
    if moment.status != "playing":
        return UndoKind(None, "why-over" if moment.status == "finished" else "why-waiting")
    if to_version is None:
        if timeline.rules.take_back(moment.state, seat):
            return UndoKind("free", "why-secret")
        to_version = _version_before_own(timeline, moment, seat)
    if to_version is None:
        return UndoKind(None, "why-nothing")
    target = timeline.moments[timeline.index(to_version)]
    if target.status != "playing" or target.head == moment.head:
        return UndoKind(None, "why-nothing")
    kind, reason, args = _consent_needed(timeline, moment, seat, target)
    return UndoKind(kind, reason, args, target.version)


def turn_start(timeline: "Timeline", moment: Moment, seat: int) -> int | None:
    """Return the version before the seat's first decision in the latest turn in which it acted.

    None if the seat has no decision that counts.
    """
    start = turn = None
    for index in timeline.ancestry_from(moment.latest[seat]):
        decision = timeline.decisions[index]
        if decision.seat is None:  # the game's setup
            break
        before = timeline.moments[timeline.moments[index].parent]
        began = timeline.rules.turn(before.state)
        if turn is not None and began != turn:
            break
        if decision.seat == seat:
            turn = began
            start = before.version
    return start


def declined_at(timeline: "Timeline", seat: int, to_version: int | None) -> int | None:
    """Return when the others, since the last move, declined the seat's undo to a version.

    The instant is in milliseconds since 1970 UTC; None if they did not decline it. A proposal
    withdrawn by its own seat does not count.
    """
    answer: Decision | None = None
    for index in range(len(timeline.decisions) - 1, -1, -1):
        decision = timeline.decisions[index]
        match decision.events:
            case (events.UndoAnswered(accept=False),):
                answer = decision
            case (events.UndoProposed(seat=by, to_version=to),):
                others = answer is not None and answer.seat != by
                if answer is not None and others and (by, to) == (seat, to_version):
                    return answer.at
                answer = None
            case (events.Said(),) | (events.UndoAnswered(),):
                continue
            case (event,) if type(event) in events.META_EVENTS:
                continue
            case _:
                return None
    return None


def _version_before_own(timeline: "Timeline", moment: Moment, seat: int) -> int | None:
    """Return the version before the seat's latest decision that counts; None if it has none."""
    own = moment.latest[seat]
    return None if own < 0 else timeline.moments[timeline.moments[own].parent].version


def _consent_needed(
    timeline: "Timeline", moment: Moment, seat: int, target: Moment
) -> tuple[events.UndoRight, str, dict[str, Any]]:
    """Return kind, reason and the reason's arguments for an undo from ``moment`` to ``target``."""
    if len(moment.people()) <= 1:
        return "open", "why-open", {}
    undone, restored = timeline.diverging(moment, target)
    if restored:
        return "consent", "why-branch", {}
    for index in reversed(undone):
        decision = timeline.decisions[index]
        # A bot's moves for the seat are not the person's own, so undoing them needs consent.
        by_bot = timeline.moments[index].seats[seat].kind == "bot"
        if decision.seat != seat or by_bot:
            if not by_bot and _actor_is_public(timeline, decision):
                return "consent", "why-moved", {"who": decision.seat}
            return "consent", "why-others", {}
        if decision.draws:
            return "consent", "why-drawn", {}
        if _reveals_any(timeline.rules, decision.events):
            return "consent", "why-revealed", {}
    return "free", "why-free", {}


def _reveals_any(rules: AnyRules, emitted: Iterable[Any]) -> bool:
    return any(rules.reveals(event) for event in emitted if not events.is_kernel(event))


class _DrawRequested(Exception):
    """Raised by `_no_draw` when a command requests a draw."""


def _no_draw(_n: int) -> int:
    raise _DrawRequested


def is_final(
    rules: AnyRules, state: Any, seat: int, commands: Sequence[Any], version: int, alone: bool
) -> bool:
    """Return whether a sequence of legal commands would be final, that is, not undoable for free.

    It is final if it ends the game or, unless one person plays ``alone``, draws or reveals
    something hidden. With ``alone``, commands that draw are examined with the lowest and the
    highest numbers. ``version``: the rules version. Raises `IllegalMove` if a command before the
    first draw is not legal.
    """
    arguments = (rules, state, seat, commands, version, alone)
    try:
        return _is_final_with(_no_draw, *arguments)
    except _DrawRequested:
        return not alone or any(
            _is_final_if_legal(draw, *arguments) for draw in (_lowest_draw, _highest_draw)
        )


def _is_final_if_legal(draw: Draw, *arguments: Any) -> bool:
    """Return whether commands are final with these draws; False if they are not legal then."""
    try:
        return _is_final_with(draw, *arguments)
    except IllegalMove:
        return False


def _is_final_with(
    draw: Draw,
    rules: AnyRules,
    state: Any,
    seat: int,
    commands: Sequence[Any],
    version: int,
    alone: bool,
) -> bool:
    for command in commands:
        recorder = rules.decide(state, seat, command, draw, version)
        state = recorder.state
        if rules.outcome(state) is not None or (not alone and _reveals_any(rules, recorder.events)):
            return True
    return False


def _lowest_draw(_n: int) -> int:
    return 0


def _highest_draw(n: int) -> int:
    return n - 1


def _actor_is_public(timeline: "Timeline", decision: Decision) -> bool:
    """Return whether spectators can tell who acted, as they can read the reason of an undo."""
    shown = (timeline.redacted_for(event, None) for event in decision.events)
    return any(getattr(event, "seat", None) == decision.seat for event in shown)


# --- commands -----------------------------------------------------------------------------------


def undo_moves(
    timeline: "Timeline", before: Moment, seat: int | None, command: Undo, _draw: Draw
) -> Outcome:
    to = command.to_version
    if to is not None and not 1 <= to <= before.version:
        raise Refused("no_such_version", "error.no_such_version", last=before.version)
    found = undo_kind(timeline, before, seat, to)
    assert seat is not None
    if found.kind is None:
        raise Refused("nothing_to_undo", found.reason, **found.args)
    if found.reason == "why-secret":
        return Outcome(tuple(timeline.rules.take_back(before.state, seat)))
    assert found.to_version is not None
    if found.kind == "consent":
        if before.proposal is not None:
            raise Refused("proposal_open", "error.proposal_open")
        return Outcome((events.UndoProposed(seat, found.to_version, found.reason, found.args),))
    return Outcome((events.MovesUndone(seat, found.to_version, found.kind),))


def answer_undo(before: Moment, seat: int | None, command: AnswerUndo, _at: int) -> Outcome:
    proposal = before.proposal
    if proposal is None:
        raise Refused("no_proposal", "error.no_proposal")
    assert seat is not None
    mine = before.seats[seat].player == before.seats[proposal.seat].player
    if command.accept and mine:
        raise Refused("own_proposal", "error.own_proposal")
    answered = events.UndoAnswered(seat, command.accept)
    if not command.accept:
        return Outcome((answered,))
    asked = before.people() - {before.seats[proposal.seat].player}
    if asked - {*proposal.accepted, before.seats[seat].player}:
        return Outcome((answered,))
    return Outcome((answered, events.MovesUndone(proposal.seat, proposal.to_version, "consent")))


def redo_moves(
    timeline: "Timeline", before: Moment, seat: int | None, _command: Redo, _draw: Draw
) -> Outcome:
    if before.status != "playing" or not before.redo:
        raise Refused("nothing_to_redo", "error.nothing_to_redo")
    assert seat is not None
    if before.seats[seat].player != before.seats[before.redo.seat].player:
        raise Refused("not_your_undo", "error.not_your_undo")
    return Outcome((events.MovesRedone(seat, timeline.moments[before.redo.index].version),))
