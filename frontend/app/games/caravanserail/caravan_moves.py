"""The positions and journeys of caravans, reconstructed from the events."""

from typing import Any

from domain.games.caravanserail.board import CARAVANS_PER_SEAT
from frontend.app.contract.model import Match
from frontend.app.core.i18n import join_and, join_sentences
from frontend.app.core.types import Event
from frontend.app.games.caravanserail.i18n import t


def describe_moves(match: Match, event: Event) -> str:
    """Describe the moves of all caravans in a `CaravansMoved` event in sentences."""
    parts = []
    for seat, gone_by in enumerate(moves_by_seat(match, event)):
        moves = [_describe_move(n + 1, begin, to) for n, (begin, to) in gone_by if begin != to]
        if moves:
            parts.append(t("move.player", name=match.names[seat], ways=join_and(moves)))
    return join_sentences([t("moved"), *parts]) if parts else t("move.none")


def moves_by_seat(match: Match, event: Event) -> list[Any]:
    """Return the moves ``(caravan, (from, to))`` of a `CaravansMoved` event, by seat."""
    before = positions_at(match, match.version_before(event["version"]))
    after = event["data"]["positions"]
    return [
        [(n, (before[seat][n], to)) for n, to in enumerate(row)] for seat, row in enumerate(after)
    ]


def positions_at(match: Match, version: int) -> list[list[Any]]:
    """Return the positions of all caravans at a version, by seat; None before a home is chosen."""
    homes = {}
    for event in match.standing_events(version):
        if event["type"] == "CaravansMoved":
            return event["data"]["positions"]
        if event["type"] == "HomeChosen":
            homes[event["data"]["seat"]] = event["data"]["place"]
    return [[homes.get(seat)] * CARAVANS_PER_SEAT for seat in range(len(match.names))]


def _describe_move(n: int, begin: Any, to: str) -> str:
    """Return a short description of a move; a trail is named by the place it leads to."""
    if len(to) == 1:
        return t("move.to_place", n=n, begin=begin, to=to)
    return t("move.towards", n=n, begin=begin[0], to=to[1])
