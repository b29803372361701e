"""Responses with the events of a match, redacted for the viewer."""

from typing import Any, TypeAlias

from msgspec import UNSET, to_builtins

from domain.match.events import (
    WITHHELD,
    MovesRedone,
    MovesUndone,
    Said,
    TimeRanOut,
    Voted,
    is_kernel,
)
from domain.match.messages import tell
from domain.match.moment import Moment
from domain.match.timeline import Timeline
from domain.presentation import schemas
from domain.presentation.viewpoint import Viewer

Message: TypeAlias = tuple[str, str, dict[str, Any]]
"""Text domain, id and arguments of a message."""


def event_answers(viewer: Viewer, after: int) -> list[schemas.EventAnswer]:
    """Return the events after version ``after``, redacted for the viewer."""
    timeline = viewer.timeline
    first = timeline.index(after) + 1
    undone = timeline.undone_indexes(first)
    answers = []
    for index in range(first, len(timeline.decisions)):
        decision = timeline.decisions[index]
        at = viewer.timestamp(decision.at)
        turns = _turns(timeline, index)
        for version, event in enumerate(decision.events, start=decision.version):
            if version > after:
                turn = turns[version - decision.version]
                is_undone = index in undone
                answers.append(_event_answer(viewer, event, version, at, is_undone, turn, index))
    return answers


def _turns(timeline: Timeline, index: int) -> list[int]:
    """Return the turn number after each event of a decision."""
    rules = timeline.rules
    events = timeline.decisions[index].events
    state = timeline.moments[index - 1].state if index else None
    after = timeline.moments[index].state
    turn = rules.turn(state) if state is not None else 0
    last = rules.turn(after) if after is not None else 0
    if turn == last:
        return [last] * len(events)
    turns = []
    for event in events:
        if isinstance(event, MovesUndone | MovesRedone):
            turn = last
        elif not is_kernel(event):
            state = rules.evolve(state, event)
            turn = rules.turn(state)
        turns.append(turn)
    return turns


def _event_answer(
    viewer: Viewer, event: Any, version: int, at: str, undone: bool, turn: int, decision: int
) -> schemas.EventAnswer:
    silent = isinstance(event, Said) and _is_muted(viewer, event, viewer.timeline.moments[decision])
    shown = (
        WITHHELD
        if silent
        else viewer.timeline.redacted_for(
            event, viewer.seat_at(version), viewer.private_seats, decision, viewer.player
        )
    )
    data = to_builtins(shown)
    if is_kernel(event):
        data = _without_ids(data)
    message = _message_of(viewer, shown)
    text, own, public = "", None, ""
    if not silent:
        text, own, public = _texts(viewer, event, shown, message, decision)
    kind = data.pop("type")
    seat = data.get("seat")
    return schemas.EventAnswer(
        version=version,
        type=kind,
        seat=seat if isinstance(seat, int) else None,
        at=at,
        data=data,
        text=text,
        key=message[1],
        args=message[2],
        undone=undone,
        turn=turn,
        decision=decision,
        public=public if public != text else UNSET,
        own=UNSET if own is None else own,
    )


def _texts(
    viewer: Viewer, event: Any, shown: Any, message: Message, decision: int
) -> tuple[str, str | None, str]:
    """Return the texts of an event: for the viewer, addressed to the viewer, and for everybody.

    Seats are named as at that moment, so that a later player of a seat does not appear as the
    author of earlier messages; a vote or the end of the time as before it, because it may have
    given the seat to a bot.
    """
    timeline = viewer.timeline
    is_named_before = isinstance(event, Voted | TimeRanOut)
    named = timeline.moments[decision - 1 if is_named_before else decision]
    text = public = viewer.translate(*message, named)
    if (for_all := timeline.redacted_for(event, None)) != shown:
        redacted = _message_of(viewer, for_all)
        public = viewer.address(*redacted, named) or viewer.translate(*redacted, named)
    return text, viewer.address(*message, named), public


def _is_muted(viewer: Viewer, said: Said, then: Moment) -> bool:
    """Return whether the viewer has muted the player who held the author's seat at ``then``."""
    return said.seat is not None and then.seats[said.seat].player in viewer.muted


def _message_of(viewer: Viewer, shown: Any) -> Message:
    """Return the message for a redacted event."""
    if is_kernel(shown):
        return "kernel", *tell(shown)
    return viewer.timeline.latest.opened.game, *viewer.timeline.rules.tell(shown)


def _without_ids(data: dict[str, Any]) -> dict[str, Any]:
    """Remove player ids, and seeds if it is a `MatchOpened`, from a kernel event in place."""
    for field in ("owner", "player"):
        data.pop(field, None)
    if data["type"] == "MatchOpened":
        data.pop("seed", None)
        data.pop("deal_seed", None)
    for seat in data.get("seats", ()):
        seat.pop("player", None)
    return data
