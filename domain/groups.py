"""Choices by groups: what a seat may do without a list of every single command.

A game names its *ways*: commands, and ranges of commands that are amounts of things (see
`domain.game.Amounts`). Its flat list and its groups are both made from them, so they cannot
differ. Ships to the browser.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.game import Amounts, Group

_LONG = 1_000
_KEPT = 16
_kept: dict[Any, list[Any]] = {}


def members(amounts: Amounts) -> list[Any]:
    """Every command of the range, always in the same order: the last thing counts fastest."""
    if count(amounts) < _LONG:
        return _made(amounts)
    # A long range comes again and again while a seat ponders, so the latest are kept.
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
    """A command of the range that holds as little as there may be."""
    some, missing = {}, amounts.least
    for thing, there in amounts.of.items():
        n = min(there, missing)
        if n:
            some[thing] = n
            missing -= n
    return replace(amounts.command, **{amounts.field: some})


def count(amounts: Amounts) -> int:
    """How many commands the range has, without making them."""
    by_size = [1] + [0] * amounts.most
    for there in amounts.of.values():
        by_size = [sum(by_size[max(0, size - there) : size + 1]) for size in range(len(by_size))]
    return sum(by_size[amounts.least :])


def spread(ways: Iterable[Any]) -> list[Any]:
    """Every command of the ways, in their order."""
    found: list[Any] = []
    for way in ways:
        if isinstance(way, Amounts):
            found.extend(members(way))
        else:
            found.append(way)
    return found


def grouped(ways: Iterable[Any]) -> tuple[Group, ...]:
    """The ways by type of command, in the order in which the types come first."""
    by_type: dict[str, list[Any]] = {}
    sizes: dict[str, int] = {}
    for way in ways:
        ranges = isinstance(way, Amounts)
        size = count(way) if ranges else 1
        if size:  # a range may be empty: nothing fits into a full caravan
            name = type(way.command if ranges else way).__name__
            by_type.setdefault(name, []).append(way)
            sizes[name] = sizes.get(name, 0) + size
    return tuple([Group(name, sizes[name], tuple(some)) for name, some in by_type.items()])


def listed(choices: Callable[[Any, int], list[Any]]) -> Callable[[Any, int], tuple[Group, ...]]:
    """The ``groups`` of a game without ranges: its choices by type."""

    def groups(state: Any, seat: int) -> tuple[Group, ...]:
        return grouped(choices(state, seat))

    return groups
