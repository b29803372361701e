"""Properties of clocks with clock rules 2, for random actions.

Without consent no sequence of moves, undos and redos gives the undoing player more time, neither in
a turn of some days nor in total. Weekends are those of the time zone, also across DST changes.
"""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.match.commands import AnswerUndo, Join, Leave, Open, Redo, Undo
from domain.match.events import TimeRanOut
from domain.match.seats import Refused, Seat
from domain.match.time_control import DAY_MS, MINUTE_MS, Pace, counted_time, deadline_after
from domain.match.timeline import Timeline
from domain.toolkit.randomness import RecordedDraws, draws_from_seed
from service.matches.time_zones import offsets_from
from tests.domain import toy
from tests.domain.test_clock_rules import table
from tests.domain.test_pace import GAMES, MONDAY, paced
from tests.domain.toy import Roll, Take
from tests.game_contract.play import table_id

HOUR = 60 * MINUTE_MS
DAYS = Pace("days", days=2)
LIVE = Pace("live", bank=600, increment=30, minimum=10)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

# --- undo ---------------------------------------------------------------------------------------


class InTurn:
    """The toy game with turns in the order of a list of seats."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order

    def __getattr__(self, name: str) -> Any:
        return getattr(toy, name)

    def seat_of(self, state: toy.State) -> int:
        return self.order[state.turn % len(self.order)]

    def to_act(self, state: toy.State) -> tuple[int, ...]:
        return (self.seat_of(state),) if state.pile else ()

    def decide(self, state: toy.State, seat: int, command: Any, draw: Any, version: int = 1) -> Any:
        return toy.decide(replace(state, seat=seat), seat, command, draw, version)


STEPS = st.tuples(
    st.sampled_from(["move", "undo", "far", "redo", "move", "undo", "roll"]),
    st.sampled_from([0, 1, HOUR, 10 * HOUR, 20 * HOUR, 40 * HOUR]),
)


class Used:
    """How long the clock of a seat has run, per turn of the game and in total."""

    def __init__(self, timeline: Timeline, seat: int) -> None:
        self.timeline = timeline
        self.seat = seat
        self.in_turn: Counter[int] = Counter()

    def look(self, since: int, until: int) -> None:
        """Add the time between two instants, up to the end of the seat's time."""
        pace = self.timeline.latest.opened.pace
        clock = self.timeline.latest.clocks[self.seat]
        assert pace is not None
        if clock.since is not None:
            turn = self.timeline.rules.turn(self.timeline.latest.state)
            left = clock.left - counted_time(pace, clock.since, since)
            self.in_turn[turn] += min(counted_time(pace, since, until), left)

    @property
    def total(self) -> int:
        return self.in_turn.total()


def live_through(timeline: Timeline, steps: list[tuple[str, int]], undoer: str) -> Used:
    """Let time pass and players act; only one player undoes and redoes, and only if free."""
    used = Used(timeline, 0)
    last = MONDAY
    for kind, wait in steps:
        now = timeline.latest
        if now.status != "playing":
            break
        at = last + wait
        used.look(last, at)
        last = at
        timeline.play(None, [], at, draws_from_seed)
        seat = 0 if kind in ("undo", "far", "redo") else timeline.to_act(now)[0]
        if now.seats[seat].player != undoer and kind in ("undo", "far", "redo"):
            continue
        command: Any = {"move": Take(1), "roll": Roll(), "redo": Redo()}.get(kind)
        if kind in ("undo", "far"):
            to = timeline.turn_start(0) if kind == "far" else None
            if timeline.undo_kind(0, to).kind != "free":
                continue
            command = Undo(to)
        with suppress(Refused):  # nothing to redo, or no time would be left
            timeline.play(seat, [command], at, draws_from_seed)
    return used


def turns_begun(timeline: Timeline, seat: int) -> int:
    """Count the turns of a seat that have begun among the moves not undone, from the states."""
    moments = [timeline.moments[i] for i in reversed([*timeline.ancestry(timeline.latest)])]
    asked = [
        (timeline.rules.turn(moment.state), seat in timeline.to_act(moment)) for moment in moments
    ]
    return len({turn for turn, acts in asked if acts})


ORDERS = st.lists(st.integers(0, 1), min_size=1, max_size=5).map(lambda more: (0, *more, 1))


