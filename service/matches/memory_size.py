"""Estimated memory size of matches, by which the match cache is bounded.

Successive moments of a match share most of their objects. So a sample of moments from the middle is
measured for what the moment before it does not hold, and the rest is assumed to be alike.
"""

import gc
import sys
from types import FunctionType, ModuleType
from typing import Any

from msgspec import Struct, msgpack

from domain.match import Timeline

_SAMPLE = 24
"""Decisions in a sample."""
_FEWEST = 8
"""Minimum number of decisions of a match from which a size is derived."""
_GUESS = 1_500.0
"""Bytes assumed for a decision of a game that was not measured yet."""
_BASE = 6_000
"""Bytes of a match without its decisions: the cache entry, its lock, its lists."""
_FIRST = 2
"""Number of decisions at the beginning that open a match and set up its game. They are measured
apart, because no later decision resembles them."""
_LOOSE = 4
"""Bytes in memory for each byte of the encoded options, which may hold a whole custom map."""


def reached(roots: list[Any], seen: set[int]) -> int:
    """Return the bytes of all objects reachable from these values and not in ``seen``.

    ``seen`` holds values of `id`; the objects found are added to it.
    """
    found, waiting = 0, roots
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType):
            continue
        seen.add(id(each))
        found += sys.getsizeof(each)
        if isinstance(each, Struct):
            # The garbage collector does not report the members of structs it does not track.
            waiting.extend([getattr(each, name) for name in each.__struct_fields__])
        elif not isinstance(each, int | str | bytes):
            waiting.extend(gc.get_referents(each))
    return found


def of_a_decision(timeline: Timeline) -> float:
    """Return the average bytes of a decision and its moment beyond what the moment before holds."""
    away = timeline.decisions.unloaded
    decisions, moments = timeline.decisions.tail(away), timeline.moments.tail(away)
    count = len(decisions)
    size = min(_SAMPLE, count - 1)
    first = (count - size + 1) // 2
    last = first + size
    seen: set[int] = set()
    reached([decisions[first - 1], moments[first - 1]], seen)
    return reached([*decisions[first:last], *moments[first:last]], seen) / size


class Scales:
    """Estimates the size of matches.

    The bytes of a decision are measured for each game, again whenever a match is twice as long as
    those measured before; the largest value is used.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int, float]] = {}

    def weigh(self, timeline: Timeline) -> int:
        """Estimate how many bytes the part of a match takes that is in memory."""
        opened, away = timeline.latest.opened, timeline.decisions.unloaded
        count = timeline.loaded_count
        longest, first, each = self._known.get(opened.game, (0, 0, 0.0))
        fresh = len(timeline.decisions) - away
        if fresh >= max(2 * longest, _FEWEST):
            if not away:
                first = max(first, reached(timeline.decisions.tail(0)[:_FIRST], set()))
            each = max(each, of_a_decision(timeline))
            self._known[opened.game] = (fresh, first, each)
        options = len(msgpack.encode(opened.options)) if opened.options else 0
        return _BASE + first + _LOOSE * options + int(count * (each or _GUESS))
