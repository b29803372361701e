"""Time controls: clocks that run, stop, expire, are restored by undo and stop for vacations.

Requirement: a match may have a time control; the clock runs only for seats to act, also in
simultaneous phases; what follows a timeout is chosen when the match is opened; undo restores time;
vacations and weekends stop clocks; time is part of the events.
"""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.match.clocks import SeatClock
from domain.match.commands import ComeBack, GoAway, Open, Redo, RunOut, Undo, Vote
from domain.match.deadlines import bots_to_act, due_at, next_check_at, seat_reminders
from domain.match.events import SeatLeft, TimeRanOut
from domain.match.history import Decision
from domain.match.seats import NotYourTurn, Refused, Seat
from domain.match.time_control import DAY_MS, Pace, counted_time, deadline_after, time_for_turn
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import RecordedDraws, compute_commitment, draws_from_seed
from tests.domain import toy
from tests.domain.toy import Peek, Take
from tests.game_contract.play import opened as opened_table
from tests.game_contract.play import table_id, tables

SEED = bytes(range(32))
MONDAY = 1_770_595_200_000
"""The 9th of February 2026, 0:00 UTC, a Monday."""
HOUR = 3_600_000
DAYS = Pace("days", days=2)
LIVE = Pace("live", bank=600, increment=5, minimum=20)


def table(pace: Pace | None, *players: str, size: int = 100, at: int = MONDAY) -> Timeline:
    """Return a started match of the toy game with a seat for each player; "" is a bot."""
    seats = tuple(Seat("human", p.title(), p) if p else Seat("bot", "Bot") for p in players)
    opening = Open(
        "toy",
        1,
        {"size": size},
        seats,
        "private",
        players[0],
        compute_commitment(SEED),
        SEED.hex(),
        pace=pace,
    )
    timeline = Timeline(toy)
    timeline.play(None, [opening], at, draws_from_seed)
    return timeline


def left(timeline: Timeline, seat: int, at: int) -> int:
    """Return the time a seat has left at an instant."""
    pace = timeline.latest.opened.pace
    clock = timeline.latest.clocks[seat]
    assert pace is not None
    return clock.left - (0 if clock.since is None else counted_time(pace, clock.since, at))


def runs(timeline: Timeline) -> list[int]:
    return [s for s, clock in enumerate(timeline.latest.clocks) if clock.since is not None]


def happened(timeline: Timeline, first: int = 0) -> list[Any]:
    return [e for d in timeline.decisions.tail(first) for e in d.events]


# --- arithmetic ---------------------------------------------------------------------------------


