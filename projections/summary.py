"""Summaries of matches for the read models: pure functions of a timeline.

A summary contains nothing that is hidden from players in whose lists the match appears: no seed, no
cards, no secrets of a game. Its player ids determine in whose lists the match appears; they are not
shown.
"""

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.match.deadlines import next_check_at, seat_deadlines
from domain.match.losses import loss_of
from domain.match.moment import Moment
from domain.match.time_control import Pace, TimeControlKind
from domain.match.timeline import Timeline


class SeatSummary(Struct, frozen=True, array_like=True):
    """A seat in lists.

    ``player``: None for bots and unreserved open seats. ``ends``: when its clock runs out, in
    milliseconds since 1970 UTC; None while none runs. ``lost_by``: the player who lost it on time
    or by a vote and has not got it back.
    """

    kind: str
    name: str
    player: str | None
    ends: int | None = None
    lost_by: str | None = None


class PaceSummary(Struct, frozen=True, array_like=True):
    """A time control in lists; see `domain.match.time_control.Pace`."""

    kind: TimeControlKind
    bank: int
    increment: int
    days: int


class Summary(Struct, frozen=True):
    """A match in a list; times are milliseconds since 1970 UTC.

    ``deadline``: when the scheduler must act on the match or remind a seat, None for never.
    ``parent`` and ``parent_version``: the match and version that a fork began from. ``source``: see
    `domain.match.commands.Open`. ``departed``: players who left the match of their own accord after
    it had begun. ``pace``: the time control, None for unlimited time, UNSET if the summary was
    stored by a release that did not store it.
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
    source: str = ""
    departed: tuple[str, ...] = ()
    pace: PaceSummary | UnsetType | None = UNSET

    @property
    def members(self) -> tuple[str, ...]:
        """The players in whose lists the match appears, sorted.

        They are the owner, the holders of seats and the players who lost a seat on time or by a
        vote and have not got it back.
        """
        lost = {seat.lost_by for seat in self.seats if seat.lost_by is not None}
        return tuple(sorted(self._players("human") | lost | {self.owner}))

    @property
    def departed_players(self) -> tuple[str, ...]:
        """The players who left of their own accord and hold no seat in the match, sorted."""
        return tuple(sorted(set(self.departed) - self._players("human")))

    @property
    def invited(self) -> tuple[str, ...]:
        """The players for whom a seat is reserved, sorted."""
        return tuple(sorted(self._players("open")))

    def _players(self, kind: str) -> set[str]:
        seats = [seat for seat in self.seats if seat.kind == kind]
        return {seat.player for seat in seats if seat.player is not None}


class Result(Struct, frozen=True):
    """The result of a person's seat in a finished match."""

    seat: int
    player: str
    rank: int
    score: int


class ValueOutOfRange(Exception):
    """Error for a value out of the range of tables or calendars; the message omits the value."""


MAX_BIGINT = 2**63 - 1
"""Maximum value of a BIGINT column."""
END_OF_CALENDAR_MS = 253_402_300_800_000
"""The beginning of the year 10,000, in milliseconds since 1970 UTC."""


def check_ranges(timeline: Timeline, summary: Summary, results: "list[Result]") -> None:
    """Raise `ValueOutOfRange` if a value of the match cannot be stored or shown as a time.

    Such a match cannot be imported, but if the log contains one, it must not affect other matches.
    """
    # Decisions that are not loaded were checked before the snapshot was made.
    times = [each.at for each in timeline.decisions.tail(timeline.decisions.unloaded)]
    if times and not 0 <= min(times) <= max(times) < END_OF_CALENDAR_MS:
        raise ValueOutOfRange("clock")
    numbers = [summary.version, summary.turn, summary.deadline or 0, summary.parent_version or 0]
    numbers += [result.score for result in results]
    if not all(-MAX_BIGINT <= number <= MAX_BIGINT for number in numbers):
        raise ValueOutOfRange("number")
    texts = [summary.visibility, summary.owner, summary.parent or "", *summary.members]
    texts += [seat.name for seat in summary.seats]
    if any("\0" in text for text in texts):
        raise ValueOutOfRange("text")


decode_seats = msgspec.json.Decoder(tuple[SeatSummary, ...]).decode
"""Decodes the seats of a stored row."""
_PACE_DECODER: msgspec.json.Decoder[PaceSummary | None] = msgspec.json.Decoder(PaceSummary | None)
decode_pace = _PACE_DECODER.decode
"""Decodes the time control of a stored row."""


def summary_of(match_id: str, timeline: Timeline) -> Summary:
    """Return the summary of a match at its latest version.

    A match without a seed was imported unfinished from a file: no seat is to act, and no clock
    runs.
    """
    now = timeline.latest
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
        seats=tuple(
            SeatSummary(s.kind, s.name, s.player, ends, _lost_by(now, number))
            for number, (s, ends) in enumerate(
                zip(now.seats, seat_deadlines(timeline), strict=True)
            )
        ),
        to_act=timeline.to_act(now) if begun and now.opened.seed else (),
        created=timeline.began_at,
        updated=timeline.decisions[-1].at,
        deadline=next_check_at(timeline),
        parent=origin.match if origin else None,
        parent_version=origin.version if origin else None,
        source=now.opened.source,
        departed=now.departed,
        pace=_pace_summary(now.opened.pace),
    )


def _pace_summary(pace: Pace | None) -> PaceSummary | None:
    if pace is None:
        return None
    return PaceSummary(pace.kind, pace.bank, pace.increment, pace.days)


def _lost_by(now: Moment, seat: int) -> str | None:
    loss = loss_of(now, seat)
    return None if loss is None else loss.player


def results_of(timeline: Timeline) -> list[Result]:
    """Return the results of the seats held by people; empty until the match is finished."""
    now = timeline.latest
    standings = timeline.standings(now)
    if standings is None:
        return []
    results = []
    for standing in standings:
        seat = now.seats[standing.seat]
        player = seat.player if seat.kind == "human" else None
        if player is not None:
            results.append(Result(standing.seat, player, standing.rank, standing.score))
    return results