@QUICK
@given(ORDERS, st.lists(STEPS, max_size=40))
@example((1, 0), [("move", 40 * HOUR), ("undo", 0)] * 2)
@example((0, 0, 0, 1), [("move", HOUR), ("undo", 40 * HOUR), ("move", 0), ("move", 40 * HOUR)])
def test_undo_does_not_lengthen_a_turn(
    order: tuple[int, ...], steps: list[tuple[str, int]]
) -> None:
    timeline = table(DAYS, "ann", "bob", rules=InTurn(order))
    used = live_through(timeline, steps, "ann")
    assert all(spent <= 2 * DAY_MS for spent in used.in_turn.values()), used.in_turn
    assert used.total <= 2 * DAY_MS * turns_begun(timeline, 0), "undone turns count too"


@QUICK
@given(ORDERS, st.lists(STEPS.map(lambda step: (step[0], step[1] // 100)), max_size=40))
def test_undo_makes_no_bank_larger(order: tuple[int, ...], steps: list[tuple[str, int]]) -> None:
    """A seat's total time used is covered by its bank and the increments of moves not undone."""
    timeline = table(LIVE, "ann", "bob", rules=InTurn(order))
    used = live_through(timeline, steps, "ann")
    most = LIVE.bank * 1000 + LIVE.increment * 1000 * turns_begun(timeline, 0)
    clock = timeline.latest.clocks[0]
    assert used.total <= most
    if not any(isinstance(e, TimeRanOut) for d in timeline.decisions for e in d.events):
        last = timeline.decisions[-1].at
        left = clock.left - (
            counted_time(LIVE, clock.since, last) if clock.since is not None else 0
        )
        waited = sum(wait for _, wait in steps) + MONDAY - last
        running = waited if clock.since is not None else 0
        assert used.total - running + left <= most


@QUICK
@given(st.integers(0, 40 * HOUR), st.integers(0, 40 * HOUR), st.integers(0, 9 * HOUR))
def test_others_get_back_time_spent_since(used: int, spent: int, more: int) -> None:
    timeline = table(DAYS, "ann", "bob", "cid")
    before = timeline.latest.clocks
    at = MONDAY + used
    timeline.play(0, [Take(1)], at, draws_from_seed)
    timeline.play(0, [Undo()], at + spent, draws_from_seed)
    assert timeline.latest.clocks[1:] == before[1:]
    timeline.play(0, [Redo()], at + spent, draws_from_seed)
    assert deadline_after(
        DAYS, timeline.latest.clocks[1].since or 0, timeline.latest.clocks[1].left
    ) == (at + spent + 2 * DAY_MS - spent)
    assert more >= 0


@QUICK
@given(st.integers(0, 47 * HOUR), st.integers(0, 40 * HOUR))
def test_consent_gives_all_time_back(used: int, waited: int) -> None:
    timeline = table(DAYS, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY + used, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY + used, draws_from_seed)
    timeline.play(0, [Undo()], MONDAY + used + 1, draws_from_seed)
    timeline.play(1, [AnswerUndo(True)], MONDAY + used + waited + 1, draws_from_seed)
    assert deadline_after(
        DAYS, timeline.latest.clocks[0].since or 0, timeline.latest.clocks[0].left
    ) == (MONDAY + used + waited + 1 + 2 * DAY_MS)


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 12 * HOUR)), max_size=12))
def test_leaving_and_returning_adds_no_time(goes: list[tuple[bool, int]]) -> None:
    timeline = table(DAYS, "ann", "bob")
    at = MONDAY
    for undoes, wait in goes:
        at += wait
        timeline.play(None, [], at, draws_from_seed)
        timeline.play(0, [Leave(free=True)], at, draws_from_seed)
        timeline.play(0, [Join("ann", "Ann")], at, draws_from_seed)
        if undoes:
            timeline.play(0, [Take(1), Undo()], at, draws_from_seed)
        clock = timeline.latest.clocks[0]
        over = at >= MONDAY + 2 * DAY_MS
        assert clock.out == over
        if not over:
            assert deadline_after(DAYS, clock.since or 0, clock.left) == MONDAY + 2 * DAY_MS


