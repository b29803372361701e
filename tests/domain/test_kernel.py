"""Kernel guarantees for every game: one fold per event, decisions at any moment, branches that
share their past."""

import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.game import IllegalMove
from domain.match.commands import Leave, Say, Start
from domain.match.events import (
    MovesRedone,
    MovesUndone,
    Said,
    SeatLeft,
    SeatTaken,
    UndoAnswered,
    UndoProposed,
    is_kernel,
)
from domain.match.history import AppendOnlyList, Decision, History
from domain.match.seats import Origin, Refused
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import RecordedDraws, draws_from_seed
from tests.game_contract.play import Table, opened, play, table_id, tables
from tests.game_contract.random_matches import wild_match, wild_steps

LARGEST: dict[str, Table] = {table[0]: table for table in tables()}
GAMES = [*LARGEST.values()]


@contextmanager
def folds(rules: Any) -> Iterator[list[Any]]:
    """Record the events passed to the game's fold, here and in threads started meanwhile."""
    folded: list[Any] = []
    code = rules.evolve.__code__

    def called(frame: Any, what: str, _arg: Any) -> None:
        if what == "call" and frame.f_code is code:
            folded.append(frame.f_locals["event"])

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        yield folded
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


def of_the_game(decisions: list[Decision]) -> list[Any]:
    return [event for d in decisions for event in d.events if not is_kernel(event)]


@pytest.mark.parametrize("table", GAMES, ids=table_id)
def test_each_event_is_folded_exactly_once_when_it_is_written(table: Table) -> None:
    """Deciding, checking for the end, making the moment and appending fold it once in total."""
    timeline = opened(table, 3, people=2)
    rng = random.Random(3)
    written = 0
    for seat, command in wild_steps(timeline, rng, 200):
        with folds(timeline.rules) as folded:
            try:
                made = timeline.act(seat, [command], 0, draws_from_seed)
            except (Refused, IllegalMove):
                continue
            for decision in made:
                timeline.append(decision)
        events = of_the_game(made)
        assert len(folded) == len(events)
        assert all(one is other for one, other in zip(folded, events, strict=True))
        written += len(events)
    assert written > 100


@pytest.mark.parametrize("table", GAMES, ids=table_id)
def test_the_setup_is_folded_exactly_once(table: Table) -> None:
    rules = opened(table, 4).rules
    with folds(rules) as folded:
        timeline = opened(table, 4)
    assert len(folded) == len(of_the_game([*timeline.decisions])) > 0


@pytest.mark.parametrize("table", GAMES, ids=table_id)
def test_every_command_can_be_decided_at_the_moment_it_was_made(table: Table) -> None:
    """Also when much has happened since: nothing reads the latest moment implicitly."""
    timeline = wild_match(table, 7)
    kinds = {type(event) for d in timeline.decisions for event in d.events}
    assert {MovesUndone, MovesRedone, UndoProposed, UndoAnswered, Said} <= kinds
    assert {SeatTaken, SeatLeft} <= kinds
    for index, decision in enumerate(timeline.decisions):
        before = timeline.moments[index - 1] if index else None
        draw = RecordedDraws(decision.draws)
        made = timeline.decide(before, decision.seat, decision.command, draw, decision.at)
        assert made.events == decision.events


@pytest.mark.parametrize("table", GAMES, ids=table_id)
def test_match_cut_at_a_version_equals_the_one_folded_to_it(table: Table) -> None:
    """In every property, without calling the fold; later decisions on it are independent."""
    timeline = wild_match(table, 8)
    whole, seats = timeline.latest, range(len(timeline.latest.seats))
    for count in range(1, len(timeline.decisions) + 1, 3):
        fresh = Timeline(timeline.rules, timeline.decisions.tail(0)[:count])
        with folds(timeline.rules) as folded:
            cut = timeline.branch_until(fresh.version)
        assert not folded
        assert (cut.version, cut.latest) == (fresh.version, fresh.latest)
        assert list(cut.moments) == list(fresh.moments)
        assert list(cut.decisions) == list(fresh.decisions)
        assert cut.undone_indexes() == fresh.undone_indexes()
        assert [cut.undo_kind(seat) for seat in seats] == [fresh.undo_kind(seat) for seat in seats]
        with pytest.raises(Refused):
            cut.at(fresh.version + 1)
        play(cut, 0, Say("on another way"))
        play(fresh, 0, Say("on another way"))
        assert (cut.latest, list(cut.decisions)) == (fresh.latest, list(fresh.decisions))
    assert timeline.latest is whole


@pytest.mark.parametrize("table", GAMES, ids=table_id)
def test_a_history_of_single_events_knows_the_same_moments(table: Table) -> None:
    """The frontend gets events, not decisions: what counts and what is undone is the same."""
    timeline = wild_match(table, 6)
    told = History(timeline.rules.evolve)
    for decision in timeline.decisions:
        for version, event in enumerate(decision.events, start=decision.version):
            told.append(Decision(version, decision.seat, None, (event,)))
    for decision, moment in zip(timeline.decisions, timeline.moments, strict=True):
        same = told.at(decision.last_version)
        assert (same.state, same.status, same.seats) == (moment.state, moment.status, moment.seats)
        assert same.proposal == moment.proposal
        assert (same.redo is None) == (moment.redo is None)
    gone = {v for i in timeline.undone_indexes() for v in versions(timeline.decisions[i])}
    of_game = {i + 1 for i, d in enumerate(told.decisions) if not is_kernel(d.events[0])}
    assert {i + 1 for i in told.undone_indexes()} == gone & of_game


