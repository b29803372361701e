"""Checks for hidden information before a match is forked."""

from collections.abc import Sequence

from domain.match.events import is_kernel
from domain.match.losses import Loss
from domain.match.seats import Seat
from domain.match.secrecy import match_keeps_secrets
from domain.match.timeline import Timeline


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


def adds_uninformed_players(
    timeline: Timeline, version: int, seats: tuple[Seat, ...], player: str
) -> bool:
    """Return whether a fork has players who know less than ``player`` about its secrets.

    ``seats``: the seats of the fork. A player who has seen secrets of the match may continue only
    alone or with bots. The players of a finished match all know its secrets and may continue
    together, but nobody else may join.
    """
    now = timeline.latest
    others = [seat.player for seat in seats if seat.kind != "bot" and seat.player != player]
    if now.status == "finished":
        people = {seat.player for seat in now.seats if seat.kind == "human"}
        others = [other for other in others if other not in people]
    return bool(others) and had_secrets(timeline, version)


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
