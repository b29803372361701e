"""Seats lost to time or a vote: what is recorded of them, and how they are taken back.

Requirement: a player who lost a seat to time or a vote may take it back once while a bot has it; a
bank does not refill; after a second loss all others have to agree; leaving voluntarily is no loss.
"""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.match.commands import AnswerReturn, AnswerUndo, Leave, Reclaim, Say, Undo, Vote
from domain.match.events import ReturnAnswered, ReturnRequested, SeatLeft, SeatReclaimed, TimeRanOut
from domain.match.losses import Loss, loss_of, losses_of
from domain.match.seats import HERE, Refused
from domain.match.time_control import DAY_MS, Pace
from domain.match.timeline import Timeline
from domain.matchfile import writer
from domain.matchfile.verification import BadFile, verify
from domain.toolkit.randomness import draws_from_seed
from tests.domain import toy
from tests.domain.test_pace import DAYS, LIVE, MONDAY, table
from tests.domain.toy import Take
from tests.game_contract.play import bot_move, opened
from tests.game_contract.test_games import accept_any_options

TAKES = replace(DAYS, on_end="bot_takes")
VOTES = replace(DAYS, on_end="vote")


def out(timeline: Timeline, days: int = 2) -> int:
    """Let the time of the seat to act run out; return the instant."""
    at = timeline.decisions[-1].at + days * DAY_MS
    timeline.play(None, [], at, draws_from_seed)
    return at


def lost(pace: Pace = TAKES, *players: str) -> tuple[Timeline, int]:
    timeline = table(pace, *(players or ("ann", "bob", "cem")))
    return timeline, out(timeline)


def refused(timeline: Timeline, seat: int, command: Any, at: int) -> str:
    with pytest.raises(Refused) as refusal:
        timeline.act(seat, [command], at, draws_from_seed)
    return refusal.value.code


def test_a_seat_lost_to_time_is_remembered() -> None:
    timeline, _ = lost()
    assert [type(e) for e in timeline.decisions[-1].events] == [TimeRanOut, SeatLeft]
    assert losses_of(timeline.latest, "ann") == [Loss(0, "ann", timeline.version)]
    assert timeline.latest.departed == ()


def test_a_seat_lost_by_vote_is_remembered() -> None:
    timeline, at = lost(VOTES)
    timeline.play(1, [Vote(0, True)], at, draws_from_seed)
    assert losses_of(timeline.latest, "ann") == []
    timeline.play(2, [Vote(0, True)], at, draws_from_seed)
    assert losses_of(timeline.latest, "ann") == [Loss(0, "ann", timeline.version)]


def test_leaving_is_no_loss() -> None:
    timeline = table(TAKES, "ann", "bob")
    timeline.play(0, [Leave()], MONDAY, draws_from_seed)
    assert losses_of(timeline.latest, "ann") == []
    assert timeline.latest.departed == ("ann",)
    assert refused(timeline, 0, Reclaim("ann"), MONDAY) == "no_lost_seat"


def test_a_lost_seat_is_taken_back_once() -> None:
    timeline, at = lost()
    assert refused(timeline, 0, Reclaim("bob"), at) == "no_lost_seat"
    assert refused(timeline, 1, Reclaim("ann"), at) == "no_lost_seat"
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    assert timeline.decisions[-1].events == (SeatReclaimed(0, "ann", "Ann"),)
    assert timeline.latest.seats[0].player == "ann"
    assert timeline.latest.seats[0].kind == "human"
    assert losses_of(timeline.latest, "ann") == []
    assert refused(timeline, 0, Reclaim("ann"), at) == "no_lost_seat"
    timeline.play(0, [Take(1)], at, draws_from_seed)


def test_after_a_second_loss_all_others_have_to_agree() -> None:
    timeline, at = lost()
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    at = out(timeline)
    assert [loss.reclaimed for loss in losses_of(timeline.latest, "ann")] == [True]
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    assert timeline.decisions[-1].events == (ReturnRequested(0),)
    assert timeline.latest.seats[0].kind == "bot"
    assert refused(timeline, 0, Reclaim("ann"), at) == "return_requested"
    timeline.play(1, [AnswerReturn(0, True)], at, draws_from_seed)
    assert timeline.latest.seats[0].kind == "bot"
    assert refused(timeline, 1, AnswerReturn(0, True), at) == "voted"
    timeline.play(2, [AnswerReturn(0, True)], at, draws_from_seed)
    assert timeline.decisions[-1].events == (
        ReturnAnswered(2, 0, True),
        SeatReclaimed(0, "ann", "Ann"),
    )
    assert timeline.latest.seats[0].player == "ann"


def test_single_refusal_is_final() -> None:
    timeline, at = lost()
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    at = out(timeline)
    assert refused(timeline, 1, AnswerReturn(0, True), at) == "no_return"
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    timeline.play(1, [AnswerReturn(0, False)], at, draws_from_seed)
    assert refused(timeline, 2, AnswerReturn(0, True), at) == "no_return"
    assert refused(timeline, 0, Reclaim("ann"), at) == "return_declined"


def test_a_request_ends_when_somebody_leaves() -> None:
    timeline, at = lost()
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    at = out(timeline)
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    timeline.play(1, [AnswerReturn(0, True)], at, draws_from_seed)
    timeline.play(2, [Leave()], at, draws_from_seed)
    loss = loss_of(timeline.latest, 0)
    assert loss is not None
    assert not loss.requested
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    timeline.play(1, [AnswerReturn(0, True)], at, draws_from_seed)
    assert timeline.latest.seats[0].player == "ann"


