"""Conditional moves: what a seat will do when others have moved, laid down beforehand.

A plan is held against what happened as its own seat was shown it, so it can depend on nothing that
the seat does not know. It counts for the next time the seat is asked to act, and once.
"""

from typing import Any, Literal

from msgspec import Struct, to_builtins

from domain.bots import bots_of
from domain.deadlines import deadline_of, ends_of
from domain.draws import seeded
from domain.game import pick_any
from domain.match import Timeline, is_beside_the_game, is_kernel

EARLY = 3_000
"""Milliseconds that a plan is played before the time of its seat is over."""
_FAR = 600
"""Moves that are looked ahead at most."""


class Seen(Struct, frozen=True):
    """Something that happens: an event of the game of this ``type``, of this ``seat`` unless that
    is None, whose fields have these values; those that are not named may have any."""

    type: str
    seat: int | None = None
    data: dict[str, Any] = {}


class Branch(Struct, frozen=True):
    """If all of this happens, in this order and whatever else besides, then these commands.

    ``told_when`` and ``told``: how its person was shown what happens and what follows, in words;
    nothing depends on them."""

    when: tuple[Seen, ...]
    commands: tuple[dict[str, Any], ...]
    told_when: str = ""
    told: str = ""


class Plan(Struct, frozen=True):
    """The first branch that fits is played; one without conditions fits always."""

    branches: tuple[Branch, ...]


Standing = Literal["waits", "spent", "misfit"]
"""It is not its time yet; the seat has acted or is to act no more; something else happened."""


def fitting(timeline: Timeline, seat: int, since: int, plan: Plan) -> Branch | Standing:
    """The branch to play now, or how it stands with a plan that was laid at version ``since``."""
    now = timeline.now
    base = timeline.index(since)
    if now.status != "playing" or now.latest[seat] > base:
        return "spent"
    fresh = _since(timeline, timeline.moments[base].head)
    if fresh is None:
        return "misfit"
    others = [index for index in fresh if timeline.decisions[index].seat != seat]
    if not others or seat not in timeline.to_act(now) or now.proposal is not None:
        return "waits"
    seen = [
        _as_sent(to_builtins(timeline.shown(event, seat)))
        for index in others
        for event in timeline.decisions[index].events
        if not is_kernel(event)
    ]
    return next((branch for branch in plan.branches if _happened(branch, seen)), "misfit")


def ripe_at(timeline: Timeline, seat: int, grace: int) -> int:
    """When a plan of a seat may be played, in milliseconds since 1970 UTC: so many after the latest
    step of the game, and in time where the seat's own would be over before. Words and clocks are
    no steps: nobody holds up a plan by talking."""
    # One by one from the end: those of long ago may be in the log only.
    latest = (timeline.decisions[-back] for back in range(1, len(timeline.decisions) + 1))
    steps = (decision for decision in latest if not is_beside_the_game(decision))
    limits = (ends_of(timeline)[seat], deadline_of(timeline))
    ends = [at - EARLY for at in limits if at is not None]
    return min([next(steps).at + grace, *ends])


def imagined(timeline: Timeline, seat: int) -> Any:
    """A state that could be when the seat is asked to act next, or None.

    It is made of what the seat knows and of chance that everybody could repeat: where the seat
    cannot tell two matches apart, it is the same for both.
    """
    now, rules = timeline.now, timeline.rules
    bots = bots_of(now.opened.game)
    draw = seeded(now.opened.commitment, timeline.version)
    state = bots.determinise(bots.observe(now.state, seat), seat, draw)
    for _ in range(_FAR):
        acting = rules.to_act(state)
        if seat in acting:
            return state
        if not acting:
            return None
        other = acting[0]
        command = pick_any(rules.choices(state, other), draw)
        state = rules.decide(state, other, command, draw, now.opened.rules_version).state
    return None


def _since(timeline: Timeline, head: int) -> list[int] | None:
    """Indexes of the decisions that count and came after a head; None when that one counts no
    more: somebody went back behind it."""
    found: list[int] = []
    for index in timeline.line(timeline.now):
        if index <= head:
            return found[::-1] if index == head else None
        found.append(index)
    return found[::-1] if head < 0 else None


def _happened(branch: Branch, seen: list[dict[str, Any]]) -> bool:
    left = iter(seen)
    return all(any(_is(wanted, event) for event in left) for wanted in branch.when)


def _is(wanted: Seen, event: dict[str, Any]) -> bool:
    if event["type"] != wanted.type or wanted.seat not in (None, event.get("seat")):
        return False
    nothing = object()
    return all(event.get(name, nothing) == value for name, value in _as_sent(wanted.data).items())


def _as_sent(value: Any) -> Any:
    """Plain values as they come out of JSON, where a tuple is a list: plans are made of those."""
    if isinstance(value, dict):
        return {str(name): _as_sent(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_sent(each) for each in value]
    return value