def test_weekends_do_not_count() -> None:
    friday = MONDAY + 4 * DAY_MS
    pace = Pace("days", days=2, weekends_off=True)
    assert counted_time(pace, friday, friday + 3 * DAY_MS) == DAY_MS
    assert deadline_after(pace, friday + DAY_MS // 2, DAY_MS) == friday + 3 * DAY_MS + DAY_MS // 2
    assert deadline_after(pace, friday, DAY_MS) == friday + DAY_MS, (
        "the turn ends on Friday night, not on Monday"
    )
    saturday = friday + DAY_MS + HOUR
    assert counted_time(pace, saturday, saturday + DAY_MS) == 0
    assert deadline_after(pace, saturday, HOUR) == MONDAY + 7 * DAY_MS + HOUR
    assert counted_time(DAYS, friday, friday + 3 * DAY_MS) == 3 * DAY_MS, "weekends count here"


@pytest.mark.parametrize("zone", [-840, -300, 0, 345, 840])
def test_the_end_is_the_first_instant_at_which_all_is_used_up(zone: int) -> None:
    pace = Pace("days", days=3, weekends_off=True, zone=zone)
    rng = random.Random(zone)
    for _ in range(500):
        since = MONDAY + rng.randrange(30 * DAY_MS)
        span = rng.randrange(1, 20 * DAY_MS)
        over = deadline_after(pace, since, span)
        assert counted_time(pace, since, over) == span
        assert counted_time(pace, since, over - 1) == span - 1
        middle = rng.randrange(since, over)
        assert counted_time(pace, since, middle) + counted_time(pace, middle, over) == span


# --- clocks -------------------------------------------------------------------------------------


def test_without_a_pace_there_are_no_clocks() -> None:
    timeline = table(None, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY + 90 * DAY_MS, draws_from_seed)
    assert timeline.latest.clocks == ()
    assert due_at(timeline) is None
    with pytest.raises(Refused):
        timeline.play(0, [RunOut()], MONDAY + 99 * DAY_MS, draws_from_seed)


def test_only_the_clock_of_the_seat_to_act_runs() -> None:
    timeline = table(DAYS, "ann", "bob")
    assert runs(timeline) == [0]
    assert due_at(timeline) == MONDAY + 2 * DAY_MS
    timeline.play(0, [Take(1)], MONDAY + DAY_MS, draws_from_seed)
    assert runs(timeline) == [1]
    assert due_at(timeline) == MONDAY + 3 * DAY_MS, "each turn has its full days"


def test_a_step_that_does_not_end_the_turn_gives_no_time() -> None:
    timeline = table(DAYS, "ann", "bob")
    timeline.play(0, [Peek()], MONDAY + DAY_MS, draws_from_seed)
    assert due_at(timeline) == MONDAY + 2 * DAY_MS


def test_a_bank_is_used_up_and_grows_by_the_increment_of_each_turn() -> None:
    timeline = table(LIVE, "ann", "bob")
    assert left(timeline, 0, MONDAY) == 605_000
    timeline.play(0, [Take(1)], MONDAY + 100_000, draws_from_seed)
    assert timeline.latest.clocks[0].left == 505_000
    timeline.play(1, [Take(1)], MONDAY + 100_000, draws_from_seed)
    assert left(timeline, 0, MONDAY + 100_000) == 510_000
    timeline.play(0, [Take(1)], MONDAY + 610_000 - 1, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY + 610_000 - 1, draws_from_seed)
    assert left(timeline, 0, MONDAY + 610_000 - 1) == 20_000, "the minimum of each turn"


def test_bots_and_the_end_of_the_game_stop_clocks() -> None:
    timeline = table(DAYS, "ann", "")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    assert runs(timeline) == []
    timeline = table(DAYS, "ann", "bob", size=1)
    while timeline.latest.status == "playing":
        seat = timeline.latest.state.seat
        timeline.play(seat, [Take(1)], timeline.decisions[-1].at + HOUR, draws_from_seed)
    assert runs(timeline) == []
    assert due_at(timeline) is None


def test_time_runs_out_at_its_own_instant_and_once() -> None:
    timeline = table(DAYS, "ann", "bob")
    before = len(timeline.decisions)
    timeline.play(None, [], MONDAY + 2 * DAY_MS - 1, draws_from_seed)
    assert len(timeline.decisions) == before
    for late in (5, 9):
        timeline.play(None, [], MONDAY + late * DAY_MS, draws_from_seed)
    assert happened(timeline, before) == [TimeRanOut(0, "nudge")]
    assert timeline.decisions[-1].at == MONDAY + 2 * DAY_MS
    assert due_at(timeline) is None, "play can go on"
    timeline.play(0, [Take(1)], MONDAY + 9 * DAY_MS, draws_from_seed)
    assert due_at(timeline) == MONDAY + 11 * DAY_MS


def test_late_move_comes_after_the_timeout() -> None:
    timeline = table(DAYS, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY + 2 * DAY_MS + 1, draws_from_seed)
    out, move = timeline.decisions.tail(2)
    assert out == Decision(
        out.version, 0, RunOut(), (TimeRanOut(0, "nudge"),), (), MONDAY + 2 * DAY_MS
    )
    assert move.at == MONDAY + 2 * DAY_MS + 1


def test_a_clock_cannot_be_made_to_run_out_early() -> None:
    timeline = table(DAYS, "ann", "bob")
    for seat in (0, 1):
        with pytest.raises(Refused):
            timeline.play(seat, [RunOut()], MONDAY + DAY_MS, draws_from_seed)


# --- after a timeout -----------------------------------------------------------------------------


def test_a_bot_moves_this_once() -> None:
    timeline = table(replace(DAYS, on_end="bot_moves"), "ann", "bob")
    assert bots_to_act(timeline) == []
    timeline.play(None, [], MONDAY + 2 * DAY_MS, draws_from_seed)
    assert bots_to_act(timeline) == [0]
    timeline.play(0, [Peek()], MONDAY + 2 * DAY_MS, draws_from_seed)
    assert bots_to_act(timeline) == [0], "the bot plays until the turn is over"
    timeline.play(0, [Take(1)], MONDAY + 2 * DAY_MS, draws_from_seed)
    assert bots_to_act(timeline) == []
    timeline.play(1, [Take(1)], MONDAY + 3 * DAY_MS, draws_from_seed)
    assert bots_to_act(timeline) == [], "then the player goes on"
    assert timeline.latest.seats[0].kind == "human"


def test_a_bot_takes_the_seat_for_good() -> None:
    timeline = table(replace(DAYS, on_end="bot_takes"), "ann", "bob")
    with pytest.raises(NotYourTurn):
        timeline.play(0, [Take(1)], MONDAY + 3 * DAY_MS, draws_from_seed)
    timeline.play(None, [], MONDAY + 3 * DAY_MS, draws_from_seed)
    assert happened(timeline)[-2:] == [TimeRanOut(0, "bot_takes"), SeatLeft(0, "Ann", "bot")]
    assert timeline.latest.seats[0].kind == "bot"
    timeline.play(0, [Take(1)], MONDAY + 3 * DAY_MS, draws_from_seed)
    timeline.play(None, [], MONDAY + 30 * DAY_MS, draws_from_seed)
    assert happened(timeline)[-1] == TimeRanOut(1, "nudge"), "the last person keeps the seat"


def test_vote_for_the_bot_must_be_unanimous() -> None:
    timeline = table(replace(DAYS, on_end="vote"), "ann", "bob", "cid")
    with pytest.raises(Refused):
        timeline.play(1, [Vote(0, True)], MONDAY, draws_from_seed)
    timeline.play(None, [], MONDAY + 2 * DAY_MS, draws_from_seed)
    with pytest.raises(Refused):
        timeline.play(0, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)
    timeline.play(1, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)
    timeline.play(1, [Vote(0, False)], MONDAY + 2 * DAY_MS, draws_from_seed)
    timeline.play(2, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)
    assert timeline.latest.seats[0].kind == "human", "Bob would rather wait"
    timeline.play(1, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)
    assert timeline.latest.seats[0].kind == "bot"


def test_move_ends_the_vote() -> None:
    timeline = table(replace(DAYS, on_end="vote"), "ann", "bob", "cid")
    timeline.play(None, [], MONDAY + 2 * DAY_MS, draws_from_seed)
    timeline.play(1, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)
    timeline.play(0, [Take(1)], MONDAY + 2 * DAY_MS, draws_from_seed)
    with pytest.raises(Refused):
        timeline.play(2, [Vote(0, True)], MONDAY + 2 * DAY_MS, draws_from_seed)


def test_days_are_reminded_of_and_minutes_are_not() -> None:
    timeline = table(DAYS, "ann", "bob")
    assert seat_reminders(timeline) == [MONDAY + 36 * HOUR, None]
    assert next_check_at(timeline) == MONDAY + 36 * HOUR
    timeline.play(0, [GoAway()], MONDAY + HOUR, draws_from_seed)
    assert seat_reminders(timeline) == [None, None]
    timeline = table(LIVE, "ann", "bob")
    assert seat_reminders(timeline) == [None, None]
    assert next_check_at(timeline) == due_at(timeline)


# --- undo ----------------------------------------------------------------------------------------


def test_undo_gives_the_time_back() -> None:
    timeline = table(LIVE, "ann", "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY + 60_000, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY + 90_000, draws_from_seed)
    timeline.play(1, [Undo()], MONDAY + 200_000, draws_from_seed)
    assert runs(timeline) == [1]
    assert left(timeline, 1, MONDAY + 200_000) == 605_000
    assert timeline.latest.clocks[0].left == 545_000
    assert due_at(timeline) == MONDAY + 805_000


def test_a_redo_brings_the_clocks_with_it() -> None:
    timeline = table(LIVE, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY + 60_000, draws_from_seed)
    timeline.play(0, [Undo()], MONDAY + 70_000, draws_from_seed)
    timeline.play(0, [Redo()], MONDAY + 80_000, draws_from_seed)
    assert timeline.latest.clocks[0].left == 545_000
    assert left(timeline, 1, MONDAY + 80_000) == 605_000


# --- vacations -----------------------------------------------------------------------------------


def test_a_vacation_stops_the_clock_and_undo_does_not_give_it_back() -> None:
    timeline = table(DAYS, "ann", "bob")
    timeline.play(0, [GoAway()], MONDAY + DAY_MS, draws_from_seed)
    assert runs(timeline) == []
    assert due_at(timeline) is None
    timeline.play(None, [], MONDAY + 20 * DAY_MS, draws_from_seed)
    with pytest.raises(Refused):
        timeline.play(0, [GoAway()], MONDAY + 20 * DAY_MS, draws_from_seed)
    timeline.play(0, [ComeBack()], MONDAY + 21 * DAY_MS, draws_from_seed)
    assert due_at(timeline) == MONDAY + 22 * DAY_MS
    assert TimeRanOut not in map(type, happened(timeline))
    # A player on vacation may still play, and stays away when an earlier move is undone.
    timeline.play(0, [GoAway(), Take(1), Undo()], MONDAY + 21 * DAY_MS, draws_from_seed)
    assert runs(timeline) == []
    assert timeline.latest.clocks[0] == SeatClock(2 * DAY_MS, asked=True, away=True)


def test_no_vacation_without_a_clock() -> None:
    timeline = table(None, "ann", "bob")
    with pytest.raises(Refused):
        timeline.play(0, [GoAway()], MONDAY, draws_from_seed)


# --- every game, at random ----------------------------------------------------------------------

GAMES = {each[0]: each for each in tables()}


def paced(game: Any, pace: Pace) -> Timeline:
    """Return a started match of a game with a player on every seat."""
    timeline = opened_table(game, 5, people=3)
    opening = replace(timeline.decisions[0].command, pace=pace)
    again = Timeline(timeline.rules)
    again.play(None, [opening], MONDAY, draws_from_seed)
    return again


@pytest.mark.parametrize("game", GAMES.values(), ids=table_id)
@pytest.mark.parametrize(
    "pace",
    [DAYS, LIVE, Pace("days", "bot_moves", days=1, weekends_off=True, zone=330)],
    ids=["days", "live", "weekends"],
)
def test_no_second_is_lost_or_counted_twice(game: Any, pace: Pace) -> None:
    """Time left plus time used equals time given, and deciding the match again gives the same
    events."""
    timeline = paced(game, pace)
    rng = random.Random(11)
    has = _given(pace, timeline, None, [clock.left for clock in paced_at_first(timeline)])
    for _ in range(120):
        now, last = timeline.latest, timeline.decisions[-1].at
        acting = timeline.to_act(now)
        if now.status != "playing" or not acting:
            break
        assert set(runs(timeline)) == {s for s in acting if not now.clocks[s].out}
        at = last + rng.choice((0, 1, 1000, 60_000, HOUR, 7 * HOUR))
        first = len(timeline.decisions)
        timeline.play(None, [], at, draws_from_seed)
        assert all(type(e) is TimeRanOut for e in happened(timeline, first))
        for seat in acting:
            has[seat] = max(0, has[seat] - counted_time(pace, last, at))
            assert timeline.latest.clocks[seat].out == (has[seat] == 0), "exact to the millisecond"
            assert max(0, left(timeline, seat, at)) == has[seat]
        seat = rng.choice(acting)
        choices = timeline.rules.choices(timeline.latest.state, seat)
        timeline.play(seat, [rng.choice(choices)], at, draws_from_seed)
        has = _given(pace, timeline, now, has)
    assert len(timeline.decisions) > 20
    _same_again(timeline)


def paced_at_first(timeline: Timeline) -> tuple[SeatClock, ...]:
    """Return the clocks at the opening of the match."""
    return timeline.moments[0].clocks


def _given(pace: Pace, timeline: Timeline, before: Any, has: list[int]) -> list[int]:
    """Return the time seats have after their turns that have begun since a moment."""
    now, turn = timeline.latest, timeline.rules.turn
    acting = timeline.to_act(now)
    then = timeline.to_act(before) if before else ()
    again = before is None or turn(before.state) != turn(now.state)
    return [
        time_for_turn(pace, each) if seat in acting and (again or seat not in then) else each
        for seat, each in enumerate(has)
    ]


def _same_again(timeline: Timeline) -> None:
    codec = codec_of(timeline.latest.opened.game)
    again = Timeline(timeline.rules)
    for decision in timeline.decisions:
        made = again.recompute(decision, RecordedDraws(decision.draws))
        assert codec.encode(made) == codec.encode(decision)
        again.append(codec.decode(codec.encode(decision)))
    assert again.latest.clocks == timeline.latest.clocks
