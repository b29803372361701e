"""What is to be told of one commit, and to whom: a pure function of the match before and after.

Nothing here holds a word of what happened, only that something did: what a notice says is made
when it is sent, from what a spectator may see then.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from domain.answers.viewing import is_for_review, waiting_for
from domain.match import (
    Decision,
    Moment,
    Said,
    Timeline,
    by_itself,
    free_seats,
    moved_for,
    requests,
)
from service.notices import timeouts

Kind = Literal["turn", "proposal", "word", "over", "rematch", "reminder", "plan", "time"]
"""A turn has come; a take-back is asked for, or a vote; somebody said something; the match is
over; the same people are asked for another, or decline it; time runs short; what was planned was
dropped; time is up, or a seat went to a bot or back to its person."""
KINDS: tuple[Kind, ...] = (
    *("turn", "proposal", "word", "over", "rematch", "reminder", "plan", "time"),
)
LATER: tuple[Kind, ...] = ("time",)
"""Kinds that releases which people still have wishes from did not know."""
RecoveryKind = Literal["recovery", "recovered"]
"""Somebody asks to let the person in on another device, or one of the others is to agree to that;
the person's seat has gone to another device."""
URGENT: tuple[RecoveryKind, ...] = ("recovery", "recovered")
"""Kinds that are told by every channel, at any time: a seat may be lost by not hearing of them."""
NEWS: tuple[Kind, ...] = ("word", "over", "time")
"""Kinds that need no notification once the person has looked at the match."""
TURNS: tuple[Kind, ...] = ("turn", "reminder", "plan")
"""Those of them that a turn brings."""

_SEATS = 16


class Notice(Struct, frozen=True):
    """Something that a person is to hear. ``match``: its id; ``args``: what a kind needs to be
    told besides the match itself, plain values.

    There is at most one of a kind in what ``turn`` counts; ``version``: of the match since when.
    """

    player: str
    match: str
    kind: Kind | RecoveryKind
    turn: int
    version: int
    args: dict[str, Any] = field(default_factory=dict)


class Settled(Struct, frozen=True):
    """The match no longer waits for the person, as far as these kinds go. ``acted``: they did
    what it waited for themselves."""

    player: str
    match: str
    kinds: tuple[Kind | RecoveryKind, ...]
    acted: bool


class PlanPlayed(Struct, frozen=True):
    """A plan that a seat laid down at a version, ``since``, was played at another, ``version``."""

    match: str
    seat: int
    since: int
    version: int


class SeatMoved(Struct, frozen=True):
    """A seat went from one device to another; these are their players, ``others`` the other people
    at the table."""

    match: str
    seat: int
    old: str
    new: str
    others: tuple[str, ...]


class Told(Struct, frozen=True):
    """What one commit tells. ``played``: the plan that it plays, told to its person at the table
    only. ``moved``: seats that went to another device."""

    notices: tuple[Notice, ...] = ()
    settled: tuple[Settled, ...] = ()
    played: PlanPlayed | None = None
    moved: tuple[SeatMoved, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.notices or self.settled or self.played or self.moved)


NOTHING = Told()


def told(match: str, before: Timeline | None, after: Timeline, *, by_bot: bool = False) -> Told:
    """What is to be told once ``after`` is saved; ``before`` is None for a match that is new.

    ``by_bot``: a bot has made the decisions. Who acted themselves is there and hears nothing of it;
    nor does who plays only with bots, for bots answer at once.
    """
    now = after.now
    if before is None or not before.moments:
        return _told_of_new(match, before, after)
    then = before.now
    waited, waits = waiting_for(before, then), waiting_for(after, now)
    fresh = after.decisions.tail(len(before.decisions))
    timed = [] if is_for_review(after) else _of_time(match, then, after, fresh, by_bot)
    # Most steps are in the middle of a turn; to know that must cost next to nothing.
    same_votes = _is_same_company(then, now) or _votes_on(then) == _votes_on(now)
    if waited == waits and same_votes and _is_same_but_turns(then, now):
        return Told(tuple(timed)) if timed else NOTHING
    if is_for_review(after):
        return NOTHING
    people = now.people()
    if len(people) < 2 and len(then.people()) < 2 and same_votes:
        return Told(tuple(timed)) if timed else NOTHING
    actors = _actors(then, now, fresh)
    settled = _settled(match, (then, waited), (now, waits), actors)
    settled += _settled_recovery(match, then, now)
    moved = _moved(match, then, now)
    if len(people) < 2:  # Nobody is left but who may be asked about the seats of the others.
        asked = () if same_votes else tuple(_votes(match, then, now, actors))
        return Told((*timed, *asked), tuple(settled), moved=moved)
    notices = timed + _turns(match, (then, waited), (now, waits), actors)
    if now.proposal is not None and then.proposal is None:
        notices += _to_others(match, "proposal", now.version, now, actors)
    if not same_votes:
        notices += _votes(match, then, now, actors)
    if then.said != now.said:
        notices += _words(match, fresh, after)
    if now.status == "finished" and then.status != "finished":
        notices += _to_others(match, "over", 0, now, actors)
    notices += _recovery(match, then, now, actors)
    notices += [_recovered(each, now) for each in moved]
    return Told(tuple(notices), tuple(settled), moved=moved)


