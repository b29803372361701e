"""What happened in a match, as somebody may see it."""

from typing import Any

from msgspec import UNSET, to_builtins

from domain import match as kernel
from domain.answers import shapes
from domain.answers.viewing import Viewer
from domain.match import WITHHELD, MovesRedone, MovesUndone, Said, Timeline, is_kernel


def event_answers(viewer: Viewer, after: int) -> list[shapes.EventAnswer]:
    """What happened later than version ``after``, as the caller may see it."""
    timeline = viewer.timeline
    first = timeline.index(after) + 1
    undone = timeline.undone(first)
    answers = []
    for index in range(first, len(timeline.decisions)):
        decision = timeline.decisions[index]
        at = viewer.timestamp(decision.at)
        turns = _turns(timeline, index)
        for version, event in enumerate(decision.events, start=decision.version):
            if version > after:
                turn = turns[version - decision.version]
                gone = index in undone
                answers.append(_event_answer(viewer, event, version, at, gone, turn, index))
    return answers


def _turns(timeline: Timeline, index: int) -> list[int]:
    """The number of the turn after each event of a decision."""
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
) -> shapes.EventAnswer:
    timeline = viewer.timeline
    shown = timeline.shown(event, viewer.seat, viewer.hears)
    silent = isinstance(event, Said) and event.seat in viewer.muted
    if silent:
        shown = WITHHELD
    data = to_builtins(shown)
    if is_kernel(event):
        data = _without_ids(data)
    key, args, text = _told(viewer, shown)
    public = text
    if silent:
        text = public = ""
    elif (for_all := timeline.shown(event, None)) is not shown:
        public = _told(viewer, for_all)[2]
    kind = data.pop("type")
    seat = data.get("seat")
    return shapes.EventAnswer(
        version=version,
        type=kind,
        seat=seat if isinstance(seat, int) else None,
        at=at,
        data=data,
        text=text,
        key=key,
        args=args,
        undone=undone,
        turn=turn,
        decision=decision,
        public=public if public != text else UNSET,
    )


def _told(viewer: Viewer, shown: Any) -> tuple[str, dict[str, Any], str]:
    """An event in words, as somebody may see it: key, arguments and the sentence."""
    rules = viewer.timeline.rules
    if is_kernel(shown):
        key, args = kernel.tell(shown)
        return key, args, viewer.told("kernel", kernel.TEXT, key, args)
    key, args = rules.tell(shown)
    return key, args, viewer.told(viewer.timeline.now.opened.game, rules.TEXT, key, args)


def _without_ids(data: dict[str, Any]) -> dict[str, Any]:
    """A kernel event without player ids; the seeds of the first event are not shown either."""
    for field in ("owner", "player"):
        data.pop(field, None)
    if data["type"] == "MatchOpened":
        data.pop("seed", None)
        data.pop("deal_seed", None)
    for seat in data.get("seats", ()):
        seat.pop("player", None)
    return data
