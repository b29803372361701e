"""Plans: conditional moves that a seat prepares for after the others have moved.

A plan is matched against events as redacted for its own seat, so it cannot depend on anything the
seat does not know. It applies once, the next time the seat is to act.
"""

from typing import Any, Literal

from msgspec import Struct, to_builtins

from domain.contract.bots import bots_of
from domain.contract.game import pick_any
from domain.match import Timeline, is_beside_the_game, is_kernel
from domain.match.deadlines import deadline_of, ends_of
from domain.toolkit.randomness import seeded

EARLY = 3_000
"""Milliseconds by which a plan is played before its seat's time is over."""
_FAR = 600
"""Maximum number of moves simulated by `imagined`."""


class Seen(Struct, frozen=True):
    """A condition on a game event.

    ``type``: the event's type; ``seat``: its seat, None for any; ``data``: values of fields; fields
    not named may have any value.
    """

    type: str
    seat: int | None = None
    data: dict[str, Any] = {}


class Branch(Struct, frozen=True):
    """Commands to play if all conditions occur in this order, with any other events in between.

    ``told_when`` and ``told``: the texts of conditions and commands as the player saw them; for
    display only.
    """

    when: tuple[Seen, ...]
    commands: tuple[dict[str, Any], ...]
    told_when: str = ""
    told: str = ""


class Plan(Struct, frozen=True):
    """Branches, of which the first match is played; one without conditions always matches."""

    branches: tuple[Branch, ...]


Standing = Literal["waits", "spent", "misfit"]
"""Status of a plan that cannot be played now: "waits" until the seat is to act; "spent" as the seat
has acted since or the match is not running; "misfit" as something else has happened."""


def fitting(timeline: Timeline, seat: int, since: int, plan: Plan) -> Branch | Standing:
    """Return the branch to play now, or the status of a plan made at version ``since``."""
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
    """Return when a plan of a seat may be played, in milliseconds since 1970 UTC.

    It is ``grace`` milliseconds after the latest decision of the game, or `EARLY` before the seat's
    or the phase's deadline if that is earlier. Chat and clock events do not count, so that nobody
    can delay a plan by chatting.
    """
    # Read backwards one by one: old decisions may have to be loaded from the log.
    latest = (timeline.decisions[-back] for back in range(1, len(timeline.decisions) + 1))
    steps = (decision for decision in latest if not is_beside_the_game(decision))
    limits = (ends_of(timeline)[seat], deadline_of(timeline))
    ends = [at - EARLY for at in limits if at is not None]
    return min([next(steps).at + grace, *ends])


def imagined(timeline: Timeline, seat: int) -> Any:
    """Return a possible state in which the seat is to act next; None if none is found.

    It is simulated from the seat's information state with draws from a public seed, so it is the
    same for any two matches that the seat cannot tell apart, and reveals nothing.
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
    """Return the indexes of decisions that count and came after ``head``, oldest first.

    None if ``head`` itself was undone.
    """
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
    """Return plain values as JSON has them, tuples as lists and keys as strings."""
    if isinstance(value, dict):
        return {str(name): _as_sent(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_sent(each) for each in value]
    return value