def _of_time(
    match: str, then: Moment, after: Timeline, fresh: Sequence[Decision], by_bot: bool
) -> list[Notice]:
    """Of time that is up, and of seats that go to a bot or back."""
    return [
        Notice(
            player,
            match,
            "time",
            turn_id(timeouts.number_of(what, count), seat),
            after.version,
            {"what": what, "seat": seat},
        )
        for player, what, seat, count in timeouts.news_of(then, after, fresh, by_bot)
    ]


def _told_of_new(match: str, before: Timeline | None, after: Timeline) -> Told:
    """Of a match that nothing was told of: ``before`` is None, or holds no step yet."""
    now = after.now
    if is_for_review(after):
        return NOTHING
    asked = tuple(_asked(match, now)) if before is None else ()
    if len(now.people()) < 2:
        return Told(asked)
    fresh = after.decisions.tail(len(before.decisions) if before else 0)
    actors = _actors(None, now, fresh)
    notices = _turns(match, None, (now, waiting_for(after, now)), actors)
    if now.proposal is not None:
        notices += _to_others(match, "proposal", now.version, now, actors)
    notices += [*_votes(match, None, now, actors), *_words(match, fresh, after)]
    if now.status == "finished":
        notices += _to_others(match, "over", 0, now, actors)
    return Told((*asked, *notices))


def _is_same_company(then: Moment, now: Moment) -> bool:
    """Whether the same people sit with the same time: nothing then changed that is voted on."""
    return (
        then.seats is now.seats
        and then.clocks is now.clocks
        and then.status == now.status
        and then.losses is now.losses
    )


def _is_same_but_turns(then: Moment, now: Moment) -> bool:
    """Whether nothing changed that is told, as far as it is not whose turn it is."""
    return (
        then.seats is now.seats
        and then.status == now.status
        and then.proposal is now.proposal
        and then.recovery is now.recovery
        and then.said == now.said
    )


def _actors(then: Moment | None, now: Moment, fresh: Iterable[Decision]) -> set[str | None]:
    """Who did the decisions themselves."""
    bots_for = moved_for(then) if then else ()
    return {
        now.seats[d.seat].player
        for d in fresh
        if d.seat is not None and not by_itself(d) and d.seat not in bots_for
    }


def turn_of(moment: Moment, seat: int) -> int:
    """A number that a turn of a seat keeps until the seat has made a step that counts, and that
    no other turn of the match has."""
    return turn_id(moment.latest[seat] + 1, seat)


def turn_id(count: int, seat: int) -> int:
    """One number for a count at a seat."""
    return count * _SEATS + seat


def seat_of_turn(turn: int) -> int:
    """The seat of a number that `turn_id` made."""
    return turn % _SEATS


def _asked(match: str, now: Moment) -> Iterable[Notice]:
    """For whom a new match holds a seat: they are asked for a game."""
    held = {seat.player for seat in now.seats if seat.kind == "open" and seat.player}
    for player in sorted(held - now.people()):
        yield Notice(player, match, "rematch", 0, now.version)


def declined(host: str, match: str, seat: int, name: str, version: int) -> Notice:
    """A person, by ``name``, does not want the seat that the host kept for them: the answer to
    being asked for a game."""
    return Notice(host, match, "rematch", 1 + seat, version, {"declined": name})


_Waits = tuple[Moment, tuple[int, ...]]
"""A moment and the seats the match waits for then."""


