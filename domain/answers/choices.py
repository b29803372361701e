"""What a seat may do: every command in words, or groups of them."""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from domain.answers import shapes
from domain.answers.viewing import Viewer, waiting_for
from domain.game import Amounts, Group
from domain.groups import spread


def all_choices(viewer: Viewer, seat: int) -> shapes.ChoicesAnswer:
    """Every legal command of the seat."""
    timeline = viewer.timeline
    acting = seat in waiting_for(timeline, timeline.now)
    commands = timeline.rules.choices(timeline.now.state, seat) if acting else ()
    return shapes.ChoicesAnswer(
        version=timeline.version, seat=seat, choices=_in_words(viewer, seat, commands)
    )


def by_group(viewer: Viewer, seat: int, limit: int) -> shapes.ChoicesAnswer:
    """The groups, and the commands of those that have no more than ``limit``."""
    groups = _groups(viewer, seat)
    few = [way for group in groups if group.count <= limit for way in group.ways]
    return shapes.ChoicesAnswer(
        version=viewer.timeline.version,
        seat=seat,
        choices=_in_words(viewer, seat, spread(few)),
        groups=[_group_answer(viewer, group, group.count <= limit) for group in groups],
    )


def of_group(
    viewer: Viewer, seat: int, kind: str, after: int, limit: int
) -> shapes.ChoicesAnswer | None:
    """So many commands of a group after the first ones; None where there is no such group."""
    for group in _groups(viewer, seat):
        if group.type == kind:
            end = after + limit
            return shapes.ChoicesAnswer(
                version=viewer.timeline.version,
                seat=seat,
                choices=_in_words(viewer, seat, spread(group.ways)[after:end]),
                next=end if end < group.count else None,
            )
    return None


def _groups(viewer: Viewer, seat: int) -> tuple[Group, ...]:
    timeline = viewer.timeline
    if seat not in waiting_for(timeline, timeline.now):
        return ()
    return timeline.rules.groups(timeline.now.state, seat)


def _group_answer(viewer: Viewer, group: Group, listed: bool) -> shapes.GroupAnswer:
    text, game = viewer.timeline.rules.TEXT, viewer.timeline.now.opened.game
    key = f"group-{group.type}"
    ranges = [
        shapes.RangeAnswer(
            command=to_builtins(way.command),
            field=way.field,
            of=way.of,
            least=way.least,
            most=way.most,
        )
        for way in group.ways
        if isinstance(way, Amounts)
    ]
    return shapes.GroupAnswer(
        type=group.type,
        label=viewer.told(game, text, key, {}) if key in text else group.type,
        key=key,
        args={},
        count=group.count,
        listed=listed,
        ranges=ranges if len(ranges) == len(group.ways) else [],
    )


def _in_words(viewer: Viewer, seat: int, commands: Iterable[Any]) -> list[shapes.ChoiceAnswer]:
    rules, state = viewer.timeline.rules, viewer.timeline.now.state
    game = viewer.timeline.now.opened.game
    found = []
    for command in commands:
        label = rules.label(state, seat, command)
        text = viewer.told(game, rules.TEXT, label.key, label.args)
        plain = to_builtins(command)
        found.append(shapes.ChoiceAnswer(command=plain, label=text, key=label.key, args=label.args))
    return found
