"""The match kernel: versions, batches, kinds of undo, redo, proposals, past versions."""

from typing import Any

import pytest

from domain.contract.game import IllegalMove
from domain.match import (
    AnswerUndo,
    DrawRecorder,
    Join,
    MovesUndone,
    NotYourTurn,
    Open,
    Redo,
    Refused,
    Say,
    Seat,
    SeedRevealed,
    Timeline,
    Undo,
    UndoKind,
)
from domain.match.history import AppendOnlyList
from domain.match.seating import _had_secrets
from domain.match.undo import _version_before_own
from domain.toolkit.randomness import (
    DrawMismatch,
    RecordedDraws,
    compute_commitment,
    draw_number,
    draws_from_seed,
)
from tests.domain import toy
from tests.domain.toy import Peek, Roll, Take

SEED = bytes(range(32))


def table(*players: str, size: int = 10) -> Timeline:
    """Return a started match with a human seat for each player id."""
    seats = tuple(Seat("human", p.title(), p) for p in players)
    opening = Open(
        "toy", 1, {"size": size}, seats, "private", players[0], compute_commitment(SEED), SEED.hex()
    )
    timeline = Timeline(toy)
    return play(timeline, None, opening)


def play(timeline: Timeline, seat: int | None, *commands: object) -> Timeline:
    timeline.play(seat, commands, 1000, draws_from_seed)
    return timeline


def refused(timeline: Timeline, seat: int | None, command: object) -> str:
    version = timeline.version
    with pytest.raises(Refused) as error:
        timeline.act(seat, [command], 0, draws_from_seed)
    assert timeline.version == version
    return error.value.code


def test_versions_count_events_and_any_version_can_be_looked_at() -> None:
    t = table("ann", "bob")
    assert [d.version for d in t.decisions] == [1, 2]  # opened; started + pile
    assert t.version == 3
    play(t, 0, Take(1))
    assert t.version == 5
    pile = t.at(3).state.pile
    assert t.at(4).state.pile == pile - 1  # in the middle of the decision
    assert t.at(4).state.seat == 0
    assert t.at(5).state.seat == 1
    for bad in (0, 6):
        with pytest.raises(Refused):
            t.at(bad)


def test_a_match_starts_when_the_last_seat_is_taken() -> None:
    seats = (Seat("human", "Ann", "ann"), Seat("open", ""))
    t = play(
        Timeline(toy),
        None,
        Open("toy", 1, {}, seats, "private", "ann", compute_commitment(SEED), SEED.hex()),
    )
    assert t.latest.status == "open"
    assert refused(t, 0, Take(1)) == "not_started"
    assert refused(t, 0, Join("bob", "Bob")) == "seat_taken"
    play(t, 1, Join("bob", "Bob"))
    assert t.latest.status == "playing"
    assert t.latest.seats[1] == Seat("human", "Bob", "bob")


def test_a_batch_is_all_or_nothing() -> None:
    t = table("ann", "bob")
    with pytest.raises(IllegalMove):
        t.act(0, [Peek(), Take(9)], 0, draws_from_seed)
    with pytest.raises(NotYourTurn):
        t.act(0, [Take(1), Take(1)], 0, draws_from_seed)
    made = t.act(0, [Peek(), Take(1)], 0, draws_from_seed)
    assert [d.version for d in made] == [4, 5]
    assert t.version == 3


class Counted(AppendOnlyList[Any]):
    """Counts how often entries are read."""

    looks = 0

    def __init__(self, like: AppendOnlyList[Any]) -> None:
        self.entries, self.length = like.entries, like.length

    def __getitem__(self, index: int) -> Any:
        Counted.looks += 1
        return super().__getitem__(index)


def test_latest_move_of_a_seat_is_found_in_constant_time() -> None:
    t = table("ann", "bob", size=1_000)
    play(t, 0, Take(1))
    for _ in range(300):
        play(t, 1, Peek())
    before = t.latest
    play(t, 1, Undo())
    play(t, 0, AnswerUndo(True))
    assert t.latest.latest == (before.latest[0], before.latest[1] - 1)
    play(t, 1, Redo())
    assert t.latest.latest == before.latest
    t.decisions, t.moments, Counted.looks = Counted(t.decisions), Counted(t.moments), 0
    assert _version_before_own(t, t.latest, 0) == t.turn_start(0) == 3
    assert not _had_secrets(t, t.latest)
    assert Counted.looks < 20


