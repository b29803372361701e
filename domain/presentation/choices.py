"""Answers with the legal commands of a seat, labelled, as a flat list or in groups."""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from domain.contract.choice_groups import smallest, spread
from domain.contract.game import Amounts, Group
from domain.match import is_final
from domain.presentation import schemas
from domain.presentation.viewpoint import Viewer, waiting_for


def all_choices(viewer: Viewer, seat: int) -> schemas.ChoicesAnswer:
    """Return every legal command of the seat; none if it is not to act."""
    timeline = viewer.timeline
    acting = seat in waiting_for(timeline, timeline.now)
    commands = timeline.rules.choices(timeline.now.state, seat) if acting else ()
    return schemas.ChoicesAnswer(
        version=timeline.version, seat=seat, choices=_in_words(viewer, seat, commands)
    )


def by_group(viewer: Viewer, seat: int, limit: int, state: Any = None) -> schemas.ChoicesAnswer:
    """Return all groups, and the commands of those with at most ``limit`` commands.

    ``state``: the state whose legal commands are asked for, such as a determinised one; None for
    the present state.
    """
    groups = _groups(viewer, seat, state)
    few = [way for group in groups if group.count <= limit for way in group.ways]
    return schemas.ChoicesAnswer(
        version=viewer.timeline.version,
        seat=seat,
        choices=_in_words(viewer, seat, spread(few), state),
        groups=[
            _group_answer(viewer, seat, group, group.count <= limit, state) for group in groups
        ],
    )


def of_group(
    viewer: Viewer, seat: int, kind: str, after: int, limit: int, state: Any = None
) -> schemas.ChoicesAnswer | None:
    """Return one page of a group: up to ``limit`` commands after the first ``after``.

    None if there is no such group. ``state``: as in `by_group`.
    """
    for group in _groups(viewer, seat, state):
        if group.type == kind:
            end = after + limit
            return schemas.ChoicesAnswer(
                version=viewer.timeline.version,
                seat=seat,
                choices=_in_words(viewer, seat, spread(group.ways)[after:end], state),
                next=end if end < group.count else None,
            )
    return None


def _groups(viewer: Viewer, seat: int, state: Any) -> tuple[Group, ...]:
    timeline = viewer.timeline
    if state is None and seat in waiting_for(timeline, timeline.now):
        state = timeline.now.state
    return timeline.rules.groups(state, seat) if state is not None else ()


def _group_answer(
    viewer: Viewer, seat: int, group: Group, listed: bool, imagined: Any
) -> schemas.GroupAnswer:
    text, game = viewer.timeline.rules.TEXT, viewer.timeline.now.opened.game
    key = f"group-{group.type}"
    ranges = [
        schemas.RangeAnswer(
            command=to_builtins(way.command),
            field=way.field,
            of=way.of,
            least=way.least,
            most=way.most,
            final=_is_final(viewer, seat, smallest(way), imagined),
        )
        for way in group.ways
        if isinstance(way, Amounts)
    ]
    return schemas.GroupAnswer(
        type=group.type,
        label=viewer.told(game, text, key, {}) if key in text else group.type,
        key=key,
        args={},
        count=group.count,
        listed=listed,
        ranges=ranges if len(ranges) == len(group.ways) else [],
    )


def _in_words(
    viewer: Viewer, seat: int, commands: Iterable[Any], imagined: Any = None
) -> list[schemas.ChoiceAnswer]:
    """Return the commands with labels; ``imagined``: their state, None for the present one."""
    rules = viewer.timeline.rules
    state = viewer.timeline.now.state if imagined is None else imagined
    game = viewer.timeline.now.opened.game
    found = []
    for command in commands:
        label = rules.label(state, seat, command)
        text = viewer.told(game, rules.TEXT, label.key, label.args)
        plain = to_builtins(command)
        final = _is_final(viewer, seat, command, imagined)
        found.append(
            schemas.ChoiceAnswer(
                command=plain, label=text, key=label.key, args=label.args, final=final
            )
        )
    return found


def _is_final(viewer: Viewer, seat: int, command: Any, imagined: Any) -> bool:
    now = viewer.timeline.now
    state = now.state if imagined is None else imagined
    version, alone = now.opened.rules_version, len(now.people()) <= 1
    return is_final(viewer.timeline.rules, state, seat, (command,), version, alone)
