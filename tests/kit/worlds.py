"""Two worlds that differ only in what one viewer may not know.

The second world is made from a whole match: the secret decisions that other seats have made since
something was last revealed are made again in another way. Whatever the viewer is sent must be the
same in both.
"""

import random
from typing import Any

from msgspec.structs import replace

from domain.match import Decision, Timeline, is_kernel


def is_secret(timeline: Timeline, decision: Decision, viewer: int | None) -> bool:
    """Whether the decision holds something that the viewer may not see."""
    return any(
        not is_kernel(event) and timeline.rules.redact(event, viewer) != event
        for event in decision.events
    )


def _tail(timeline: Timeline) -> int:
    """Index of the first decision after the last one that revealed or drew something."""
    for index in range(len(timeline.decisions) - 1, -1, -1):
        decision = timeline.decisions[index]
        game_events = [event for event in decision.events if not is_kernel(event)]
        if decision.draws or any(map(timeline.rules.reveals, game_events)):
            return index + 1
        if len(game_events) != len(decision.events):
            return index + 1
    return 0


def other_world(
    timeline: Timeline, viewer: int | None, rng: random.Random
) -> tuple[Timeline, int] | None:
    """A second timeline and how many decisions differ; None when nothing secret can differ."""
    start = _tail(timeline)
    world = Timeline(timeline.rules, timeline.decisions[:start])
    changed = 0
    for decision in timeline.decisions[start:]:
        made = _again(world, decision, viewer, rng)
        if made is None:
            return None
        changed += made.command != decision.command
        world.append(made)
    return (world, changed) if changed else None


def _again(
    world: Timeline, decision: Decision, viewer: int | None, rng: random.Random
) -> Decision | None:
    """The decision in the other world: another secret where it is one, else the same."""
    seat = decision.seat
    if seat is None or type(decision.command).__module__ == "domain.match":
        return None
    choices = [choice.command for choice in world.rules.choices(world.now.state, seat)]
    if seat != viewer and is_secret(world, decision, viewer):
        like = [c for c in choices if type(c) is type(decision.command)]
        rng.shuffle(like)
    else:
        like = [c for c in choices if c == decision.command]
    for command in like:
        (made,) = world.act(seat, [command], decision.at)
        if not made.draws and not any(map(world.rules.reveals, made.events)):
            return replace(made, at=decision.at)
    return None


def sent_to(timeline: Timeline, viewer: int | None) -> list[Any]:
    """The domain's part of all that a viewer is sent: views, choices, events, words, undo."""
    rules = timeline.rules
    state = timeline.now.state
    events = [
        event if is_kernel(event) else rules.redact(event, viewer)
        for decision in timeline.decisions
        for event in decision.events
    ]
    return [
        rules.view(state, viewer),
        timeline.version,
        timeline.to_act(timeline.now),
        rules.turn(state),
        rules.outcome(state),
        rules.choices(state, viewer) if viewer is not None else [],
        [[type(event).__name__, event] for event in events],
        [rules.tell(event) for event in events if not is_kernel(event)],
        timeline.undo_kind(viewer),
    ]
