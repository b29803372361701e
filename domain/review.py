"""A match gone through step by step, and what there is to say of it afterwards.

Steps hold views and redacted events only, so what is made of them shows nothing hidden. Undone
moves do not count.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from domain.match import Timeline, is_kernel
from domain.register import review_of


class Step(Struct, frozen=True):
    """A game event as a viewer may see it, with the turn and the view after it."""

    version: int
    turn: int
    event: Any
    view: dict[str, Any]


class Words(Struct, frozen=True):
    """A key of the review module's ``TEXT`` and its arguments."""

    key: str
    args: dict[str, Any] = {}


class Point(Struct, frozen=True):
    """The values of all seats when a turn was over; ``version``: the last one of the turn."""

    turn: int
    version: int
    values: tuple[int, ...]


class Chart(Struct, frozen=True):
    """A line for each seat over the turns. ``scores``: the values are what is won by."""

    title: Words
    points: tuple[Point, ...]
    scores: bool = False


class Gain(Struct, frozen=True):
    """What a seat's score grew by (or shrank, below 0) at a version, and how that came."""

    seat: int
    version: int
    turn: int
    gain: int
    words: Words


class Highlight(Struct, frozen=True):
    """A moment worth looking at again."""

    version: int
    words: Words


class Findings(Struct, frozen=True):
    """What a game has to say of a match. ``own`` is the game's, as JSON values.

    With a chart of scores, ``gains`` lead each seat from its first score to its last.
    """

    charts: tuple[Chart, ...] = ()
    gains: tuple[Gain, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    own: dict[str, Any] = field(default_factory=dict)


def counted(
    timeline: Timeline, first: int = 1, last: int | None = None
) -> Iterator[tuple[int, Any, Any]]:
    """``(version, event, state after it)`` of the game events that still count at ``last``.

    Only those from version ``first`` on, oldest first. `Refused` when there is no version
    ``last``.
    """
    upto = timeline.version if last is None else last
    line = [i for i in timeline.line(timeline.at(upto)) if timeline.moments[i].version >= first]
    for index in reversed(line):
        decision = timeline.decisions[index]
        parent = timeline.moments[index].parent
        state = timeline.moments[parent].state if parent >= 0 else None
        for version, event in enumerate(decision.events, start=decision.version):
            if version > upto:
                return
            if is_kernel(event):
                continue
            state = timeline.rules.evolve(state, event)
            if version >= first:
                yield version, event, state


def steps(
    timeline: Timeline, viewer: int | None, first: int = 1, last: int | None = None
) -> Iterator[Step]:
    """The game events that still count at version ``last``, as the viewer may see them."""
    rules = timeline.rules
    for version, event, state in counted(timeline, first, last):
        shown = rules.redact(event, viewer)
        yield Step(version, rules.turn(state), shown, rules.view(state, viewer))


def review(timeline: Timeline, viewer: int | None) -> Findings | None:
    """What the game has to say of the match so far; None for a game that is not reviewable.

    A game's review is the function ``review(steps)`` of its module of that name.
    """
    module = review_of(timeline.now.opened.game)
    if module is None or timeline.now.state is None:
        return None
    found: Findings = module.review(steps(timeline, viewer))
    return found
