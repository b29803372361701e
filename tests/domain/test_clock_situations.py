"""The rows of the clock tables and of the vote table: which one applies, and its effect."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.match.clock_changes import (
    EVENT_SITUATIONS,
    RUN_SITUATIONS,
    TURN_SITUATIONS,
    Change,
    Situation,
)
from domain.match.clocks import SeatClock
from domain.match.commands import Vote
from domain.match.events import (
    CameBack,
    SeatLeft,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    TimeRanOut,
    Voted,
    WentAway,
)
from domain.match.moment import Moment, Recovery
from domain.match.seats import Refused, Seat
from domain.match.time_control import Pace
from domain.match.votes import VOTE_SITUATIONS, Ballot, cast_vote
from domain.toolkit.randomness import draws_from_seed
from tests.domain.test_clock_rules import table
from tests.domain.test_pace import MONDAY
from tests.domain.toy import Take

LIVE = Pace("live", bank=600, increment=5, minimum=20)
NOW = MONDAY + 60_000
FULL_MS = 600_000
RUNNING = SeatClock(FULL_MS, since=MONDAY, asked=True)
WAITING = SeatClock(FULL_MS)


def moment(**changes: Any) -> Moment:
    """Return the first moment of a match of Ann, Bob and Cid."""
    return replace(table(LIVE, "ann", "bob", "cid").latest, **changes)


def by_rules(version: Any, **changes: Any) -> Moment:
    found = moment(**changes)
    return replace(found, opened=replace(found.opened, clock_rules=version))


def decision(**changes: Any) -> Change:
    """Return a decision of Bob, after which Ann (seat 0) is to act."""
    default = Change(
        pace=LIVE,
        at=NOW,
        before=moment(),
        after=moment(),
        acting=(0,),
        is_new_turn=False,
        is_take_back=False,
        mover="bob",
        counts_turns=True,
    )
    return replace(default, **changes)


def apply_first(
    rows: tuple[Situation, ...], change: Change, clock: SeatClock
) -> tuple[str, SeatClock]:
    row = next(row for row in rows if row.applies(change, 0, clock))
    return row.name, row.effect(change, 0, clock)


# --- turns --------------------------------------------------------------------------------------

BEGUN = SeatClock(FULL_MS + 5000, asked=True, turns=1, given=5000)
TURNS: dict[str, list[Any]] = {
    "same turn, or not to act": [
        (decision(), RUNNING, RUNNING),
        (decision(acting=()), WAITING, WAITING),
        (decision(acting=(), is_new_turn=True), WAITING, WAITING),
        (decision(after=moment(seats=(Seat("bot", "Bot"),) * 3)), WAITING, WAITING),
    ],
    "turn ends": [
        (
            decision(acting=(1,)),
            replace(RUNNING, out=True, for_bot=("bob",), turns=3, given=7),
            SeatClock(FULL_MS - 60_000, turns=3, given=7),
        ),
    ],
    "turn continues after a take-back, clock rules 1": [
        (
            decision(is_take_back=True, counts_turns=False),
            SeatClock(900, kept_for="ann", away=True, for_bot=("bob",)),
            SeatClock(900, asked=True, kept_for="ann", away=True),
        ),
    ],
    "turn continues after a take-back, clock rules 2": [
        (decision(is_take_back=True), SeatClock(900, turns=3), SeatClock(900, asked=True, turns=3)),
        (decision(is_take_back=True), SeatClock(0), SeatClock(0, asked=True, out=True)),
    ],
    "turn begins, clock rules 1": [
        (decision(counts_turns=False), WAITING, SeatClock(FULL_MS + 5000, asked=True)),
        (
            decision(counts_turns=False, is_new_turn=True),
            RUNNING,
            SeatClock(FULL_MS - 60_000 + 5000, asked=True),
        ),
    ],
    "turn begins by a move of the seat's own player, clock rules 2": [
        (
            decision(mover="ann", is_new_turn=True),
            replace(RUNNING, turns=1),
            SeatClock(
                FULL_MS - 60_000 + 5000,
                asked=True,
                turns=2,
                given=5000,
                earlier=((1, FULL_MS - 60_000),),
            ),
        ),
    ],
    "turn begins by a move of another, clock rules 2": [
        (decision(), WAITING, BEGUN),
        (decision(mover=None), WAITING, BEGUN),
        (decision(), SeatClock(0), SeatClock(20_000, asked=True, turns=1, given=20_000)),
        (
            decision(),
            SeatClock(FULL_MS, earlier=((1, 700),)),
            SeatClock(700, asked=True, turns=1, given=700 - FULL_MS, earlier=((1, 700),)),
        ),
        (
            decision(),
            SeatClock(FULL_MS, earlier=((1, 0),)),
            SeatClock(0, asked=True, out=True, turns=1, given=-FULL_MS, earlier=((1, 0),)),
        ),
    ],
}


def cases_of(cases: dict[str, list[Any]]) -> list[Any]:
    return [
        pytest.param(name, *case, id=f"{name} {number}")
        for name, some in cases.items()
        for number, case in enumerate(some, start=1)
    ]


@pytest.mark.parametrize(("name", "change", "clock", "after"), cases_of(TURNS))
def test_turn_situation(name: str, change: Change, clock: SeatClock, after: SeatClock) -> None:
    assert apply_first(TURN_SITUATIONS, change, clock) == (name, after)


# --- running and stopped clocks -----------------------------------------------------------------

STOPPED = replace(RUNNING, left=FULL_MS - 60_000, since=None)
REQUEST = Recovery(1, 0, "new", 1, 1, MONDAY, 2)
RUNS: dict[str, list[Any]] = {
    "not to act": [
        (decision(), WAITING, WAITING),
        (decision(), replace(RUNNING, asked=False), replace(STOPPED, asked=False)),
    ],
    "out of time": [(decision(), replace(RUNNING, out=True), replace(STOPPED, out=True))],
    "on vacation": [(decision(), replace(RUNNING, away=True), replace(STOPPED, away=True))],
    "being recovered": [(decision(after=moment(recovery=REQUEST)), RUNNING, STOPPED)],
    "left open, clock rules 1": [
        (
            decision(after=by_rules(1)),
            replace(RUNNING, kept_for="ann"),
            replace(STOPPED, kept_for="ann"),
        )
    ],
    "running": [
        (decision(), RUNNING, RUNNING),
        (decision(after=moment(recovery=replace(REQUEST, about=1))), RUNNING, RUNNING),
        (
            decision(after=by_rules(2)),
            replace(RUNNING, kept_for="ann"),
            replace(RUNNING, kept_for="ann"),
        ),
    ],
    "to start": [(decision(), replace(RUNNING, since=None), replace(RUNNING, since=NOW))],
}


@pytest.mark.parametrize(("name", "change", "clock", "after"), cases_of(RUNS))
def test_run_situation(name: str, change: Change, clock: SeatClock, after: SeatClock) -> None:
    assert apply_first(RUN_SITUATIONS, change, clock) == (name, after)


# --- events about a seat ------------------------------------------------------------------------

USED = replace(RUNNING, turns=3, given=7, for_bot=("cid",), away=True)
RESET = SeatClock(FULL_MS, turns=3, given=7)
EVENTS: dict[str, list[Any]] = {
    "time ran out": [
        (moment(), TimeRanOut(0, "nudge"), RUNNING, SeatClock(0, asked=True, out=True))
    ],
    "vacation began": [(moment(), WentAway(0), RUNNING, replace(RUNNING, away=True))],
    "vacation ended": [(moment(), CameBack(0), replace(RUNNING, away=True), RUNNING)],
    "vote cast or withdrawn": [
        (moment(), Voted(1, 0, True), USED, replace(USED, for_bot=("cid", "bob"))),
        (moment(), Voted(2, 0, True), USED, USED),
        (moment(), Voted(2, 0, False), USED, replace(USED, for_bot=())),
    ],
    "seat recovered: its player is present": [
        (moment(), SeatRecovered(0, "new", "pin"), USED, replace(USED, for_bot=(), away=False))
    ],
    "seat left open, clock rules 1: the clock stops": [
        (
            by_rules(1),
            SeatLeft(0, "Ann", "open"),
            RUNNING,
            replace(STOPPED, kept_for="ann"),
        )
    ],
    "seat left open, clock rules 2: the clock is kept": [
        (
            by_rules(2),
            SeatLeft(0, "Ann", "open"),
            USED,
            replace(USED, away=False, kept_for="ann"),
        )
    ],
    "seat lost or given up": [
        (moment(), SeatLeft(0, "Ann", "bot"), USED, RESET),
        (moment(status="open"), SeatLeft(0, "Ann", "open"), USED, RESET),
    ],
    "seat taken again by the player who left it": [
        (moment(), SeatTaken(0, "ann", "Ann"), replace(USED, kept_for="ann"), USED)
    ],
    "seat taken by a new player": [
        (moment(), SeatTaken(0, "dan", "Dan"), replace(USED, kept_for="ann"), RESET),
        (moment(), SeatTaken(0, "", "Dan"), USED, RESET),
    ],
    "seat reclaimed from a bot: a used-up bank stays empty": [
        (moment(), SeatReclaimed(0, "ann", "Ann"), USED, replace(RESET, left=0))
    ],
}


@pytest.mark.parametrize(("name", "before", "event", "clock", "after"), cases_of(EVENTS))
def test_event_situation(
    name: str, before: Moment, event: Any, clock: SeatClock, after: SeatClock
) -> None:
    rows = [row for row in EVENT_SITUATIONS if row.event is type(event)]
    row = next(row for row in rows if row.applies(LIVE, before, clock, event))
    assert row.name == name
    assert row.effect(LIVE, before, clock, event, NOW) == after


# --- votes --------------------------------------------------------------------------------------


def voting(*, pace: Pace | None = None, **changes: Any) -> Moment:
    """Return a moment at which the time of Ann (seat 0) has run out and the others vote."""
    found = moment(**changes)
    opened = replace(found.opened, pace=pace or replace(LIVE, on_end="vote"))
    clock = SeatClock(0, asked=True, out=True)
    return replace(found, opened=opened, clocks=changes.get("clocks", (clock, WAITING, WAITING)))


FREE = voting(seats=(Seat("open", ""), *moment().seats[1:]))
HALF = voting(clocks=(SeatClock(0, asked=True, out=True, for_bot=("bob",)), WAITING, WAITING))
VOTES: dict[str, list[Any]] = {
    "free seat, vote for a bot": [
        (FREE, 1, Vote(0, True), (Voted(1, 0, True), SeatLeft(0, "", "bot")))
    ],
    "free seat, vote against a bot": [(FREE, 1, Vote(0, False), "no_vote")],
    "no such seat, or no vote in this time control": [
        (voting(), 1, Vote(3, True), "no_vote"),
        (voting(), 1, Vote(-1, True), "no_vote"),
        (voting(pace=LIVE), 1, Vote(0, True), "no_vote"),
    ],
    "match not running": [(voting(status="finished"), 1, Vote(0, True), "no_vote")],
    "time left": [(voting(), 1, Vote(2, True), "no_vote")],
    "own seat": [(voting(), 0, Vote(0, True), "own_seat")],
    "same vote as before": [
        (HALF, 1, Vote(0, True), "voted"),
        (voting(), 1, Vote(0, False), "voted"),
    ],
    "all others agree": [
        (HALF, 2, Vote(0, True), (Voted(2, 0, True), SeatLeft(0, "Ann", "bot"))),
    ],
    "others still to agree, or vote withdrawn": [
        (voting(), 1, Vote(0, True), (Voted(1, 0, True),)),
        (HALF, 1, Vote(0, False), (Voted(1, 0, False),)),
    ],
}


@pytest.mark.parametrize(("name", "before", "seat", "vote", "result"), cases_of(VOTES))
def test_vote_situation(name: str, before: Moment, seat: int, vote: Vote, result: Any) -> None:
    ballot = Ballot(before, seat, vote.about, vote.bot)
    assert next(row for row in VOTE_SITUATIONS if row.applies(ballot)).name == name
    if isinstance(result, tuple):
        assert cast_vote(before, seat, vote, NOW).events == result
        return
    with pytest.raises(Refused) as refused:
        cast_vote(before, seat, vote, NOW)
    assert refused.value.code == result


# --- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cases"),
    [
        (TURN_SITUATIONS, TURNS),
        (RUN_SITUATIONS, RUNS),
        (EVENT_SITUATIONS, EVENTS),
        (VOTE_SITUATIONS, VOTES),
    ],
    ids=["turns", "runs", "events", "votes"],
)
def test_every_situation_has_a_test(rows: Any, cases: Any) -> None:
    assert [row.name for row in rows] == [*cases]


def test_a_move_changes_the_clocks_of_two_seats() -> None:
    """It ends the turn of the first seat and begins that of the second, whose clock then runs."""
    timeline = table(LIVE, "ann", "bob", "cid")
    timeline.play(0, [Take(1)], NOW, draws_from_seed)
    assert timeline.latest.clocks == (
        SeatClock(FULL_MS + 5000 - 60_000, turns=1, given=5000),
        replace(BEGUN, since=NOW),
        WAITING,
    )