# --- every game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=table_id)
@pytest.mark.parametrize("pace", [DAYS, LIVE], ids=["days", "live"])
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_every_game_undone_at_will(game: Any, pace: Pace, rng: Any) -> None:
    """Including simultaneous secret choices: a seat that takes its choice back continues with its
    remaining time. Deciding the match again gives the same events."""
    timeline = by_new_rules(game, pace)
    at = MONDAY
    for _ in range(60):
        now = timeline.latest
        if now.status != "playing":
            break
        at += rng.choice((0, 1000, MINUTE_MS, 5 * HOUR if pace.kind == "days" else MINUTE_MS))
        timeline.play(None, [], at, draws_from_seed)
        now = timeline.latest
        seat = rng.randrange(len(now.seats))
        if rng.random() < 0.4 and timeline.undo_kind(seat).kind == "free":
            before = now.clocks[seat]
            acts = seat in timeline.to_act(now)
            with suppress(Refused):  # no time would be left
                timeline.play(seat, [Undo()], at, draws_from_seed)
            if not acts:
                after = timeline.latest.clocks[seat]
                assert after.left <= before.left
                assert after.out == (after.asked and after.left == 0)
        elif seat in timeline.to_act(now):
            choices = timeline.rules.choices(now.state, seat)
            timeline.play(seat, [rng.choice(choices)], at, draws_from_seed)
        for clock in timeline.latest.clocks:
            assert 0 <= clock.left <= (2 * DAY_MS if pace.kind == "days" else 10**7)
    again = Timeline(timeline.rules)
    for decision in timeline.decisions:
        made = again.recompute(decision, RecordedDraws(decision.draws))
        assert made.events == decision.events
        again.append(made)
    assert again.latest.clocks == timeline.latest.clocks


def by_new_rules(game: Any, pace: Pace) -> Timeline:
    opening = replace(paced(game, pace).decisions[0].command, clock_rules=2)
    assert isinstance(opening, Open)
    assert all(isinstance(seat, Seat) for seat in opening.seats)
    timeline = Timeline(paced(game, pace).rules)
    timeline.play(None, [opening], MONDAY, draws_from_seed)
    return timeline


# --- weekends -----------------------------------------------------------------------------------

ZONES = (
    "Europe/Paris",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
)


def in_zone(name: str, days: int = 3) -> Pace:
    zone, offsets = offsets_from(name, MONDAY)
    return Pace("days", days=days, weekends_off=True, zone=zone, time_zone=name, offsets=offsets)


def works(name: str, at: int) -> bool:
    """Return whether an instant is on a working day, by the zone files."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(name)).weekday() < 5


@QUICK
@given(st.sampled_from(ZONES), st.integers(0, 2 * 365 * 96), st.integers(1, 10 * 96))
def test_weekends_are_those_of_the_zone_files(name: str, begin: int, length: int) -> None:
    """Computed independently in quarters of an hour, the granularity of offsets."""
    quarter = 15 * MINUTE_MS
    pace = in_zone(name)
    since = MONDAY + begin * quarter
    over = deadline_after(pace, since, length * quarter)
    steps = range(since, over, quarter)
    assert sum(works(name, at) for at in steps) == length
    assert works(name, over - 1), "no deadline falls on a weekend"
    assert counted_time(pace, since, over) == length * quarter
    middle = since + (over - since) // 3
    assert counted_time(pace, since, middle) + counted_time(pace, middle, over) == length * quarter


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Europe/Paris", datetime(2026, 3, 29, 1, tzinfo=UTC)),
        ("Europe/Paris", datetime(2026, 10, 25, 1, tzinfo=UTC)),
        # On a working day: at midnight between Thursday and Friday.
        ("Africa/Cairo", datetime(2026, 4, 23, 22, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2026, 10, 29, 21, tzinfo=UTC)),
    ],
)
def test_instants_in_a_gap_and_an_overlap_count_once(name: str, change: datetime) -> None:
    pace = in_zone(name)
    at = int(change.timestamp() * 1000)
    assert (at // MINUTE_MS) in [minute for minute, _ in pace.offsets]
    for hours in range(-5, 6):
        since, until = at + hours * HOUR - 90 * MINUTE_MS, at + hours * HOUR + 90 * MINUTE_MS
        quarters = range(since, until, 15 * MINUTE_MS)
        assert counted_time(pace, since, until) == 15 * MINUTE_MS * sum(
            works(name, q) for q in quarters
        )


def test_after_the_last_change_its_offset_holds() -> None:
    pace = in_zone("Europe/Paris")
    assert pace.offsets[-1][1] == 60, "winter"
    summer = datetime(2030, 7, 5, 12, tzinfo=UTC)  # a Friday
    over = deadline_after(pace, int(summer.timestamp() * 1000), DAY_MS)
    assert datetime.fromtimestamp(over / 1000, UTC) == summer + timedelta(days=3)
    sunday = int(datetime(2030, 7, 6, 23, tzinfo=UTC).timestamp() * 1000)
    assert counted_time(pace, sunday, sunday + DAY_MS) == 0, "Sunday begins at 23 o'clock UTC"
