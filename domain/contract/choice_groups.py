"""Groups of legal commands: ranges of commands instead of a list of every single one.

A game lists its *ways*: commands, and `domain.contract.game.Amounts` ranges of commands. The flat
list and the groups are both derived from them, so they cannot differ. Ships to the browser.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.contract.game import Amounts, Group

_LONG = 1_000
_KEPT = 16
_kept: dict[Any, list[Any]] = {}


def members(amounts: Amounts) -> list[Any]:
    """Return every command of the range in a fixed order, the last thing varying fastest."""
    if count(amounts) < _LONG:
        return _made(amounts)
    # The same long range is requested repeatedly during a turn, so the latest ones are cached.
    key = (repr(amounts.command), *amounts.of.items(), amounts.least, amounts.most)
    if key not in _kept:
        if len(_kept) >= _KEPT:
            _kept.clear()
        _kept[key] = _made(amounts)
    return _kept[key]


def _made(amounts: Amounts) -> list[Any]:
    found: list[tuple[dict[str, int], int]] = [({}, amounts.most)]
    for thing, there in amounts.of.items():
        found = [
            ({**some, thing: n} if n else some, room - n)
            for some, room in found
            for n in range(min(there, room) + 1)
        ]
    room = amounts.most - amounts.least
    return [
        replace(amounts.command, **{amounts.field: some}) for some, left in found if left <= room
    ]


def smallest(amounts: Amounts) -> Any:
    """Return a command of the range with the smallest total; things are filled in order."""
    some, missing = {}, amounts.least
    for thing, there in amounts.of.items():
        n = min(there, missing)
        if n:
            some[thing] = n
            missing -= n
    return replace(amounts.command, **{amounts.field: some})


def count(amounts: Amounts) -> int:
    """Return the number of commands in the range without building them."""
    by_size = [1] + [0] * amounts.most
    for there in amounts.of.values():
        by_size = [sum(by_size[max(0, size - there) : size + 1]) for size in range(len(by_size))]
    return sum(by_size[amounts.least :])


def spread(ways: Iterable[Any]) -> list[Any]:
    """Return every command of the ways, ranges expanded, in order."""
    found: list[Any] = []
    for way in ways:
        if isinstance(way, Amounts):
            found.extend(members(way))
        else:
            found.append(way)
    return found


def grouped(ways: Iterable[Any]) -> tuple[Group, ...]:
    """Return the ways grouped by command type, in order of first appearance."""
    by_type: dict[str, list[Any]] = {}
    sizes: dict[str, int] = {}
    for way in ways:
        ranges = isinstance(way, Amounts)
        size = count(way) if ranges else 1
        if size:  # a range may be empty, as when a caravan is full
            name = type(way.command if ranges else way).__name__
            by_type.setdefault(name, []).append(way)
            sizes[name] = sizes.get(name, 0) + size
    return tuple([Group(name, sizes[name], tuple(some)) for name, some in by_type.items()])


def listed(choices: Callable[[Any, int], list[Any]]) -> Callable[[Any, int], tuple[Group, ...]]:
    """Return a ``groups`` function for a game without ranges: its choices by type."""

    def groups(state: Any, seat: int) -> tuple[Group, ...]:
        return grouped(choices(state, seat))

    return groups
