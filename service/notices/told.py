"""What is to be told of one commit, and to whom: a pure function of the match before and after.

Nothing here holds a word of what happened, only that something did: what a notice says is made
when it is sent, from what a spectator may see then.
"""

from collections.abc import Collection, Iterable
from typing import Any, Literal

from msgspec import Struct, field

from domain.answers.viewing import is_for_review, waiting_for
from domain.match import Moment, Said, Timeline, by_itself, moved_for

Kind = Literal["turn", "proposal", "word", "over", "rematch", "reminder", "plan"]
"""A turn has come; a take-back is asked for, or a vote; somebody said something; the match is
over; the same people are asked for another; time runs short; what was planned was dropped."""
KINDS: tuple[Kind, ...] = ("turn", "proposal", "word", "over", "rematch", "reminder", "plan")
STANDING: tuple[Kind, ...] = ("turn", "proposal", "reminder", "plan")
"""Kinds that hold only as long as the match waits for the person."""

_SEATS = 16


class Notice(Struct, frozen=True):
    """Something that a person is to hear. ``match``: its id; ``args``: what a kind needs to be
    told besides the match itself, plain values.

    There is at most one of a kind in what ``turn`` counts; ``version``: of the match since when.
    """

    player: str
    match: str
    kind: Kind
    turn: int
    version: int
    args: dict[str, Any] = field(default_factory=dict)


class Settled(Struct, frozen=True):
    """The match no longer waits for the person, as far as these kinds go. ``acted``: they did
    what it waited for themselves."""

    player: str
    match: str
    kinds: tuple[Kind, ...]
    acted: bool


class PlanPlayed(Struct, frozen=True):
    """A plan that a seat laid down at a version, ``since``, was played at another, ``version``."""

    match: str
    seat: int
    since: int
    version: int


class Told(Struct, frozen=True):
    """What one commit tells. ``played``: the plan that it plays, told to its person at the table
    only."""

    notices: tuple[Notice, ...] = ()
    settled: tuple[Settled, ...] = ()
    played: PlanPlayed | None = None

    def __bool__(self) -> bool:
        return bool(self.notices or self.settled or self.played)


NOTHING = Told()


def told(match: str, before: Timeline | None, after: Timeline) -> Told:
    """What is to be told once ``after`` is saved; ``before`` is None for a match that is new.

    Who acted themselves is there and hears nothing of it; nor does who plays only with bots, for
    bots answer at once.
    """
    now = after.now
    then = before.now if before and before.moments else None
    if before is not None and then is not None and _nothing_changed(before, then, after, now):
        return NOTHING
    if is_for_review(after):
        return NOTHING
    people = now.people()
    asked = tuple(_asked(match, now)) if before is None else ()
    if len(people) < 2 and (then is None or len(then.people()) < 2):
        return Told(asked)
    fresh = after.decisions.tail(len(before.decisions) if before else 0)
    bots_for = moved_for(then) if then else []
    acted = [d.seat for d in fresh if d.seat is not None and not by_itself(d)]
    actors = {now.seats[seat].player for seat in acted if seat not in bots_for}
    settled = tuple(_settled(match, then, before, after, actors))
    if len(people) < 2:
        return Told(asked, settled)
    notices = [
        *_turns(match, then, after, actors),
        *_proposals(match, then, now, actors),
        *_votes(match, then, now, actors),
        *_words(match, fresh, after),
    ]
    if now.status == "finished" and (then is None or then.status != "finished"):
        heirs = sorted(p for p in people if p and p not in actors)
        notices += [Notice(player, match, "over", 0, now.version) for player in heirs]
    return Told((*asked, *notices), settled)


def _nothing_changed(before: Timeline, then: Moment, after: Timeline, now: Moment) -> bool:
    """Most steps are in the middle of a turn; to know that must cost next to nothing."""
    return (
        then.seats is now.seats
        and then.status == now.status
        and then.proposal is now.proposal
        and then.said == now.said
        and waiting_for(before, then) == waiting_for(after, now)
        and _votes_on(then) == _votes_on(now)
    )


