"""Groups of legal commands: ranges of commands instead of a list of every single one.

A game lists its *ways*: commands, and `domain.contract.game.Amounts` ranges of commands. The flat
list and the groups are both derived from them, so they cannot differ. Ships to the browser.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.contract.game import AmountRange, Group

_MIN_CACHED_COMMANDS = 1_000
_MAX_CACHED_RANGES = 16
_cached_ranges: dict[Any, list[Any]] = {}


def expand_range(amounts: AmountRange) -> list[Any]:
    """Return every command of the range in a fixed order, the last thing varying fastest."""
    if count_commands(amounts) < _MIN_CACHED_COMMANDS:
        return _build_commands(amounts)
    # The same long range is requested repeatedly during a turn, so the latest ones are cached.
    key = (repr(amounts.command), *amounts.available.items(), amounts.minimum, amounts.maximum)
    if key not in _cached_ranges:
        if len(_cached_ranges) >= _MAX_CACHED_RANGES:
            _cached_ranges.clear()
        _cached_ranges[key] = _build_commands(amounts)
    return _cached_ranges[key]


def _build_commands(amounts: AmountRange) -> list[Any]:
    found: list[tuple[dict[str, int], int]] = [({}, amounts.maximum)]
    for thing, there in amounts.available.items():
        found = [
            ({**some, thing: n} if n else some, room - n)
            for some, room in found
            for n in range(min(there, room) + 1)
        ]
    room = amounts.maximum - amounts.minimum
    return [
        replace(amounts.command, **{amounts.field: some}) for some, left in found if left <= room
    ]


def smallest_command(amounts: AmountRange) -> Any:
    """Return a command of the range with the smallest total; things are filled in order."""
    some, missing = {}, amounts.minimum
    for thing, there in amounts.available.items():
        n = min(there, missing)
        if n:
            some[thing] = n
            missing -= n
    return replace(amounts.command, **{amounts.field: some})


def count_commands(amounts: AmountRange) -> int:
    """Return the number of commands in the range without building them."""
    by_size = [1] + [0] * amounts.maximum
    for there in amounts.available.values():
        by_size = [sum(by_size[max(0, size - there) : size + 1]) for size in range(len(by_size))]
    return sum(by_size[amounts.minimum :])


def flatten_options(options: Iterable[Any]) -> list[Any]:
    """Return every command of the ways, ranges expanded, in order."""
    found: list[Any] = []
    for way in options:
        if isinstance(way, AmountRange):
            found.extend(expand_range(way))
        else:
            found.append(way)
    return found


def group_by_type(options: Iterable[Any]) -> tuple[Group, ...]:
    """Return the ways grouped by command type, in order of first appearance."""
    by_type: dict[str, list[Any]] = {}
    sizes: dict[str, int] = {}
    for way in options:
        ranges = isinstance(way, AmountRange)
        size = count_commands(way) if ranges else 1
        if size:  # a range may be empty, as when a caravan is full
            name = type(way.command if ranges else way).__name__
            by_type.setdefault(name, []).append(way)
            sizes[name] = sizes.get(name, 0) + size
    return tuple([Group(name, sizes[name], tuple(some)) for name, some in by_type.items()])


def groups_from_choices(
    choices: Callable[[Any, int], list[Any]],
) -> Callable[[Any, int], tuple[Group, ...]]:
    """Return a ``groups`` function for a game without ranges: its choices by type."""

    def groups(state: Any, seat: int) -> tuple[Group, ...]:
        return group_by_type(choices(state, seat))

    return groups