def _turns(
    match: str, earlier: _Waits | None, later: _Waits, actors: Collection[str | None]
) -> list[Notice]:
    (now, acting), found = later, []
    then, waited = earlier or (None, ())
    seen = set(actors)
    for seat in acting:
        chair = now.seats[seat]
        player = chair.player
        if chair.kind != "human" or player is None or player in seen:
            continue
        if seat not in waited or (then and then.seats[seat].player != player):
            seen.add(player)
            found.append(Notice(player, match, "turn", turn_of(now, seat), now.version))
    return found


def _to_others(
    match: str, kind: Kind, turn: int, now: Moment, actors: Collection[str | None]
) -> list[Notice]:
    """One for everybody at the table but the actors."""
    players = sorted(p for p in now.people() if p and p not in actors)
    return [Notice(player, match, kind, turn, now.version) for player in players]


def undecided(moment: Moment, player: str) -> list[int]:
    """The seats about which somebody is asked: free ones and those whose time has run out, of
    which a bot may have them; those that a bot has and whose person asks to have them back."""
    return [
        seat
        for seat, agreed in _votes_on(moment)
        if player not in agreed and moment.seats[seat].player != player
    ]


def _votes_on(moment: Moment) -> Sequence[tuple[int, Collection[str]]]:
    """The seats about which the others are asked, and who of them agrees already."""
    pace = moment.opened.pace
    free: list[tuple[int, Collection[str]]] = [(seat, ()) for seat in free_seats(moment)]
    if moment.losses and moment.status == "playing":
        free += [(loss.seat, (loss.player, *loss.agreed)) for loss in requests(moment)]
    if pace is None or pace.on_end != "vote" or moment.status != "playing":
        return free
    return free + [
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


def _recovery(
    match: str, then: Moment, now: Moment, actors: Collection[str | None]
) -> Iterable[Notice]:
    """Somebody may object to a request, the others are to agree to it."""
    request = now.recovery
    if request is None or (then.recovery and then.recovery.version == request.version):
        return
    owner = now.seats[request.about].player
    for player in sorted(p for p in now.people() if p):
        if player == owner or (player not in actors and player not in request.agreed):
            args = {"seat": request.about}
            yield Notice(player, match, "recovery", request.version, request.version, args)


def is_asked_about_recovery(now: Moment, player: str, version: int) -> bool:
    """Whether the request of a version is open and the player may object to it, or has not agreed
    to it yet."""
    request = now.recovery
    if request is None or request.version != version or player not in now.people():
        return False
    return now.seats[request.about].player == player or player not in request.agreed


def _settled_recovery(match: str, then: Moment, now: Moment) -> list[Settled]:
    """Who need no longer answer a request: it has ended, or they have agreed."""
    before, after = then.recovery, now.recovery
    if before is None or before is after:
        return []
    if after is None or after.version != before.version:
        answered = {p for p in then.people() if p}
    else:
        answered = set(after.agreed) - set(before.agreed)
    return [Settled(player, match, ("recovery",), True) for player in sorted(answered)]


def _moved(match: str, then: Moment, now: Moment) -> tuple[SeatMoved, ...]:
    people = sorted(p for p in then.people() | now.people() if p)
    return tuple(
        SeatMoved(match, seat, old, new, tuple(p for p in people if p not in (old, new)))
        for seat, old, new in now.moved[len(then.moved) :]
    )


def _recovered(moved: SeatMoved, now: Moment) -> Notice:
    """Tell the device that lost the seat."""
    number = turn_id(now.version, moved.seat)
    args = {"seat": moved.seat}
    return Notice(moved.old, moved.match, "recovered", number, now.version, args)


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
    match: str, earlier: _Waits, later: _Waits, actors: Collection[str | None]
) -> list[Settled]:
    then, now = earlier[0], later[0]
    left = _awaited(*earlier) - _awaited(*later)
    found = [Settled(player, match, TURNS, player in actors) for player in sorted(left)]
    if now.proposal is not None or (then.proposal is None and not _votes_on(then)):
        return found
    for player in sorted(p for p in then.people() if p):
        decided = undecided(then, player) and not undecided(now, player)
        if decided or then.proposal is not None:
            found.append(Settled(player, match, ("proposal",), True))
    return found


def _awaited(moment: Moment, waits: Iterable[int]) -> set[str]:
    """The people the match waits for."""
    seats = [moment.seats[seat] for seat in waits]
    return {seat.player for seat in seats if seat.kind == "human" and seat.player}
