"""Forks: new matches that begin at a version of another, and checks for hidden information."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.match import (
    FROM_FILE,
    HERE,
    PHONE,
    SIGNED_FILE,
    Decision,
    Loss,
    Open,
    Origin,
    Refused,
    Timeline,
    is_kernel,
    match_keeps_secrets,
)
from domain.toolkit.randomness import draws_from_seed


def hides_from_player(
    timeline: Timeline, version: int, seats: list[int], losses: Sequence[Loss] = ()
) -> bool:
    """Return whether anything up to a version is hidden from a player who holds only these seats.

    ``losses``: seats that the player lost on time or by a vote; up to the loss, the player saw what
    the seat saw.
    """
    if timeline.latest.status == "finished" and not match_keeps_secrets(
        timeline.rules, timeline.latest.opened
    ):
        return False
    return _hides_from_all(timeline, version, [None, *seats], losses)


def had_secrets(timeline: Timeline, version: int) -> bool:
    """Return whether anything up to a version was hidden from spectators when it was played."""
    return _hides_from_all(timeline, version, [None])


def _hides_from_all(
    timeline: Timeline, version: int, viewers: list[int | None], losses: Sequence[Loss] = ()
) -> bool:
    """Return whether any game event up to a version is hidden from each of the viewers.

    Kernel events do not count, as a fork copies neither chat nor the seed. ``losses``: lost seats,
    which are further viewers up to their loss.
    """
    for decision in timeline.decisions:
        if decision.version > version:
            break
        former = [loss.seat for loss in losses if decision.last_version <= loss.version]
        for event in decision.events:
            if not is_kernel(event) and all(
                timeline.rules.redact(event, viewer) != event for viewer in [*viewers, *former]
            ):
                return True
    return False


def create_fork(timeline: Timeline, version: int, origin: str, opening: Open) -> list[Decision]:
    """Return the decisions of a new match that begins with the state of this one at a version.

    Only decisions that counted at that version are copied; they are renumbered without gaps.
    ``origin``: the id of this match. ``opening``: the seats, owner, seed and other settings of the
    new match; its ``forked_from``, ``source`` and rules version are set here. Raises `Refused` if
    the game had not begun, or was over, at the version.
    """
    moment = timeline.at(version)
    if moment.status == "finished":
        raise Refused("match_over", "The match was over by then.")
    complete = timeline.moments[timeline.index(version)]
    copied = [timeline.decisions[i] for i in reversed([*timeline.ancestry(complete)])]
    if not copied:
        raise Refused("not_started", "The game had not begun by then.")
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
