"""What matches in memory weigh, so that they can be bounded by bytes.

The moments of a match share most of what they hold with those before. So a few in the middle are
looked through for what the one before them does not hold, and the rest are taken to be like them.
"""

import gc
import sys
from types import FunctionType, ModuleType
from typing import Any

from msgspec import Struct, msgpack

from domain.match import Timeline

_SAMPLE = 24
"""Decisions that are looked through."""
_FEWEST = 8
"""Decisions of a match that can tell what others weigh."""
_GUESS = 1_500.0
"""Bytes of a decision of a game of which nothing is known yet."""
_BASE = 6_000
"""Bytes of a match without its decisions: the table, its lock, its lists."""
_FIRST = 2
"""Decisions that open a match and lay its game out, which no later one is like."""
_LOOSE = 4
"""How many bytes a byte of the options becomes: a map of one's own."""


def reached(roots: list[Any], seen: set[int]) -> int:
    """Bytes of all that these values hold and that was not ``seen`` (by `id`); notes it there."""
    found, waiting = 0, roots
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType):
            continue
        seen.add(id(each))
        found += sys.getsizeof(each)
        if isinstance(each, Struct):
            # The collector does not know what is in those that it need not look at.
            waiting.extend([getattr(each, name) for name in each.__struct_fields__])
        elif not isinstance(each, int | str | bytes):
            waiting.extend(gc.get_referents(each))
    return found


def of_a_decision(timeline: Timeline) -> float:
    """Bytes of a decision with the moment after it, as far as the one before does not hold it."""
    away = timeline.decisions.away
    decisions, moments = timeline.decisions.tail(away), timeline.moments.tail(away)
    count = len(decisions)
    size = min(_SAMPLE, count - 1)
    first = (count - size + 1) // 2
    last = first + size
    seen: set[int] = set()
    reached([decisions[first - 1], moments[first - 1]], seen)
    return reached([*decisions[first:last], *moments[first:last]], seen) / size


class Scales:
    """Weighs matches. What a decision of a game takes is found out whenever a match comes that is
    twice as long as all before; the most that was found counts."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int, float]] = {}

    def weigh(self, timeline: Timeline) -> int:
        """About how many bytes a match takes, as far as it is in memory."""
        opened, away = timeline.now.opened, timeline.decisions.away
        count = timeline.held
        longest, first, each = self._known.get(opened.game, (0, 0, 0.0))
        fresh = len(timeline.decisions) - away
        if fresh >= max(2 * longest, _FEWEST):
            if not away:
                first = max(first, reached(timeline.decisions.tail(0)[:_FIRST], set()))
            each = max(each, of_a_decision(timeline))
            self._known[opened.game] = (fresh, first, each)
        options = len(msgpack.encode(opened.options)) if opened.options else 0
        return _BASE + first + _LOOSE * options + int(count * (each or _GUESS))