def test_no_consent_needed_without_other_players() -> None:
    timeline, at = lost(TAKES, "ann", "ann", "bob")
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    at = out(timeline)
    timeline.play(2, [Leave()], at, draws_from_seed)
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    assert timeline.latest.seats[0].player == "ann"


def test_a_bank_does_not_refill() -> None:
    live = replace(LIVE, on_end="bot_takes", bank=600, increment=0, minimum=20)
    timeline = table(live, "ann", "bob")
    at = MONDAY + 600_000
    timeline.play(None, [], at, draws_from_seed)
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    clock = timeline.latest.clocks[0]
    assert (clock.left, clock.since) == (20_000, at), "only the minimum of a turn"
    timeline.play(0, [Take(1)], at + 5_000, draws_from_seed)
    timeline.play(1, [Take(1)], at + 6_000, draws_from_seed)
    assert timeline.latest.clocks[0].left == 20_000


def test_undo_past_a_loss_does_not_bring_the_seat_back_nor_the_bank() -> None:
    live = replace(LIVE, on_end="bot_takes", increment=0)
    timeline = table(live, "ann", "bob", "cem")
    before = timeline.version
    timeline.play(0, [Take(1)], MONDAY + 300_000, draws_from_seed)
    at = MONDAY + 300_000 + 600_000
    timeline.play(None, [], at, draws_from_seed)  # Bob's time runs out
    assert timeline.latest.seats[1].kind == "bot"
    lost_at = timeline.version
    timeline.play(1, [Take(1)], at, draws_from_seed)  # the bot
    timeline.play(2, [Undo(before)], at, draws_from_seed)
    timeline.play(0, [_agree()], at, draws_from_seed)
    assert timeline.latest.seats[1].kind == "bot"
    assert losses_of(timeline.latest, "bob") == [Loss(1, "bob", lost_at)]
    timeline.play(1, [Reclaim("bob")], at, draws_from_seed)
    assert timeline.latest.clocks[1].left == 0
    # While a bot had the seat its clock was full; undoing to that point does not refill it.
    timeline.play(0, [Take(1)], at, draws_from_seed)
    timeline.play(0, [Undo(lost_at)], at, draws_from_seed)
    timeline.play(1, [_agree()], at, draws_from_seed)
    timeline.play(2, [_agree()], at, draws_from_seed)
    assert timeline.latest.clocks[1].left <= 20_000


def _agree() -> Any:
    return AnswerUndo(True)


def test_bot_moves_are_not_undone_for_free() -> None:
    timeline, at = lost()
    timeline.play(0, [Take(1)], at, draws_from_seed)  # the bot
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    assert timeline.undo_kind(0).kind == "consent"


def test_leaving_after_all_ends_the_right_to_come_back() -> None:
    timeline, at = lost()
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    timeline.play(0, [Leave()], at, draws_from_seed)
    assert losses_of(timeline.latest, "ann") == []
    assert timeline.latest.departed == ("ann",)


def test_a_match_with_a_seat_taken_back_verifies() -> None:
    timeline, at = lost()
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    at = out(timeline)
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    timeline.play(1, [AnswerReturn(0, True)], at, draws_from_seed)
    timeline.play(2, [AnswerReturn(0, True)], at, draws_from_seed)
    again = Timeline(toy, timeline.decisions)
    assert again.latest == timeline.latest


def test_the_file_of_a_match_with_a_seat_taken_back_verifies() -> None:
    """All four event types occur in a file, and invented ones are rejected."""
    rng = random.Random(3)
    table = ("caravanserai", 3, {"expert": False})
    timeline = opened(table, 3, source=HERE, pace=TAKES)
    seat = timeline.to_act(timeline.latest)[0]
    at = out(timeline)
    timeline.play(seat, [Reclaim(f"player{seat}")], at, draws_from_seed)
    at = out(timeline)
    timeline.play(seat, [Reclaim(f"player{seat}")], at, draws_from_seed)
    for other in {0, 1, 2} - {seat}:
        timeline.play(other, [AnswerReturn(seat, True)], at, draws_from_seed)
    assert timeline.latest.seats[seat].kind == "human"
    _to_the_end(timeline, rng, at)
    document = msgspec.json.decode(msgspec.json.encode(writer.export_match("id", timeline, None)))
    assert b"player0" not in msgspec.json.encode(document)
    assert verify(document, accept_any_options).latest.status == "finished"
    forged = next(d for d in document["decisions"] if d["command"]["type"] == "Reclaim")
    forged["command"]["player"] = forged["events"][0]["player"] = "player-2"
    body = {key: value for key, value in document.items() if key != "digest"}
    with pytest.raises(BadFile):
        verify({**body, "digest": writer.compute_digest(body)}, accept_any_options)


def _to_the_end(timeline: Timeline, rng: random.Random, at: int) -> None:
    while seats := timeline.to_act(timeline.latest):
        timeline.play(seats[0], [bot_move(timeline, seats[0], rng)], at, draws_from_seed)
        assert timeline.version < 20_000


def test_private_messages_stay_with_the_former_holder() -> None:
    timeline = table(TAKES, "ann", "bob", "cem")
    timeline.play(1, [Say("before", 0)], MONDAY, draws_from_seed)
    at = out(timeline)
    timeline.play(1, [Say("to the bot", 0)], at, draws_from_seed)
    said = [(i, e) for i, d in enumerate(timeline.decisions) for e in d.events if hasattr(e, "to")]
    (first, before), (second, after) = said
    assert timeline.redacted_for(before, 0, (), first, "ann") is before
    assert timeline.redacted_for(after, 0, (), second, "ann") is not after
    timeline.play(0, [Reclaim("ann")], at, draws_from_seed)
    assert timeline.redacted_for(before, 0, (), first) is before
    assert timeline.redacted_for(after, 0, (), second) is not after