def test_own_latest_moves_are_undone_for_free() -> None:
    t = table("ann", "bob")
    start = t.latest.state
    play(t, 0, Take(2))
    undo = t.undo_kind(0)
    assert (undo.kind, undo.reason, undo.to_version) == ("free", "why-free", 3)
    play(t, 0, Undo())
    assert t.latest.state == start
    assert t.decisions[-1].events == (MovesUndone(0, 3, "free"),)
    assert t.undone_indexes() == {2}


def test_undo_needs_consent_once_somebody_else_has_moved() -> None:
    t = play(play(table("ann", "bob"), 0, Take(2)), 1, Take(1))
    undo = t.undo_kind(0)
    assert (undo.kind, undo.reason, undo.args) == ("consent", "why-moved", {"who": 1})
    after = t.latest.state
    play(t, 0, Undo())
    assert t.latest.proposal is not None
    assert t.latest.state == after
    assert refused(t, 0, AnswerUndo(True)) == "own_proposal"
    assert refused(t, 1, Undo(3)) == "proposal_open"
    play(t, 1, AnswerUndo(True))
    assert t.latest.state == t.at(3).state
    assert t.latest.proposal is None
    play(t, 0, Redo())
    assert t.latest.state == after


def test_the_reason_does_not_name_who_moved_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    t = play(play(table("ann", "bob"), 0, Take(2)), 1, Peek())
    assert t.undo_kind(0).args == {"who": 1}
    monkeypatch.setattr(toy, "redact", lambda event, viewer: toy.Peeked(None))
    assert t.undo_kind(0) == UndoKind("consent", "why-others", {}, 3)


def test_all_other_people_must_agree() -> None:
    t = play(play(table("ann", "bob", "cid"), 0, Take(1)), 1, Take(1))
    play(play(t, 0, Undo()), 1, AnswerUndo(True))
    assert t.latest.proposal.accepted == ("bob",)
    play(t, 2, AnswerUndo(True))
    assert t.latest.state == t.at(3).state


@pytest.mark.parametrize("closer", ["decline", "move", "withdraw"])
def test_a_proposal_is_closed_by_a_decline_a_move_or_its_withdrawal(closer: str) -> None:
    t = play(play(table("ann", "bob", "cid"), 0, Take(1)), 1, Take(1))
    play(t, 0, Undo())
    seat, command = {
        "decline": (2, AnswerUndo(False)),
        "move": (2, Take(1)),
        "withdraw": (0, AnswerUndo(False)),
    }[closer]
    play(t, seat, command)
    assert t.latest.proposal is None
    assert refused(t, 1, AnswerUndo(True)) == "no_proposal"


def test_chance_and_hidden_facts_need_consent() -> None:
    t = play(table("ann", "bob", size=30), 0, Roll())
    assert t.undo_kind(0).reason == "why-drawn"
    t = play(table("ann", "bob"), 0, Peek())
    assert t.undo_kind(0).reason == "why-revealed"


def test_one_person_on_all_seats_undoes_at_once() -> None:
    t = play(play(table("ann", "ann", size=30), 0, Roll()), 1, Take(1))
    assert t.undo_kind(0, 3).kind == "open"
    play(t, 0, Undo(3))
    assert t.latest.state == t.at(3).state


def test_several_undos_and_redos_in_a_row() -> None:
    t = table("ann", "ann")
    states = [t.latest.state]
    for step in range(4):
        play(t, step % 2, Take(1))
        states.append(t.latest.state)
    for step in (3, 2, 1, 0):
        play(t, step % 2, Undo())
        assert t.latest.state == states[step]
    assert refused(t, 0, Undo()) == "nothing_to_undo"
    for step in (1, 2, 3, 4):
        play(t, 0, Redo())
        assert t.latest.state == states[step]
    assert refused(t, 0, Redo()) == "nothing_to_redo"
    assert t.undone_indexes() == set()


def test_a_new_move_ends_redo() -> None:
    t = play(play(table("ann", "ann"), 0, Take(1)), 0, Undo())
    play(t, 0, Take(2))
    assert refused(t, 0, Redo()) == "nothing_to_redo"


def test_only_the_undoer_may_redo_and_nobody_undoes_for_another() -> None:
    t = play(play(table("ann", "bob"), 0, Take(1)), 0, Undo())
    assert refused(t, 1, Redo()) == "not_your_undo"
    t = play(table("ann", "bob"), 0, Take(1))
    assert refused(t, 1, Undo()) == "nothing_to_undo"
    assert t.undo_kind(1, 3).kind == "consent"
    assert t.undo_kind(None).reason == "why-no-seat"


