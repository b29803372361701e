"""A match gone through step by step, and what there is to say of it afterwards.

Steps hold views and redacted events only, so what is made of them shows nothing hidden. Undone
moves do not count.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from msgspec import Struct

from domain.match import Timeline, is_kernel
from domain.register import TITLES


class Step(Struct, frozen=True):
    """A game event as a viewer may see it, with the turn and the view after it."""

    version: int
    turn: int
    event: Any
    view: dict[str, Any]


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


def review(timeline: Timeline, viewer: int | None) -> dict[str, Any] | None:
    """What the game has to say of the match so far; None for a game that has no review.

    A game's review is the function ``review(steps)`` of the module its title names.
    """
    module = TITLES[timeline.now.opened.game].review
    if not module or timeline.now.state is None:
        return None
    found: dict[str, Any] = import_module(module).review(steps(timeline, viewer))
    return found
