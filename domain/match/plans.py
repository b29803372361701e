"""Plans: conditional moves that a seat prepares in advance, to be played after others have moved.

A plan is matched against events as redacted for its own seat, so it cannot depend on anything that
the seat does not know. It applies once, the next time the seat is to act.
"""

from typing import Any, Literal

from msgspec import Struct, to_builtins

from domain.contract.bots import bots_of
from domain.contract.game import pick_any
from domain.match.deadlines import phase_deadline, seat_deadlines
from domain.match.events import is_kernel
from domain.match.timeline import Timeline, is_meta
from domain.toolkit.randomness import draws_from_seed

EARLY_MS = 3_000
"""How long before the end of its seat's time a plan is played, in milliseconds."""
_MAX_SIMULATED_MOVES = 600
"""Maximum number of moves simulated by `possible_state`."""


class EventPattern(Struct, frozen=True):
    """A condition on a game event.

    ``type``: the event's type; ``seat``: its seat, None for any; ``data``: required values of
    fields; other fields may have any value.
    """

    type: str
    seat: int | None = None
    data: dict[str, Any] = {}


class Branch(Struct, frozen=True):
    """Commands to play if events match all conditions in order; other events may come in between.

    ``told_when`` and ``told``: the texts of the conditions and of the commands as the player saw
    them, for display only.
    """

    when: tuple[EventPattern, ...]
    commands: tuple[dict[str, Any], ...]
    told_when: str = ""
    told: str = ""


class Plan(Struct, frozen=True):
    """Branches, the first matching one of which is played.

    A branch without conditions always matches.
    """

    branches: tuple[Branch, ...]


PlanStatus = Literal["waits", "spent", "misfit"]
"""Status of a plan that cannot be played now: "waits" until others have moved, the seat is to act
and no undo is proposed; "spent" because the seat has acted since or the match is not running;
"misfit" because no branch matches or moves before the plan were undone."""


def matching_branch(timeline: Timeline, seat: int, since: int, plan: Plan) -> Branch | PlanStatus:
    """Return the branch to play now of a plan made at version ``since``, or the plan's status."""
    now = timeline.latest
    base = timeline.index(since)
    if now.status != "playing" or now.latest[seat] > base:
        return "spent"
    fresh = _decisions_since(timeline, timeline.moments[base].head)
    if fresh is None:
        return "misfit"
    others = [index for index in fresh if timeline.decisions[index].seat != seat]
    if not others or seat not in timeline.to_act(now) or now.proposal is not None:
        return "waits"
    seen = [
        _as_json_values(to_builtins(timeline.redacted_for(event, seat)))
        for index in others
        for event in timeline.decisions[index].events
        if not is_kernel(event)
    ]
    return next((branch for branch in plan.branches if _conditions_met(branch, seen)), "misfit")


def ready_at(timeline: Timeline, seat: int, grace_ms: int) -> int:
    """Return when a seat's plan may be played, in milliseconds since 1970 UTC.

    That is ``grace_ms`` milliseconds after the latest decision, or `EARLY_MS` before the deadline
    of the seat or the phase if that is earlier. Decisions that hold only chat, clock, vote or
    recovery events do not count, so chatting cannot delay a plan.
    """
    # Read backwards one by one, as old decisions may have to be loaded from the log.
    latest = (timeline.decisions[-back] for back in range(1, len(timeline.decisions) + 1))
    steps = (decision for decision in latest if not is_meta(decision))
    limits = (seat_deadlines(timeline)[seat], phase_deadline(timeline))
    ends = [at - EARLY_MS for at in limits if at is not None]
    return min([next(steps).at + grace_ms, *ends])


def possible_state(timeline: Timeline, seat: int) -> Any:
    """Return a possible state in which the seat is to act next; None if none is found.

    It is simulated from the seat's information state with draws from the public commitment, so it
    is the same for any two matches that the seat cannot tell apart and reveals nothing.
    """
    now, rules = timeline.latest, timeline.rules
    bots = bots_of(now.opened.game)
    draw = draws_from_seed(now.opened.commitment, timeline.version)
    state = bots.determinise(bots.observe(now.state, seat), seat, draw)
    for _ in range(_MAX_SIMULATED_MOVES):
        acting = rules.to_act(state)
        if seat in acting:
            return state
        if not acting:
            return None
        other = acting[0]
        command = pick_any(rules.choices(state, other), draw)
        state = rules.decide(state, other, command, draw, now.opened.rules_version).state
    return None


def _decisions_since(timeline: Timeline, head: int) -> list[int] | None:
    """Return the indexes of the game decisions that count and follow ``head``, oldest first.

    None if the decision ``head`` itself was undone.
    """
    found: list[int] = []
    for index in timeline.ancestry(timeline.latest):
        if index <= head:
            return found[::-1] if index == head else None
        found.append(index)
    return found[::-1] if head < 0 else None


def _conditions_met(branch: Branch, seen: list[dict[str, Any]]) -> bool:
    left = iter(seen)
    return all(any(_matches_pattern(wanted, event) for event in left) for wanted in branch.when)


def _matches_pattern(wanted: EventPattern, event: dict[str, Any]) -> bool:
    if event["type"] != wanted.type or wanted.seat not in (None, event.get("seat")):
        return False
    nothing = object()
    return all(
        event.get(name, nothing) == value for name, value in _as_json_values(wanted.data).items()
    )


def _as_json_values(value: Any) -> Any:
    """Return a value as it appears in JSON: tuples become lists and keys strings."""
    if isinstance(value, dict):
        return {str(name): _as_json_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json_values(each) for each in value]
    return value