def test_a_batch_undoes_what_it_has_just_done() -> None:
    """Each command is decided on the moment after the one before: undo takes back the batch's own
    move, and redo plays it again."""
    t = play(table("ann", "bob"), 0, Peek())
    version, pile = t.version, t.latest.state
    made = t.act(0, [Take(1), Undo()], 0, draws_from_seed)
    assert t.version == version
    assert made[-1].events == (MovesUndone(0, version, "free"),)
    for decision in made:
        t.append(decision)
    assert t.latest.state == pile
    assert t.latest.head == t.index(version)
    play(t, 0, Redo())
    assert t.latest.state.pile == pile.pile - 1
    again = t.act(1, [Take(2), Undo(), Redo(), Undo()], 0, draws_from_seed)
    assert [type(d.events[0]).__name__ for d in again] == [
        "Taken",
        "MovesUndone",
        "MovesRedone",
        "MovesUndone",
    ]
    assert play(t, 1, Take(2), Undo(), Redo()).latest.state.pile == pile.pile - 3


def test_decided_moment_is_not_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Appending uses the known moment; what others appended first is not skipped."""
    t, other = table("ann", "bob"), table("ann", "bob")
    (made,) = t.act(0, [Take(1)], 0, draws_from_seed)
    with monkeypatch.context() as patch:
        patch.setattr(toy, "evolve", None)
        t.append(made)
    other.append(made)
    assert t.latest == other.latest
    (late,) = t.act(1, [Take(2)], 0, draws_from_seed)
    t.append(other.act(1, [Take(1)], 0, draws_from_seed)[0])
    assert late.version < t.version
    assert t.latest.state.pile == other.at(other.version).state.pile - 1


def test_bringing_back_a_branch_that_was_undone_needs_consent() -> None:
    t = play(table("ann", "bob"), 0, Take(1))
    branch = t.version
    play(play(t, 0, Undo()), 0, Peek())
    assert t.undo_kind(0, branch).reason == "why-branch"


def test_the_turn_start_is_where_own_turn_undo_goes() -> None:
    t = play(table("ann", "bob"), 0, Peek(), Peek(), Take(1))
    assert t.turn_start(0) == 3
    assert t.turn_start(1) is None
    play(t, 1, Peek())
    assert t.turn_start(1) == 7


def test_the_seed_comes_out_with_the_end_and_then_nothing_can_be_undone() -> None:
    t = table("ann", "ann", size=1)
    assert SEED.hex() not in repr(t.redacted_for(t.decisions[0].events[0], 0))
    while t.latest.status == "playing":
        play(t, t.to_act(t.latest)[0], Take(1))
    assert t.decisions[-1].events[-1] == SeedRevealed(SEED.hex())
    assert t.undo_kind(0).reason == "why-over"
    assert refused(t, 0, Undo()) == "nothing_to_undo"
    assert refused(t, 0, Take(1)) == "match_over"
    assert t.standings(t.latest)[0].rank in (1, 2)


def test_private_message_reaches_its_two_seats_only() -> None:
    t = play(table("ann", "bob", "cid"), 0, Say("psst", 1))
    said = t.decisions[-1].events[0]
    assert [t.redacted_for(said, v).text for v in (0, 1, 2, None)] == ["psst", "psst", "", ""]
    assert t.redacted_for(said, 2).seat is None
    assert t.redacted_for(said, 2, [2, 1]) == said
    assert t.undo_kind(0).kind is None  # messages are not undone


def test_draws_can_be_checked_and_replayed() -> None:
    draw = DrawRecorder(draws_from_seed(SEED.hex(), 5))
    values = [draw(6) for _ in range(20)]
    assert values == [draw_number(SEED, 5 + i, 6) for i in range(20)]
    again = RecordedDraws(tuple(draw.drawn))
    assert [again(6) for _ in range(20)] == values
    again.check_exhausted()
    with pytest.raises(DrawMismatch):
        again(6)
    with pytest.raises(DrawMismatch):
        RecordedDraws(((6, 1),))(5)
    with pytest.raises(DrawMismatch):
        RecordedDraws(((6, 1),)).check_exhausted()


def test_draws_are_even() -> None:
    counts = [0] * 6
    for i in range(6000):
        counts[draw_number(SEED, i, 6)] += 1
    assert max(abs(c - 1000) for c in counts) < 150
