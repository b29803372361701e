"""Recovery of a seat after losing a device: who may ask, what the clocks do, when it ends.

Requirement: a PIN moves the seat at once; without one all others agree, and the seat moves after a
delay in which its clock stands still and its holder can object. All of it is events.
"""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.match import fork
from domain.match.commands import (
    AnswerRecovery,
    AnswerUndo,
    AskRecovery,
    EndRecovery,
    GoAway,
    Leave,
    ObjectToRecovery,
    RecoverSeat,
    Redo,
    Say,
    Undo,
    Vote,
)
from domain.match.deadlines import due_at
from domain.match.events import (
    RecoveryAnswered,
    RecoveryAsked,
    RecoveryBegan,
    RecoveryEnded,
    Said,
    SeatLeft,
    SeatRecovered,
    TimeRanOut,
)
from domain.match.rematch import rematch_seats
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from domain.toolkit.randomness import draws_from_seed
from tests.domain.test_pace import DAYS, HOUR, LIVE, MONDAY, happened, left, runs, table
from tests.domain.toy import Peek, Take
from tests.game_contract.play import opened as opened_table
from tests.game_contract.play import random_steps
from tests.game_contract.test_games import accept_any_options

MINUTE = 60_000
DELAY, PATIENCE = 10 * MINUTE, HOUR


def ask(about: int, player: str = "new") -> AskRecovery:
    return AskRecovery(about, player, DELAY, PATIENCE)


def players(timeline: Timeline) -> list[str | None]:
    return [seat.player for seat in timeline.latest.seats]


def refused(timeline: Timeline, seat: int | None, command: Any, at: int = MONDAY) -> str:
    with pytest.raises(Refused) as error:
        timeline.act(seat, [command], at, draws_from_seed)
    return error.value.code


# --- by PIN --------------------------------------------------------------------------------------


def test_a_seat_moves_at_once_with_its_name() -> None:
    timeline = table(None, "ann", "bob")
    before = len(timeline.decisions)
    timeline.play(1, [RecoverSeat("new")], MONDAY, draws_from_seed)
    assert happened(timeline, before) == [SeatRecovered(1, "new", "pin")]
    assert players(timeline) == ["ann", "new"]
    assert timeline.latest.seats[1].name == "Bob"


def test_only_a_persons_seat_of_a_running_match_with_others_can_be_recovered() -> None:
    bots = table(None, "ann", "bob", "")
    assert refused(bots, 2, RecoverSeat("new")) == "nobody_there"
    assert refused(bots, 1, RecoverSeat("bob")) == "already_yours"
    alone = table(None, "ann", "ann", "")
    assert refused(alone, 0, RecoverSeat("new")) == "nobody_else"
    over = table(None, "ann", "bob", size=1)
    while over.latest.status == "playing":
        over.play(over.latest.state.seat, [Take(1)], MONDAY, draws_from_seed)
    assert refused(over, 1, RecoverSeat("new")) == "match_over"
    assert refused(over, 0, ask(1)) == "match_over"


def test_the_host_stays_the_host() -> None:
    timeline = table(None, "ann", "bob")
    timeline.play(0, [RecoverSeat("new")], MONDAY, draws_from_seed)
    assert timeline.latest.opened.owner == "new"
    hotseat = table(None, "ann", "ann", "bob")
    hotseat.play(0, [RecoverSeat("new")], MONDAY, draws_from_seed)
    assert hotseat.latest.opened.owner == "ann", "the old device still has a seat"
    assert players(hotseat) == ["new", "ann", "bob"]


