"""A new match that begins where another one stood, and what stands against it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.draws import seeded
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
    secrets_kept,
)


def hidden_from(
    timeline: Timeline, version: int, seats: list[int], losses: Sequence[Loss] = ()
) -> bool:
    """Whether something up to the version is hidden from somebody holding just these seats.

    ``losses``: of seats they lost to time or a vote, with which they saw what was before.
    """
    if timeline.now.status == "finished" and not secrets_kept(timeline.rules, timeline.now.opened):
        return False
    return _hides(timeline, version, [None, *seats], losses)


def had_secrets(timeline: Timeline, version: int) -> bool:
    """Whether anything up to the version was hidden from spectators while it was played."""
    return _hides(timeline, version, [None])


def _hides(
    timeline: Timeline, version: int, eyes: list[int | None], losses: Sequence[Loss] = ()
) -> bool:
    """Of the game's events only: words and the seed stay behind."""
    for decision in timeline.decisions:
        if decision.version > version:
            break
        former = [loss.seat for loss in losses if decision.last_version <= loss.version]
        for event in decision.events:
            if not is_kernel(event) and all(
                timeline.rules.redact(event, viewer) != event for viewer in [*eyes, *former]
            ):
                return True
    return False


def fork(timeline: Timeline, version: int, origin: str, opening: Open) -> list[Decision]:
    """The decisions of a new match that begins as this one stood at the version.

    Only what still counted then comes along, so the new log has no holes. ``opening`` gives
    the seats (all filled), the owner and a seed of the new match's own; its ``forked_from`` and
    ``source`` are set here, and the version of the rules stays that of the match it comes from.
    Raises `Refused` when the game had not begun by then.
    """
    moment = timeline.at(version)
    if moment.status == "finished":
        raise Refused("match_over", "The match was over by then.")
    complete = timeline.moments[timeline.index(version)]
    kept = [timeline.decisions[i] for i in reversed([*timeline.line(complete)])]
    if not kept:
        raise Refused("not_started", "The game had not begun by then.")
    drawn = sum(len(decision.draws) for decision in kept)
    opening = replace(
        opening,
        rules_version=complete.opened.rules_version,
        forked_from=Origin(origin, complete.version, drawn),
        source=_SOURCE_OF_FORK[timeline.now.opened.source],
    )
    first = Timeline(timeline.rules).act(None, [opening], kept[0].at, seeded)
    return [*first, *_renumbered(kept, first[-1].last_version)]


_SOURCE_OF_FORK = {"": "", HERE: HERE, FROM_FILE: FROM_FILE, SIGNED_FILE: HERE, PHONE: PHONE}
"""Only moves come along, and those of a signed file the service has seen being made."""


def _renumbered(decisions: list[Decision], version: int) -> Iterator[Decision]:
    for decision in decisions:
        yield replace(decision, version=version + 1)
        version += len(decision.events)
