"""Responses with the labelled legal commands of a seat, as a flat list or in groups."""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from domain.contract.choice_groups import flatten_options, smallest_command
from domain.contract.game import AmountRange, Group
from domain.match.undo import is_final
from domain.presentation import schemas
from domain.presentation.viewpoint import Viewer, seats_to_act


def all_choices(viewer: Viewer, seat: int) -> schemas.ChoicesAnswer:
    """Return all legal commands of the seat; none if it is not to act."""
    timeline = viewer.timeline
    acting = seat in seats_to_act(timeline, timeline.latest)
    commands = timeline.rules.choices(timeline.latest.state, seat) if acting else ()
    return schemas.ChoicesAnswer(
        version=timeline.version, seat=seat, choices=_labelled_choices(viewer, seat, commands)
    )


def grouped_choices(
    viewer: Viewer, seat: int, max_listed: int, state: Any = None
) -> schemas.ChoicesAnswer:
    """Return all groups, and the commands of the groups with at most ``max_listed`` commands.

    ``state``: the state whose legal commands are requested, such as a determinised one; None for
    the current state.
    """
    groups = _groups(viewer, seat, state)
    few = [option for group in groups if group.count <= max_listed for option in group.options]
    return schemas.ChoicesAnswer(
        version=viewer.timeline.version,
        seat=seat,
        choices=_labelled_choices(viewer, seat, flatten_options(few), state),
        groups=[
            _group_answer(viewer, seat, group, group.count <= max_listed, state) for group in groups
        ],
    )


def choices_of_group(
    viewer: Viewer, seat: int, kind: str, after: int, limit: int, state: Any = None
) -> schemas.ChoicesAnswer | None:
    """Return a page of the group ``kind``: up to ``limit`` commands, skipping the first ``after``.

    None if there is no such group. ``state``: as in `grouped_choices`.
    """
    for group in _groups(viewer, seat, state):
        if group.type == kind:
            end = after + limit
            return schemas.ChoicesAnswer(
                version=viewer.timeline.version,
                seat=seat,
                choices=_labelled_choices(
                    viewer, seat, flatten_options(group.options)[after:end], state
                ),
                next=end if end < group.count else None,
            )
    return None


def _groups(viewer: Viewer, seat: int, state: Any) -> tuple[Group, ...]:
    timeline = viewer.timeline
    if state is None and seat in seats_to_act(timeline, timeline.latest):
        state = timeline.latest.state
    return timeline.rules.groups(state, seat) if state is not None else ()


def _group_answer(
    viewer: Viewer, seat: int, group: Group, listed: bool, possible_state: Any
) -> schemas.GroupAnswer:
    game = viewer.timeline.latest.opened.game
    key = f"group-{group.type}"
    known = viewer.language.find_message(game, key)
    ranges = [
        schemas.RangeAnswer(
            command=to_builtins(option.command),
            field=option.field,
            of=option.available,
            least=option.minimum,
            most=option.maximum,
            final=_is_final(viewer, seat, smallest_command(option), possible_state),
        )
        for option in group.options
        if isinstance(option, AmountRange)
    ]
    return schemas.GroupAnswer(
        type=group.type,
        label=group.type if known is None else viewer.translate(game, key, {}),
        key=key,
        args={},
        count=group.count,
        listed=listed,
        ranges=ranges if len(ranges) == len(group.options) else [],
    )


def _labelled_choices(
    viewer: Viewer, seat: int, commands: Iterable[Any], possible_state: Any = None
) -> list[schemas.ChoiceAnswer]:
    """Return the commands with their labels.

    ``possible_state``: the state in which they are legal, None for the current one.
    """
    rules = viewer.timeline.rules
    state = viewer.timeline.latest.state if possible_state is None else possible_state
    game = viewer.timeline.latest.opened.game
    found = []
    for command in commands:
        label = rules.label(state, seat, command)
        text = viewer.translate(game, label.key, label.args)
        plain = to_builtins(command)
        final = _is_final(viewer, seat, command, possible_state)
        found.append(
            schemas.ChoiceAnswer(
                command=plain, label=text, key=label.key, args=label.args, final=final
            )
        )
    return found


def _is_final(viewer: Viewer, seat: int, command: Any, possible_state: Any) -> bool:
    now = viewer.timeline.latest
    state = now.state if possible_state is None else possible_state
    version, alone = now.opened.rules_version, len(now.people()) <= 1
    return is_final(viewer.timeline.rules, state, seat, (command,), version, alone)