def versions(decision: Decision) -> range:
    return range(decision.version, decision.last_version + 1)


def test_what_parted_two_moments_is_what_undo_and_redo_move() -> None:
    timeline = wild_match(LARGEST["caravanserai"], 7)
    for one, other in zip(timeline.moments, timeline.moments.tail(1), strict=False):
        gone, back = timeline.diverging(one, other)
        before, after = [*timeline.ancestry(one)], [*timeline.ancestry(other)]
        assert gone == [i for i in before if i not in after]
        assert back == [i for i in after if i not in before]


# --- branches -----------------------------------------------------------------------------------


def grown(*entries: int) -> AppendOnlyList[int]:
    made: AppendOnlyList[int] = AppendOnlyList()
    for entry in entries:
        made.append(entry)
    return made


def test_a_branch_shares_its_past_and_goes_its_own_way() -> None:
    trunk = grown(1, 2, 3)
    one, other = trunk.branch(), trunk.branch()
    assert one.entries is trunk.entries
    assert one.append(4)
    assert [*trunk], trunk.next_shared() == ([1, 2, 3], 4)
    assert not other.append(5)
    assert ([*trunk], [*one], [*other]) == ([1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 5])
    assert trunk.append(4)
    assert trunk.entries is one.entries
    assert (trunk[-1], trunk.tail(2), len(trunk)) == (4, [3, 4], 4)
    for beyond in (4, -5):
        with pytest.raises(IndexError):
            trunk[beyond]


def test_threads_that_grow_from_the_same_past_never_mix() -> None:
    trunk = grown(*range(50))
    seen: list[list[int]] = []

    def grow(number: int) -> None:
        branch = trunk.branch()
        for step in range(400):
            branch.append(number * 1000 + step)
        seen.append([*branch])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            threads = [threading.Thread(target=grow, args=(n,)) for n in range(1, 5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(seen) == 80
    for entries in seen:
        number = entries[50] // 1000
        assert entries == [*range(50), *(number * 1000 + step for step in range(400))]


def test_a_move_in_a_long_match_copies_nothing() -> None:
    """The cost of a move does not grow with the moves before it."""
    timeline = opened(LARGEST["caravanserai"], 8)
    entries = timeline.moments.entries
    for _ in range(20):
        twin = timeline.branch()
        seat = twin.to_act(twin.latest)[0]
        command = twin.rules.choices(twin.latest.state, seat)[0]
        twin.play(seat, [command], 0, draws_from_seed)
        assert twin.moments.entries is entries
        assert len(twin.moments) == len(timeline.moments) + 1
        timeline = twin


def test_unused_decisions_of_a_branch_are_skipped() -> None:
    timeline = opened(LARGEST["caravanserai"], 9)
    seat = timeline.to_act(timeline.latest)[0]
    first, second = timeline.rules.choices(timeline.latest.state, seat)[:2]
    (abandoned,) = timeline.act(seat, [first], 0, draws_from_seed)
    (taken,) = timeline.act(seat, [second], 0, draws_from_seed)
    play(timeline, seat, second)
    assert timeline.decisions[-1].events == taken.events != abandoned.events
    again = Timeline(timeline.rules, timeline.decisions)
    assert again.latest == timeline.latest


def test_losing_thread_leaves_no_moment() -> None:
    """Another thread has reserved the place and is about to write the moment."""
    timeline = opened(LARGEST["caravanserai"], 10)
    seat = timeline.to_act(timeline.latest)[0]
    first, second = timeline.rules.choices(timeline.latest.state, seat)[:2]
    (quick,) = timeline.branch().act(seat, [first], 0, draws_from_seed)
    (slow,) = Timeline(timeline.rules, timeline.decisions).act(seat, [second], 0, draws_from_seed)
    again = Timeline(timeline.rules, timeline.decisions)
    again.branch().decisions.append(quick)
    twin = again.branch()
    twin.append(slow)
    assert twin.latest.state != timeline.latest.state
    assert again.moments.next_shared() is None


def test_a_seat_is_given_up_as_it_was_before_there_were_secrets() -> None:
    """In a branch a held seat stays open until something is secret; then a bot plays on."""
    table = LARGEST["caravane"]
    opening = opened(table, 11).decisions[0].command
    held = tuple(replace(seat, kind="open") for seat in opening.seats[1:])
    timeline = Timeline(codec_of(table[0]).rules)
    forked = replace(opening, seats=(opening.seats[0], *held), forked_from=Origin("origin", 3))
    play(timeline, None, forked)
    play(timeline, None, Start())
    begun = timeline.latest
    while not timeline.hides(timeline.decisions[-1].events):
        seat = timeline.to_act(timeline.latest)[0]
        play(timeline, seat, timeline.rules.choices(timeline.latest.state, seat)[-1])
    kinds = [
        timeline.decide(moment, 1, Leave(), RecordedDraws(())).events[0].kind
        for moment in (begun, timeline.latest)
    ]
    assert kinds == ["open", "bot"]
