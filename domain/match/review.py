"""Reviews: the steps of a match for a viewer, and the findings that a game derives from them.

Steps contain only views and redacted events, so findings cannot reveal anything hidden. Undone
moves are left out.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from domain.contract.registry import review_module
from domain.match.events import is_kernel
from domain.match.timeline import Timeline


class Step(Struct, frozen=True):
    """A game event as a viewer may see it, with the turn number and the view after it."""

    version: int
    turn: int
    event: Any
    view: dict[str, Any]


class Message(Struct, frozen=True):
    """A message id and its arguments."""

    key: str
    args: dict[str, Any] = {}


class Point(Struct, frozen=True):
    """The values of all seats at the end of a turn; ``version``: the last version of the turn."""

    turn: int
    version: int
    values: tuple[int, ...]


class Chart(Struct, frozen=True):
    """A chart over the turns with one line for each seat.

    ``scores``: whether the values are the scores of the game.
    """

    title: Message
    points: tuple[Point, ...]
    scores: bool = False


class Gain(Struct, frozen=True):
    """A change of a seat's score at a version, negative for a loss, with its reason."""

    seat: int
    version: int
    turn: int
    gain: int
    message: Message


class Highlight(Struct, frozen=True):
    """A notable moment of the match, with its description."""

    version: int
    message: Message


class Findings(Struct, frozen=True):
    """The findings of a review; ``own``: JSON values in a game-specific format.

    If there is a chart of scores, the ``gains`` of each seat add up to the difference between its
    first and last score.
    """

    charts: tuple[Chart, ...] = ()
    gains: tuple[Gain, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    own: dict[str, Any] = field(default_factory=dict)


def effective_events(
    timeline: Timeline, first: int = 1, last: int | None = None
) -> Iterator[tuple[int, Any, Any]]:
    """Yield ``(version, event, state after it)`` for the game events that count at ``last``.

    They are yielded oldest first, from version ``first`` on. ``last``: a version, None for the
    current one. Raises `Refused` if there is no such version.
    """
    upto = timeline.version if last is None else last
    line = [i for i in timeline.ancestry(timeline.at(upto)) if timeline.moments[i].version >= first]
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


def review_steps(
    timeline: Timeline, viewer: int | None, first: int = 1, last: int | None = None
) -> Iterator[Step]:
    """Yield the game events that count at version ``last`` as steps, redacted for the viewer.

    ``first``, ``last`` and errors are as in `effective_events`.
    """
    rules = timeline.rules
    for version, event, state in effective_events(timeline, first, last):
        shown = rules.redact(event, viewer)
        yield Step(version, rules.turn(state), shown, rules.view(state, viewer))


def compute_findings(timeline: Timeline, viewer: int | None) -> Findings | None:
    """Return the game's findings about the match so far.

    They are computed by ``review(steps)`` of the game's module ``review``. None if the game is not
    reviewable or has not begun.
    """
    module = review_module(timeline.latest.opened.game)
    if module is None or timeline.latest.state is None:
        return None
    found: Findings = module.review(review_steps(timeline, viewer))
    return found
