"""Groups of legal commands, in which ranges stand for long lists of commands.

A game lists its *options*: commands, and `domain.contract.game.AmountRange` ranges of commands.
The flat list and the groups are both derived from these options, so they cannot differ. Ships to
the browser.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.contract.game import AmountRange, Group

_MIN_CACHED_COMMANDS = 1_000
_MAX_CACHED_RANGES = 16
_cached_ranges: dict[Any, list[Any]] = {}


def expand_range(amounts: AmountRange) -> list[Any]:
    """Return every command of the range in a fixed order; the last thing varies fastest."""
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
    partial: list[tuple[dict[str, int], int]] = [({}, amounts.maximum)]
    for thing, available in amounts.available.items():
        partial = [
            ({**chosen, thing: n} if n else chosen, left - n)
            for chosen, left in partial
            for n in range(min(available, left) + 1)
        ]
    max_left = amounts.maximum - amounts.minimum
    return [
        replace(amounts.command, **{amounts.field: chosen})
        for chosen, left in partial
        if left <= max_left
    ]


def smallest_command(amounts: AmountRange) -> Any:
    """Return a command of the range with the minimum total, taking things in the game's order."""
    chosen, missing = {}, amounts.minimum
    for thing, available in amounts.available.items():
        n = min(available, missing)
        if n:
            chosen[thing] = n
            missing -= n
    return replace(amounts.command, **{amounts.field: chosen})


def count_commands(amounts: AmountRange) -> int:
    """Return the number of commands in the range without building them."""
    by_size = [1] + [0] * amounts.maximum
    for available in amounts.available.values():
        by_size = [
            sum(by_size[max(0, size - available) : size + 1]) for size in range(len(by_size))
        ]
    return sum(by_size[amounts.minimum :])


def flatten_options(options: Iterable[Any]) -> list[Any]:
    """Return every command of the options in order, with ranges expanded."""
    commands: list[Any] = []
    for option in options:
        if isinstance(option, AmountRange):
            commands.extend(expand_range(option))
        else:
            commands.append(option)
    return commands


def group_by_type(options: Iterable[Any]) -> tuple[Group, ...]:
    """Return the options grouped by command type, in order of first appearance."""
    by_type: dict[str, list[Any]] = {}
    sizes: dict[str, int] = {}
    for option in options:
        is_range = isinstance(option, AmountRange)
        size = count_commands(option) if is_range else 1
        if size:  # a range may be empty, as when a caravan is full
            name = type(option.command if is_range else option).__name__
            by_type.setdefault(name, []).append(option)
            sizes[name] = sizes.get(name, 0) + size
    return tuple([Group(name, sizes[name], tuple(members)) for name, members in by_type.items()])


def groups_from_choices(
    choices: Callable[[Any, int], list[Any]],
) -> Callable[[Any, int], tuple[Group, ...]]:
    """Return a ``groups`` function for a game without ranges; it groups ``choices`` by type."""

    def groups(state: Any, seat: int) -> tuple[Group, ...]:
        return group_by_type(choices(state, seat))

    return groups
