"""Grouped choices and the flat list are the same commands, and exactly the legal ones."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.choice_groups import (
    count_commands,
    expand_range,
    flatten_options,
    group_by_type,
)
from domain.contract.game import AmountRange, Group, IllegalMove
from domain.contract.registry import TITLES
from domain.match.timeline import Timeline
from tests.game_contract.play import Table, opened, random_steps, table_id, tables

TABLES = [pytest.param(table, id=table_id(table)) for table in tables()]


def check(timeline: Timeline, seat: int, groups: tuple[Group, ...], choices: list[Any]) -> None:
    """Check that the groups equal the choices (union, order, no overlap, count) and are legal."""
    by_type: dict[str, list[Any]] = {}
    for choice in choices:
        by_type.setdefault(type(choice).__name__, []).append(choice)
    assert [group.type for group in groups] == list(by_type)
    for group in groups:
        commands = flatten_options(group.options)
        assert commands == by_type[group.type]
        assert len({repr(command) for command in commands}) == group.count == len(commands)
        assert all(legal(timeline, seat, command) for command in commands[:: 1 + group.count // 50])
        for way in group.options:
            if isinstance(way, AmountRange):
                check_range(timeline, seat, way)


def check_range(timeline: Timeline, seat: int, amounts: AmountRange) -> None:
    """Check that the last member is legal and that commands just beyond the limits are not."""
    commands = expand_range(amounts)
    assert len(commands) == count_commands(amounts)
    for command in (commands[0], commands[-1]):
        some = getattr(command, amounts.field)
        assert all(0 < n <= amounts.available[thing] for thing, n in some.items())
        assert amounts.minimum <= sum(some.values()) <= amounts.maximum
        assert legal(timeline, seat, command)
    for beyond in outside(amounts):
        assert not legal(timeline, seat, replace(amounts.command, **{amounts.field: beyond}))


def outside(amounts: AmountRange) -> Iterator[dict[str, int]]:
    """Yield amounts with one more of each thing than allowed, one more in total, one less in
    total."""
    for thing, there in amounts.available.items():
        yield {thing: there + 1}
    everything = sum(amounts.available.values())
    if amounts.maximum < everything:
        yield taken(amounts.available, amounts.maximum + 1)
    if amounts.minimum:
        yield taken(amounts.available, amounts.minimum - 1)


def taken(of: dict[str, int], size: int) -> dict[str, int]:
    """Take this many things, the first ones first."""
    found: dict[str, int] = {}
    for thing, there in of.items():
        some = min(there, size - sum(found.values()))
        if some:
            found[thing] = some
    return found


def legal(timeline: Timeline, seat: int, command: Any) -> bool:
    """Return whether the rules accept the command now."""
    version = timeline.latest.opened.rules_version
    try:
        timeline.rules.decide(timeline.latest.state, seat, command, lambda n: 0, version)
    except IllegalMove:
        return False
    return True


def walk(table: Table, steps: int) -> Iterator[tuple[Timeline, int, tuple[Group, ...]]]:
    """Yield the groups of every seat at each moment of random matches."""
    for seed in range(2):
        timeline = opened(table, seed)
        for _ in random_steps(timeline, random.Random(seed), steps):
            for seat in range(table[1]):
                yield timeline, seat, timeline.rules.groups(timeline.latest.state, seat)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_groups_are_the_choices(table: Table) -> None:
    seen = 0
    for timeline, seat, groups in walk(table, 100):
        check(timeline, seat, groups, timeline.rules.choices(timeline.latest.state, seat))
        seen += bool(groups)
    assert seen > 50


FAULTS = {
    "one more in all": lambda way: replace(way, maximum=way.maximum + 1),
    "one less in all": lambda way: replace(way, maximum=max(way.maximum - 1, way.minimum)),
    "too little is left out": lambda way: replace(way, minimum=way.minimum + 1),
    "one less of each": lambda way: replace(
        way, available={k: n - 1 for k, n in way.available.items()}
    ),
}


@pytest.mark.parametrize("slug", TITLES)
def test_a_wrong_limit_is_found(slug: str) -> None:
    """With a wrong range in the groups and, from the same source, in the flat list."""
    found: dict[str, set[str]] = {}
    for timeline, seat, groups in walk((slug, min(TITLES[slug].seats), {}), 400):
        for group in groups:
            ranges = [way for way in group.options if isinstance(way, AmountRange)]
            if ranges:
                known = found.setdefault(group.type, set())
                known.update(noticed(timeline, seat, ranges, FAULTS.keys() - known))
    assert all(known == FAULTS.keys() for known in found.values()), found


def noticed(timeline: Timeline, seat: int, ranges: list[AmountRange], faults: set[str]) -> set[str]:
    """Return those of the faults that `check` finds."""
    found = set()
    for fault in faults:
        ways = [FAULTS[fault](way) for way in ranges]
        try:
            check(timeline, seat, group_by_type(ways), flatten_options(ways))
        except AssertionError:
            found.add(fault)
    return found
