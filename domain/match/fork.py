"""Forks: new matches that begin at a version of another."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.match.commands import Open
from domain.match.history import Decision
from domain.match.seats import FROM_FILE, HERE, PHONE, SIGNED_FILE, Origin, Refused
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed


def create_fork(timeline: Timeline, version: int, origin: str, opening: Open) -> list[Decision]:
    """Return the decisions of a new match that begins with the state of this one at a version.

    Only decisions that counted at that version are copied; they are renumbered without gaps.
    ``origin``: the id of this match. ``opening``: the seats, owner, seed and other settings of the
    new match; its ``forked_from``, ``source`` and rules version are set here. Raises `Refused` if
    the game had not begun, or was over, at the version.
    """
    moment = timeline.at(version)
    if moment.status == "finished":
        raise Refused("match_over", "error.fork_after_end")
    complete = timeline.moments[timeline.index(version)]
    copied = [timeline.decisions[i] for i in reversed([*timeline.ancestry(complete)])]
    if not copied:
        raise Refused("not_started", "error.fork_before_start")
    drawn = sum(len(decision.draws) for decision in copied)
    opening = replace(
        opening,
        rules_version=complete.opened.rules_version,
        forked_from=Origin(origin, complete.version, drawn),
        source=_SOURCE_OF_FORK[timeline.latest.opened.source],
    )
    first = Timeline(timeline.rules).act(None, [opening], copied[0].at, draws_from_seed)
    return [*first, *_renumber(copied, first[-1].last_version)]


_SOURCE_OF_FORK = {"": "", HERE: HERE, FROM_FILE: FROM_FILE, SIGNED_FILE: HERE, PHONE: PHONE}
"""Source of a fork by the source of its origin. A fork copies only moves. The moves of a signed
file were made on this service, so forks of its match are `HERE`."""


def _renumber(decisions: list[Decision], version: int) -> Iterator[Decision]:
    for decision in decisions:
        yield replace(decision, version=version + 1)
        version += len(decision.events)