def test_undo_and_redo_do_not_give_the_seat_back() -> None:
    timeline = table(LIVE, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(1, [Peek()], MONDAY, draws_from_seed)
    start = timeline.version - 3
    timeline.play(1, [RecoverSeat("new")], MONDAY, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(1, [Undo(start)], MONDAY, draws_from_seed)
    assert timeline.latest.proposal is not None
    timeline.play(0, [AnswerUndo(True)], MONDAY, draws_from_seed)
    assert players(timeline) == ["ann", "new"]
    timeline.play(1, [Redo()], MONDAY, draws_from_seed)
    assert players(timeline) == ["ann", "new"]
    assert timeline.latest.moved == ((1, "bob", "new"),)


def test_private_messages_move_with_the_seat() -> None:
    timeline = table(None, "ann", "bob", "cid")
    timeline.play(0, [Say("pst", 1)], MONDAY, draws_from_seed)
    index = len(timeline.decisions) - 1
    said = timeline.decisions[index].events[0]
    for device in ("new", "newer", "bob"):
        timeline.play(1, [RecoverSeat(device)], MONDAY, draws_from_seed)
        assert timeline.redacted_for(said, 1, (), index) == said
        assert timeline.redacted_for(said, 2, (), index) != said
    timeline.play(1, [Leave(True)], MONDAY, draws_from_seed)
    assert isinstance(said, Said)
    assert timeline.redacted_for(said, 1, (), index) != said


def test_pending_undo_proposal_is_asked_again() -> None:
    timeline = table(None, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(0, [Undo()], MONDAY, draws_from_seed)
    assert timeline.latest.proposal is not None
    timeline.play(1, [RecoverSeat("new")], MONDAY, draws_from_seed)
    assert timeline.latest.proposal is None


# --- by consent of the others --------------------------------------------------------------------


def test_with_two_players_one_consent_suffices_after_the_delay() -> None:
    timeline = table(None, "ann", "bob")
    before = len(timeline.decisions)
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    assert players(timeline) == ["ann", "bob"], "not yet"
    assert due_at(timeline) == MONDAY + DELAY
    timeline.play(None, [], MONDAY + DELAY - 1, draws_from_seed)
    assert players(timeline) == ["ann", "bob"]
    timeline.play(None, [], MONDAY + 9 * DELAY, draws_from_seed)
    assert happened(timeline, before) == [
        RecoveryAsked(0, 1, "new", DELAY, PATIENCE),
        RecoveryBegan(1),
        SeatRecovered(1, "new", "others"),
    ]
    assert timeline.decisions[-1].at == MONDAY + DELAY, "at its own instant"
    assert players(timeline) == ["ann", "new"]
    assert due_at(timeline) is None


def test_all_others_have_to_agree() -> None:
    timeline = table(None, "ann", "bob", "cid", "")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    assert due_at(timeline) == MONDAY + PATIENCE
    assert refused(timeline, 0, AnswerRecovery(1, True)) == "voted"
    assert refused(timeline, 1, AnswerRecovery(1, True)) == "own_recovery"
    timeline.play(2, [AnswerRecovery(1, True)], MONDAY + HOUR - 1, draws_from_seed)
    assert timeline.latest.recovery is not None
    assert timeline.latest.recovery.began
    assert due_at(timeline) == MONDAY + HOUR - 1 + DELAY
    timeline.play(0, [Take(1)], MONDAY + 3 * HOUR, draws_from_seed)
    assert players(timeline)[1] == "new"


def test_request_ends_when_declined_or_expired() -> None:
    timeline = table(None, "ann", "bob", "cid")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    timeline.play(2, [AnswerRecovery(1, False)], MONDAY, draws_from_seed)
    assert timeline.latest.recovery is None
    assert happened(timeline)[-1] == RecoveryAnswered(2, 1, False)
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    timeline.play(None, [], MONDAY + 2 * PATIENCE, draws_from_seed)
    assert happened(timeline)[-1] == RecoveryEnded(1, "expired")
    assert timeline.decisions[-1].at == MONDAY + PATIENCE
    assert players(timeline) == ["ann", "bob", "cid"]


@pytest.mark.parametrize("began", [False, True], ids=["while others decide", "in the delay"])
def test_player_who_agreed_can_still_decline(began: bool) -> None:
    timeline = table(None, "ann", "bob", "cid", "dan")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    for seat in (2, 3) if began else (2,):
        timeline.play(seat, [AnswerRecovery(1, True)], MONDAY, draws_from_seed)
    assert timeline.latest.recovery is not None
    assert timeline.latest.recovery.began == began
    timeline.play(2, [AnswerRecovery(1, False)], MONDAY + DELAY - 1, draws_from_seed)
    assert timeline.latest.recovery is None
    timeline.play(None, [], MONDAY + 9 * DELAY, draws_from_seed)
    assert players(timeline) == ["ann", "bob", "cid", "dan"]


def test_holder_objects() -> None:
    timeline = table(None, "ann", "bob")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    assert refused(timeline, 0, ObjectToRecovery()) == "no_recovery"
    timeline.play(1, [ObjectToRecovery()], MONDAY + DELAY - 1, draws_from_seed)
    assert happened(timeline)[-1] == RecoveryEnded(1, "objected")
    timeline.play(None, [], MONDAY + 9 * DELAY, draws_from_seed)
    assert players(timeline) == ["ann", "bob"]
    timeline.play(0, [ask(1)], MONDAY + 9 * DELAY, draws_from_seed)
    assert refused(timeline, 1, ObjectToRecovery(), MONDAY + 10 * DELAY) == "not_your_seat"


def test_opponent_cannot_take_over_a_seat() -> None:
    timeline = table(None, "ann", "bob", "cid")
    assert refused(timeline, 0, ask(1, "cid")) == "already_seated"
    assert refused(timeline, 0, ask(0)) == "own_recovery"
    assert refused(timeline, 0, ask(7)) == "no_such_seat"
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    assert refused(timeline, 2, ask(0, "other")) == "recovery_open"
    assert refused(timeline, 1, EndRecovery()) == "time_left"


def test_late_objection_has_no_effect() -> None:
    timeline = table(None, "ann", "bob")
    timeline.play(0, [Take(1), ask(1)], MONDAY, draws_from_seed)
    assert refused(timeline, 1, Take(1), MONDAY + DELAY) == "not_your_seat"


def test_pin_or_leaving_ends_an_open_request() -> None:
    timeline = table(None, "ann", "bob", "cid")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    timeline.play(1, [RecoverSeat("third")], MONDAY, draws_from_seed)
    assert timeline.latest.recovery is None
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    timeline.play(1, [Leave()], MONDAY, draws_from_seed)
    assert timeline.latest.recovery is None
    assert isinstance(happened(timeline)[-1], SeatLeft)
    assert refused(timeline, 0, ask(1)) == "nobody_there"


def test_the_end_of_the_match_ends_it() -> None:
    timeline = table(None, "ann", "bob", size=1)
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    while timeline.latest.status == "playing":
        timeline.play(timeline.latest.state.seat, [Take(1)], MONDAY, draws_from_seed)
    assert timeline.latest.recovery is None
    timeline.play(None, [], MONDAY + DELAY, draws_from_seed)
    assert players(timeline) == ["ann", "bob"]


def test_only_one_of_two_seats_moves() -> None:
    timeline = table(None, "ann", "bob", "bob")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    timeline.play(None, [], MONDAY + DELAY, draws_from_seed)
    assert players(timeline) == ["ann", "new", "bob"]
    assert refused(timeline, 0, ask(2), MONDAY + DELAY) == "already_seated", "one at a time"


# --- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["others", "objected", "expired", "declined"])
def test_the_clock_stands_still_while_the_request_is_open(how: str) -> None:
    timeline = table(LIVE, "ann", "bob", "cid")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    had = left(timeline, 1, MONDAY + MINUTE)
    timeline.play(0, [ask(1)], MONDAY + MINUTE, draws_from_seed)
    assert runs(timeline) == []
    if how == "others":
        timeline.play(2, [AnswerRecovery(1, True)], MONDAY + 2 * MINUTE, draws_from_seed)
        over = MONDAY + 2 * MINUTE + DELAY
    elif how == "expired":
        over = MONDAY + MINUTE + PATIENCE
    else:
        over = MONDAY + 5 * MINUTE
        ends = ObjectToRecovery() if how == "objected" else AnswerRecovery(1, False)
        timeline.play(1 if how == "objected" else 2, [ends], over, draws_from_seed)
    timeline.play(None, [], over + MINUTE, draws_from_seed)
    assert timeline.latest.recovery is None
    assert runs(timeline) == [1]
    assert left(timeline, 1, over + MINUTE) == had - MINUTE
    timeline.play(None, [], over + had, draws_from_seed)
    assert happened(timeline)[-1] == TimeRanOut(1, "nudge")


def test_the_clock_of_the_others_runs_on() -> None:
    timeline = table(LIVE, "ann", "bob")
    timeline.play(0, [ask(1)], MONDAY, draws_from_seed)
    assert runs(timeline) == [0]
    timeline.play(0, [Take(1)], MONDAY + MINUTE, draws_from_seed)
    assert runs(timeline) == [], "the seat to act has a stopped clock"


def test_an_undo_does_not_set_the_clock_going() -> None:
    timeline = table(LIVE, "ann", "bob")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(1, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(0, [ask(1), Undo()], MONDAY, draws_from_seed)
    timeline.play(1, [AnswerUndo(True)], MONDAY, draws_from_seed)
    assert runs(timeline) == [0]
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    assert runs(timeline) == []


def test_recovery_ends_vacation_and_vote() -> None:
    timeline = table(replace(DAYS, on_end="vote"), "ann", "bob", "cid")
    timeline.play(0, [Take(1)], MONDAY, draws_from_seed)
    timeline.play(None, [], MONDAY + 2 * 24 * HOUR, draws_from_seed)
    timeline.play(0, [Vote(1, True)], MONDAY + 2 * 24 * HOUR, draws_from_seed)
    timeline.play(1, [GoAway()], MONDAY + 2 * 24 * HOUR, draws_from_seed)
    timeline.play(1, [RecoverSeat("new")], MONDAY + 2 * 24 * HOUR, draws_from_seed)
    clock = timeline.latest.clocks[1]
    assert (clock.away, clock.for_bot) == (False, ())


# --- files, forks, rematches ----------------------------------------------------------------------


def plain(document: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(document))


def recovered_both_ways() -> Timeline:
    timeline = table(LIVE, "ann", "bob", "cid", size=3)
    timeline.play(1, [RecoverSeat("new")], MONDAY, draws_from_seed)
    timeline.play(0, [Take(1), ask(2, "newer")], MONDAY, draws_from_seed)
    timeline.play(1, [AnswerRecovery(2, True), Take(1)], MONDAY, draws_from_seed)
    timeline.play(None, [], MONDAY + DELAY, draws_from_seed)
    timeline.play(0, [ask(1, "newest")], MONDAY + DELAY, draws_from_seed)
    timeline.play(1, [ObjectToRecovery()], MONDAY + DELAY, draws_from_seed)
    return timeline


@pytest.mark.parametrize("slug", ["caravanserai", "caravane"])
def test_file_verifies_and_names_no_player(slug: str) -> None:
    timeline = opened_table((slug, 3, {}), 1, pace=LIVE)
    at = timeline.decisions[-1].at
    steps = random_steps(timeline, random.Random(1), 6)
    next(steps)
    timeline.play(1, [RecoverSeat("device-a")], at, draws_from_seed)
    timeline.play(0, [ask(2, "device-b")], at, draws_from_seed)
    next(steps)
    timeline.play(1, [AnswerRecovery(2, True)], at, draws_from_seed)
    assert timeline.latest.recovery is not None
    timeline.play(None, [], timeline.latest.recovery.ends, draws_from_seed)
    timeline.play(0, [ask(1, "device-c")], at, draws_from_seed)
    timeline.play(1, [ObjectToRecovery()], at, draws_from_seed)
    for _ in random_steps(timeline, random.Random(2), 10_000):
        pass
    document = plain(export_match("match", timeline, None))
    assert document["status"] == "finished"
    assert '"device-' not in msgspec.json.encode(document).decode()
    again = verify(document, accept_any_options)
    assert again.latest.state == timeline.latest.state
    assert [moved[0] for moved in again.latest.moved] == [1, 2]


def test_fork_and_rematch_belong_to_the_new_device() -> None:
    timeline = recovered_both_ways()
    assert [seat.player for seat in rematch_seats(timeline.latest.seats, "new")] == [
        *("new", "newer", "ann")
    ]
    opening = replace(timeline.decisions[0].command, seats=timeline.latest.seats)
    branch = Timeline(
        timeline.rules, fork.create_fork(timeline, timeline.version, "parent", opening)
    )
    assert players(branch) == ["ann", "new", "newer"]
    assert branch.latest.moved == ()
    assert branch.latest.recovery is None
