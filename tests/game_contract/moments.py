"""Moments of a game's recorded matches that together show everything that can be displayed."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from domain.contract.registry import TITLES
from domain.match.moment import Moment
from domain.match.timeline import Timeline
from tests.game_contract.recorded_matches import FOLDER, timeline_of

Kind = tuple[str, str]
"""Where something stands in a view, and what it is; or a choice, by its words."""
Place = tuple[Path, int]
"""A kept match and a version of it."""
_NAMES = 24
"""What a place of the view can say of more than these are names, such as those of cities."""


@cache
def telling(slug: str, seats: int | None = None) -> tuple[Place, ...]:
    """Return an approximately minimal set of moments, richest first, that cover steps, cards,
    choices and texts.

    ``seats``: use only matches with this many seats, without options.
    """
    shown = _shown(f"{slug}-{seats or '[0-9]*'}-v*.json")
    values = Counter(where for where, _ in frozenset[Kind]().union(*shown.values()))
    left = {kind for kinds in shown.values() for kind in kinds if values[kind[0]] <= _NAMES}
    found = []
    while left:
        best = max(shown, key=lambda place: len(shown[place] & left))
        found.append(best)
        left -= shown[best]
    return tuple(found)


def _shown(files: str) -> dict[Place, frozenset[Kind]]:
    """Return what the seat to act can see at each moment of each recorded match."""
    found = {}
    for path in sorted(FOLDER.glob(files)):
        timeline = timeline_of(msgspec.json.decode(path.read_bytes()))
        for decision in timeline.decisions:
            moment = timeline.at(decision.version)
            if moment.state is not None and moment.status == "playing":
                found[path, decision.version] = frozenset(_kinds(timeline, moment))
    return found


def _kinds(timeline: Timeline, moment: Moment) -> Iterator[Kind]:
    rules = timeline.rules
    seat = next(iter(timeline.to_act(moment)), None)
    view = msgspec.to_builtins(rules.view(moment.state, seat))
    for name in view.keys() - set(TITLES[moment.opened.game].layout):
        yield from _words(view[name], name)
    if seat is not None:
        for choice in rules.choices(moment.state, seat):
            yield "choice", rules.label(moment.state, seat, choice).key


def _words(node: Any, where: str) -> Iterator[Kind]:
    """Yield the texts of a part of a view; list indices are ignored in their paths."""
    if isinstance(node, dict):
        for name, each in node.items():
            yield from _words(each, where if name.isdecimal() else f"{where}.{name}")
    elif isinstance(node, list):
        for each in node:
            yield from _words(each, where)
    elif isinstance(node, str):
        yield where, node
