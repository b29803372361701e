"""Clock rules 2, for new matches.

Undo without consent restores no time, a vacation counts in matches with days per turn only, and the
clock of a free seat runs on. Older matches keep their clock rules.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.match.commands import AnswerUndo, ComeBack, GoAway, Join, Leave, Open, Redo, Undo, Vote
from domain.match.deadlines import bots_to_act, due_at, seat_deadlines
from domain.match.events import SeatLeft, TimeRanOut
from domain.match.seats import Refused, Seat
from domain.match.time_control import CLOCK_RULES, Pace
from domain.match.timeline import Timeline
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from tests.domain import toy
from tests.domain.test_pace import HOUR, MONDAY, SEED, happened, left, runs
from tests.domain.toy import Peek, Take

DAYS = Pace("days", days=2)
LIVE = Pace("live", bank=600, increment=5, minimum=20)


def table(pace: Pace, *players: str, rules: Any = toy, **more: Any) -> Timeline:
    """Return a match of a toy game with the current clock rules and a player on each seat."""
    seats = tuple(Seat("human", p.title(), p) for p in players)
    opening = Open(
        "toy",
        1,
        {"size": 100},
        seats,
        "private",
        players[0],
        compute_commitment(SEED),
        SEED.hex(),
        pace=pace,
        **{"clock_rules": CLOCK_RULES, **more},
    )
    timeline = Timeline(rules)
    timeline.play(None, [opening], MONDAY, draws_from_seed)
    return timeline


def play(timeline: Timeline, seat: int | None, hours: float, *commands: Any) -> None:
    timeline.play(seat, commands, MONDAY + int(hours * HOUR), draws_from_seed)


# --- undo ---------------------------------------------------------------------------------------


def test_free_undo_keeps_the_time_used() -> None:
    timeline = table(DAYS, "ann", "bob")
    play(timeline, 0, 47, Take(1))
    play(timeline, 0, 60, Undo())
    assert due_at(timeline) == MONDAY + 61 * HOUR, "an hour was left when the move was made"
    for _ in range(20):
        play(timeline, 0, 60.5, Take(1), Undo())
    assert due_at(timeline) == MONDAY + 61 * HOUR
    play(timeline, 0, 60.5, Take(2))
    assert due_at(timeline) == MONDAY + int(108.5 * HOUR), "Bob has his full time"


def test_free_undo_by_older_rules_restores_time() -> None:
    timeline = table(DAYS, "ann", "bob", clock_rules=1)
    play(timeline, 0, 47, Take(1))
    play(timeline, 0, 60, Undo())
    assert due_at(timeline) == MONDAY + 108 * HOUR


def test_undo_by_consent_gives_it_back() -> None:
    timeline = table(DAYS, "ann", "bob")
    play(timeline, 0, 47, Take(1))
    play(timeline, 1, 50, Take(1))
    play(timeline, 0, 60, Undo())
    play(timeline, 1, 61, AnswerUndo(True))
    assert due_at(timeline) == MONDAY + 109 * HOUR


def test_others_get_back_what_they_spent_since() -> None:
    timeline = table(LIVE, "ann", "bob")
    play(timeline, 0, 0.01, Take(1))
    before = timeline.moments[-2].clocks[1]
    play(timeline, 0, 0.1, Undo())
    assert timeline.latest.clocks[1] == before
    assert runs(timeline) == [0]
    assert left(timeline, 0, MONDAY + HOUR // 10) == 605_000 - 36_000


def test_free_undo_over_an_own_turn_loses_its_increment_and_counts_its_time() -> None:
    timeline = table(LIVE, "ann", "bob", rules=alone)
    play(timeline, 0, 10 / 3600, Take(1))
    assert left(timeline, 0, MONDAY + 10_000) == 600_000
    play(timeline, 0, 40 / 3600, Undo())
    assert left(timeline, 0, MONDAY + 40_000) == 565_000
    play(timeline, 0, 50 / 3600, Redo())
    assert left(timeline, 0, MONDAY + 50_000) == 560_000


class Alone:
    """The toy game with every turn for the first seat."""

    def __getattr__(self, name: str) -> Any:
        return getattr(toy, name)

    @staticmethod
    def to_act(state: toy.State) -> tuple[int, ...]:
        return (0,) if state.pile else ()

    @staticmethod
    def decide(state: toy.State, seat: int, command: Any, draw: Any, version: int = 1) -> Any:
        return toy.decide(replace(state, seat=0), seat, command, draw, version)


alone = Alone()


def test_a_turn_that_comes_again_goes_on_with_what_was_left() -> None:
    timeline = table(DAYS, "ann", "bob", rules=alone)
    play(timeline, 0, 1, Take(1))
    play(timeline, 0, 41, Undo())
    assert due_at(timeline) == MONDAY + 48 * HOUR, "41 hours count in the turn gone back to"
    play(timeline, 0, 42, Take(1))
    assert due_at(timeline) == MONDAY + 50 * HOUR, "8 hours are left in the second turn"
    play(timeline, 0, 45, Take(1))
    assert due_at(timeline) == MONDAY + 93 * HOUR, "the third turn is new"


def test_undo_that_would_leave_no_time_is_refused() -> None:
    timeline = table(replace(DAYS, on_end="bot_takes"), "ann", "bob", rules=alone)
    play(timeline, 0, 47, Take(1))
    with pytest.raises(Refused) as refused:
        play(timeline, 0, 50, Undo())
    assert refused.value.code == "no_time_left"
    assert due_at(timeline) == MONDAY + 95 * HOUR


def test_time_that_has_run_out_stays_out() -> None:
    timeline = table(replace(DAYS, on_end="bot_moves"), "ann", "bob")
    play(timeline, None, 48)
    assert bots_to_act(timeline) == [0]
    play(timeline, 0, 49, Take(1), Undo())
    assert bots_to_act(timeline) == [0]
    assert runs(timeline) == []
    assert happened(timeline).count(TimeRanOut(0, "bot_moves")) == 1


def test_redo_adds_no_time() -> None:
    timeline = table(DAYS, "ann", "bob")
    play(timeline, 0, 10, Take(1))
    play(timeline, 0, 50, Undo())
    play(timeline, 0, 60, Redo())
    assert due_at(timeline) == MONDAY + 68 * HOUR, "of 48 hours Bob had used 40"
    play(timeline, 0, 61, Undo())
    assert due_at(timeline) == MONDAY + (61 + 28) * HOUR, "of 48 hours Ann has used 20"


# --- vacations ----------------------------------------------------------------------------------


def test_vacation_stops_clocks_by_days_only() -> None:
    timeline = table(LIVE, "ann", "bob")
    with pytest.raises(Refused) as refused:
        play(timeline, 0, 0, GoAway())
    assert refused.value.code == "no_vacation"
    timeline = table(replace(DAYS, vacation=False), "ann", "bob")
    with pytest.raises(Refused):
        play(timeline, 0, 0, GoAway())
    timeline = table(DAYS, "ann", "bob")
    play(timeline, 0, 1, GoAway())
    assert due_at(timeline) is None
    play(timeline, 0, 100, ComeBack(), Take(1))
    assert due_at(timeline) == MONDAY + 148 * HOUR
    timeline = table(LIVE, "ann", "bob", clock_rules=1)
    play(timeline, 0, 0, GoAway())
    assert due_at(timeline) is None, "a match with the older clock rules"


# --- free seats ---------------------------------------------------------------------------------


def test_the_clock_of_a_free_seat_runs_on() -> None:
    timeline = table(DAYS, "ann", "bob")
    play(timeline, 0, 10, Leave(free=True))
    assert seat_deadlines(timeline) == [MONDAY + 48 * HOUR, None]
    play(timeline, 0, 20, Join("ann", "Ann"))
    assert seat_deadlines(timeline) == [MONDAY + 48 * HOUR, None], "the clock runs on"
    play(timeline, 0, 30, Leave(free=True))
    play(timeline, 0, 40, Join("cid", "Cid"))
    assert seat_deadlines(timeline) == [MONDAY + 88 * HOUR, None], "a new holder gets the full time"


def test_the_turn_of_a_free_seat_begins() -> None:
    timeline = table(LIVE, "ann", "bob")
    play(timeline, 1, 0, Leave(free=True))
    play(timeline, 0, 0.01, Take(1))
    assert runs(timeline) == [1]
    play(timeline, 1, 0.02, Join("bob", "Bob"))
    assert left(timeline, 1, MONDAY + HOUR // 50) == 605_000 - 36_000


@pytest.mark.parametrize("on_end", ["nudge", "vote", "bot_moves", "bot_takes"])
def test_time_of_a_free_seat_runs_out(on_end: Any) -> None:
    timeline = table(replace(DAYS, on_end=on_end), "ann", "bob")
    play(timeline, 0, 10, Leave(free=True))
    play(timeline, None, 48)
    assert TimeRanOut(0, on_end) in happened(timeline)
    if on_end == "bot_takes":
        assert happened(timeline)[-1] == SeatLeft(0, "", "bot")
        assert timeline.latest.seats[0].kind == "bot"
        with pytest.raises(Refused) as refused:
            play(timeline, 0, 49, Join("ann", "Ann"))
        assert refused.value.code == "seat_taken"
        return
    assert bots_to_act(timeline) == ([0] if on_end == "bot_moves" else [])
    if on_end == "bot_moves":
        play(timeline, 0, 48, Peek(), Take(1))
        assert bots_to_act(timeline) == [], "for this turn only"
        return
    play(timeline, 0, 49, Join("ann", "Ann"))
    assert timeline.latest.clocks[0].out
    play(timeline, 0, 49, Leave(free=True))
    play(timeline, 1, 50, Vote(0, True))
    assert timeline.latest.seats[0].kind == "bot", "whoever is there decides at once"
