"""What the read models know of a match: pure functions of its timeline.

Nothing in a summary is hidden from anybody who may see the match listed: no seed, no cards, no
secret of a game. Player ids say whose list a match belongs in; they are not shown.
"""

import msgspec
from msgspec import Struct

from domain.match import Timeline


class SeatSummary(Struct, frozen=True, array_like=True):
    """A seat as lists show it; ``player`` is None for bots and open seats."""

    kind: str
    name: str
    player: str | None


class Summary(Struct, frozen=True):
    """A match in a list. Times are milliseconds since 1970 UTC.

    ``deadline``: when the clock has to act for seats that have not, None for never; ``parent``
    and ``parent_version``: what a fork began from.
    """

    id: str
    game: str
    status: str
    visibility: str
    owner: str
    version: int
    turn: int
    seats: tuple[SeatSummary, ...]
    to_act: tuple[int, ...]
    created: int
    updated: int
    deadline: int | None
    parent: str | None = None
    parent_version: int | None = None

    @property
    def members(self) -> tuple[str, ...]:
        """The players in whose list the match belongs: owner and seat holders, sorted."""
        holders = {seat.player for seat in self.seats if seat.player is not None}
        return tuple(sorted(holders | {self.owner}))


class Result(Struct, frozen=True):
    """How a person's seat did in a finished match."""

    seat: int
    player: str
    rank: int
    score: int


_SEATS = msgspec.json.Decoder(tuple[SeatSummary, ...])


def seats_of(text: str) -> tuple[SeatSummary, ...]:
    """Reads the seats of a stored row."""
    return _SEATS.decode(text)


def summary_of(match_id: str, timeline: Timeline) -> Summary:
    """The summary of a match as it stands."""
    now = timeline.now
    begun = now.state is not None
    origin = now.opened.forked_from
    return Summary(
        id=match_id,
        game=now.opened.game,
        status=now.status,
        visibility=now.opened.visibility,
        owner=now.opened.owner,
        version=timeline.version,
        turn=timeline.rules.turn(now.state) if begun else 0,
        seats=tuple(SeatSummary(s.kind, s.name, s.player) for s in now.seats),
        to_act=timeline.to_act(now) if begun else (),
        created=timeline.decisions[0].at,
        updated=timeline.decisions[-1].at,
        deadline=_due(timeline),
        parent=origin.match if origin else None,
        parent_version=origin.version if origin else None,
    )


def _due(timeline: Timeline) -> int | None:
    """When the clock has to act: at once where bots stopped half-way, else at the deadline."""
    now = timeline.now
    if now.state is not None:
        acting = timeline.to_act(now)
        if any(now.seats[seat].kind == "bot" for seat in acting):
            return timeline.decisions[-1].at
    return deadline_of(timeline)


def deadline_of(timeline: Timeline) -> int | None:
    """When the time of the present phase is over, in milliseconds; None for no limit.

    A phase began with the first decision after which the game spoke of a limit in this turn.
    """
    now = timeline.now
    if now.status != "playing" or now.state is None:
        return None
    limit = timeline.rules.time_limit(now.state)
    if limit is None:
        return None
    turn = timeline.rules.turn(now.state)
    began = None
    for index in timeline.line(now):
        state = timeline.moments[index].state
        if timeline.rules.turn(state) != turn or timeline.rules.time_limit(state) is None:
            break
        began = timeline.decisions[index].at
    return None if began is None else began + limit[0] * 1000


def results_of(timeline: Timeline) -> list[Result]:
    """How the people did; empty until the match is finished."""
    now = timeline.now
    standings = timeline.standings(now)
    if standings is None:
        return []
    results = []
    for standing in standings:
        player = now.seats[standing.seat].player
        if player is not None:
            results.append(Result(standing.seat, player, standing.rank, standing.score))
    return results
