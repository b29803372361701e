"""Pairs of matches that differ only in what one viewer may not know.

The second match is made from a whole match: the secret decisions that other seats have made since
something was last revealed are replaced by other ones. Everything the viewer is sent must be the
same in both. Where the rules deal in secret, the deal itself is replaced.
"""

import random
from typing import Any

from msgspec.structs import replace

from domain.contract.game import Draw
from domain.match.commands import COMMANDS
from domain.match.events import is_kernel
from domain.match.history import Decision
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed


def is_secret(timeline: Timeline, decision: Decision, viewer: int | None) -> bool:
    """Return whether the decision holds something that the viewer may not see."""
    return any(
        not is_kernel(event) and timeline.rules.redact(event, viewer) != event
        for event in decision.events
    )


def _tail(timeline: Timeline) -> int:
    """Return the index of the first decision after the last one that revealed or drew something."""
    for index in range(len(timeline.decisions) - 1, -1, -1):
        decision = timeline.decisions[index]
        game_events = [event for event in decision.events if not is_kernel(event)]
        if decision.draws or any(map(timeline.rules.reveals, game_events)):
            return index + 1
        if len(game_events) != len(decision.events):
            return index + 1
    return 0


def _branch_before(timeline: Timeline, index: int) -> Timeline:
    """Return a branch with the decisions before the one with this index."""
    if index == len(timeline.decisions):
        return timeline.branch()
    return timeline.branch_until(timeline.decisions[index].version - 1)


def other_world(
    timeline: Timeline, viewer: int | None, rng: random.Random
) -> tuple[Timeline, int] | None:
    """Return a second timeline and the number of different decisions, or None if nothing secret can
    differ."""
    chosen = _rechosen_world(timeline, viewer, rng)
    dealt = None if chosen else _redealt_world(timeline, viewer, rng)
    return (dealt, 1) if dealt else chosen


def _rechosen_world(
    timeline: Timeline, viewer: int | None, rng: random.Random
) -> tuple[Timeline, int] | None:
    start = _tail(timeline)
    world = _branch_before(timeline, start)
    changed = 0
    for decision in timeline.decisions.tail(start):
        made = _again(world, decision, viewer, rng)
        if made is None:
            return None
        changed += made.command != decision.command
        world.append(made)
    return (world, changed) if changed else None


def _again(
    world: Timeline, decision: Decision, viewer: int | None, rng: random.Random
) -> Decision | None:
    """Return the decision for the second match: with another secret if it holds one, else
    unchanged."""
    seat = decision.seat
    if seat is None or type(decision.command) in COMMANDS:
        return None
    choices = world.rules.choices(world.latest.state, seat)
    if seat != viewer and is_secret(world, decision, viewer):
        like = [c for c in choices if type(c) is type(decision.command)]
        rng.shuffle(like)
    else:
        like = [c for c in choices if c == decision.command]
    for command in like:
        (made,) = world.act(seat, [command], decision.at, draws_from_seed)
        if not made.draws and not any(map(world.rules.reveals, made.events)):
            return replace(made, at=decision.at)
    return None


LATELY = 12
"""So many decisions after a hidden deal it is still dealt again."""
TRIES = 40


def _redealt_world(timeline: Timeline, viewer: int | None, rng: random.Random) -> Timeline | None:
    """Return a second timeline in which the latest deal hidden from the viewer is replaced.

    Every decision since looks the same to the viewer. None if no such match is found.
    """
    last = len(timeline.decisions)
    for start in range(last - 1, max(0, last - LATELY), -1):
        decision = timeline.decisions[start]
        if decision.draws and is_secret(timeline, decision, viewer):
            worlds = (_redealt(timeline, start, viewer, rng) for _ in range(TRIES))
            return next((world for world in worlds if world is not None), None)
    return None


def _redealt(
    timeline: Timeline, start: int, viewer: int | None, rng: random.Random
) -> Timeline | None:
    world = _branch_before(timeline, start)
    for decision in timeline.decisions.tail(start):
        made = _alike(world, decision, viewer, rng, decision is timeline.decisions[start])
        if made is None:
            return None
        world.append(made)
    return world


def _alike(
    world: Timeline, decision: Decision, viewer: int | None, rng: random.Random, other: bool
) -> Decision | None:
    """Return a decision that looks like the given one, with other draws or another choice if
    needed."""
    seat = decision.seat
    if seat is None or type(decision.command) in COMMANDS:
        return None
    choices = world.rules.choices(world.latest.state, seat)
    like = [c for c in choices if type(c) is type(decision.command)]
    like.sort(key=lambda command: command != decision.command)
    shown = [world.rules.redact(event, viewer) for event in decision.events if not is_kernel(event)]
    for turn in range(TRIES if decision.draws else 1):
        recorded = turn == 0 and not other
        for command in like:
            draw = _recorded(decision) if recorded else rng.randrange
            (made,) = world.act(seat, [command], decision.at, lambda _seed, _first, d=draw: d)
            seen = [world.rules.redact(e, viewer) for e in made.events if not is_kernel(e)]
            if seen == shown and (not other or made.events != decision.events):
                return replace(made, at=decision.at)
    return None


def _recorded(decision: Decision) -> Draw:
    """Return a draw that repeats the numbers of the decision, whatever range is asked for."""
    values = iter([value for _, value in decision.draws])
    return lambda n: min(next(values, 0), n - 1)


def _offered(timeline: Timeline, seat: int) -> list[Any]:
    rules, state = timeline.rules, timeline.latest.state
    return [(each, rules.label(state, seat, each)) for each in rules.choices(state, seat)]


def sent_to(timeline: Timeline, viewer: int | None) -> list[Any]:
    """Return the domain's part of everything a viewer is sent: views, choices, events, texts,
    undo."""
    rules = timeline.rules
    state = timeline.latest.state
    events = [
        event if is_kernel(event) else rules.redact(event, viewer)
        for decision in timeline.decisions
        for event in decision.events
    ]
    return [
        rules.view(state, viewer),
        timeline.version,
        timeline.to_act(timeline.latest),
        rules.turn(state),
        rules.outcome(state),
        _offered(timeline, viewer) if viewer is not None else [],
        [[type(event).__name__, event] for event in events],
        [rules.tell(event) for event in events if not is_kernel(event)],
        timeline.undo_kind(viewer),
    ]