def turn_of(moment: Moment, seat: int) -> int:
    """A number that a turn of a seat keeps until the seat has made a step that counts, and that
    no other turn of the match has."""
    return turn_id(moment.latest[seat] + 1, seat)


def turn_id(count: int, seat: int) -> int:
    """One number for a count at a seat."""
    return count * _SEATS + seat


def _asked(match: str, now: Moment) -> Iterable[Notice]:
    """For whom a new match holds a seat: they are asked for a game."""
    held = {seat.player for seat in now.seats if seat.kind == "open" and seat.player}
    for player in sorted(held - now.people()):
        yield Notice(player, match, "rematch", 0, now.version)


def _turns(
    match: str, then: Moment | None, after: Timeline, actors: Collection[str | None]
) -> Iterable[Notice]:
    now = after.now
    acting = waiting_for(after, now)
    waited = waiting_for(after, then) if then else ()
    seen = set(actors)
    for seat in acting:
        player = now.seats[seat].player
        if now.seats[seat].kind != "human" or player is None or player in seen:
            continue
        if seat not in waited or (then and then.seats[seat].player != player):
            seen.add(player)
            yield Notice(player, match, "turn", turn_of(now, seat), now.version)


def _proposals(
    match: str, then: Moment | None, now: Moment, actors: Collection[str | None]
) -> Iterable[Notice]:
    if now.proposal is None or (then and then.proposal is not None):
        return
    for player in sorted(p for p in now.people() if p and p not in actors):
        yield Notice(player, match, "proposal", now.version, now.version)


def undecided(moment: Moment, player: str) -> list[int]:
    """The seats whose time has run out and of which somebody may still say that a bot is to have
    them."""
    return [
        seat
        for seat, agreed in _votes_on(moment)
        if player not in agreed and moment.seats[seat].player != player
    ]


def _votes_on(moment: Moment) -> list[tuple[int, Collection[str]]]:
    """The seats about which the others are asked, and who of them agrees already."""
    pace = moment.opened.pace
    if pace is None or pace.on_end != "vote" or moment.status != "playing":
        return []
    return [
        (seat, clock.for_bot)
        for seat, clock in enumerate(moment.clocks)
        if clock.out and moment.seats[seat].kind == "human"
    ]


def _votes(
    match: str, then: Moment | None, now: Moment, actors: Collection[str | None]
) -> Iterable[Notice]:
    known = {seat for seat, _agreed in _votes_on(then)} if then else set()
    if {seat for seat, _agreed in _votes_on(now)} <= known:
        return
    for player in sorted(p for p in now.people() if p and p not in actors):
        if undecided(now, player):
            yield Notice(player, match, "proposal", now.version, now.version)


def _words(match: str, fresh: Iterable[Any], after: Timeline) -> Iterable[Notice]:
    """Words are told once in a turn of whoever hears them, however many there are."""
    now = after.now
    for decision in fresh:
        for version, event in enumerate(decision.events, start=decision.version):
            if not isinstance(event, Said) or event.seat is None:
                continue
            speaker = now.seats[event.seat].player
            for seat, chair in enumerate(now.seats):
                heard = event.to in (None, seat)
                if chair.kind == "human" and chair.player not in (None, speaker) and heard:
                    number = turn_of(now, seat) if now.latest else seat
                    yield Notice(str(chair.player), match, "word", number, version)


def _settled(
    match: str,
    then: Moment | None,
    before: Timeline | None,
    after: Timeline,
    actors: Collection[str | None],
) -> Iterable[Settled]:
    if then is None or before is None:
        return
    now = after.now
    left = _awaited(before, then) - _awaited(after, now)
    for player in sorted(left):
        yield Settled(player, match, ("turn", "reminder", "plan"), player in actors)
    if now.proposal is not None:
        return
    for player in sorted(p for p in then.people() if p):
        decided = undecided(then, player) and not undecided(now, player)
        if decided or then.proposal is not None:
            yield Settled(player, match, ("proposal",), True)


def _awaited(timeline: Timeline, moment: Moment) -> set[str]:
    seats = (moment.seats[seat] for seat in waiting_for(timeline, moment))
    return {seat.player for seat in seats if seat.kind == "human" and seat.player}
