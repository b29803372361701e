"""Estimation of the memory size of matches, which limits the match cache.

Successive moments of a match share most of their objects. The estimate therefore measures how much
a sample of decisions and moments from the middle adds to the moment before them, and extrapolates.
"""

import gc
import sys
from types import FunctionType, ModuleType
from typing import Any

from msgspec import Struct, msgpack

from domain.match import Timeline

_SAMPLE_DECISIONS = 24
"""Maximum number of decisions in a sample."""
_MIN_SAMPLE_DECISIONS = 8
"""Minimum number of decisions that a match must have in memory to be measured."""
_DEFAULT_DECISION_BYTES = 1_500.0
"""Assumed bytes per decision of a game that has not been measured yet."""
_BASE_MATCH_BYTES = 6_000
"""Bytes of a match without its decisions: the cache entry, its lock and its lists."""
_OPENING_DECISIONS = 2
"""Number of decisions at the beginning that open a match and set up its game. They are measured
separately, because later decisions are not like them."""
_BYTES_PER_ENCODED_BYTE = 4
"""Bytes in memory per byte of the encoded options, which may contain a whole custom map."""


def deep_size(roots: list[Any], seen: set[int]) -> int:
    """Return the total bytes of all objects that are reachable from ``roots`` and not in ``seen``.

    ``seen`` contains results of `id`; those of the objects found are added. Types, modules and
    functions are not counted.
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


def bytes_per_decision(timeline: Timeline) -> float:
    """Return the average bytes that a decision and its moment add to those before them.

    Measures a sample from the middle of the decisions in memory, of which there must be several.
    """
    away = timeline.decisions.unloaded
    decisions, moments = timeline.decisions.tail(away), timeline.moments.tail(away)
    count = len(decisions)
    size = min(_SAMPLE_DECISIONS, count - 1)
    first = (count - size + 1) // 2
    last = first + size
    seen: set[int] = set()
    deep_size([decisions[first - 1], moments[first - 1]], seen)
    return deep_size([*decisions[first:last], *moments[first:last]], seen) / size


class SizeEstimator:
    """Estimator of the memory size of matches.

    The bytes per decision are measured for each game, and again when a match is at least twice as
    long as the last one measured; the largest value is used.
    """

    def __init__(self) -> None:
        self._decision_bytes: dict[str, tuple[int, int, float]] = {}

    def estimate(self, timeline: Timeline) -> int:
        """Return the estimated bytes of the part of a match that is in memory."""
        opened, away = timeline.latest.opened, timeline.decisions.unloaded
        count = timeline.loaded_count
        longest, first, each = self._decision_bytes.get(opened.game, (0, 0, 0.0))
        fresh = len(timeline.decisions) - away
        if fresh >= max(2 * longest, _MIN_SAMPLE_DECISIONS):
            if not away:
                first = max(
                    first, deep_size(timeline.decisions.tail(0)[:_OPENING_DECISIONS], set())
                )
            each = max(each, bytes_per_decision(timeline))
            self._decision_bytes[opened.game] = (fresh, first, each)
        options = len(msgpack.encode(opened.options)) if opened.options else 0
        return (
            _BASE_MATCH_BYTES
            + first
            + _BYTES_PER_ENCODED_BYTE * options
            + int(count * (each or _DEFAULT_DECISION_BYTES))
        )
