"""The notifications of one commit: a pure function of the match before and after it."""

from typing import Any

from domain.match.commands import AnswerUndo, Join, Leave, Open, Say, Undo, Vote
from domain.match.seats import Seat
from domain.match.time_control import DAY_MS, Pace
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import draws_from_seed
from service.notifications.triggers import (
    Notification,
    NotificationBatch,
    Withdrawal,
    notifications_for,
)

GAME = "caravanserai"


def opened(*seats: Seat, pace: Pace | None = None) -> Timeline:
    """Return a new hex game in which seat 0 moves first."""
    timeline = Timeline(codec_of(GAME).rules)
    command = Open(
        game=GAME,
        rules_version=codec_of(GAME).title.rules_version,
        options={"expert": False, "begins": "host"},
        seats=seats,
        visibility="private",
        owner="ann",
        commitment="",
        seed="11" * 32,
        pace=pace,
    )
    timeline.play(None, [command], 1000, draws_from_seed)
    return timeline


def people(*names: str) -> tuple[Seat, ...]:
    return tuple(Seat("human", name.title(), name) for name in names)


def done(timeline: Timeline, seat: int, *commands: Any) -> tuple[Timeline, NotificationBatch]:
    """Return the match after a seat's commands, and the notifications they cause."""
    twin = timeline.branch()
    twin.play(seat, commands, 2000, draws_from_seed)
    return twin, notifications_for("m", timeline, twin)


def step(timeline: Timeline) -> tuple[Timeline, NotificationBatch]:
    seat = timeline.to_act(timeline.latest)[0]
    return done(timeline, seat, timeline.rules.choices(timeline.latest.state, seat)[0])


def until_turn_of(timeline: Timeline, seat: int) -> tuple[Timeline, NotificationBatch]:
    """Play until it is a seat's turn; return the notifications of the last step."""
    said = NotificationBatch()
    while timeline.to_act(timeline.latest) != (seat,):
        assert not [n for n in said.notifications if n.kind == "turn"], (
            "no notification within a turn"
        )
        timeline, said = step(timeline)
    return timeline, said


def test_new_match_notifies_the_first_player_unless_they_opened_it() -> None:
    before = opened(Seat("human", "Ann", "ann"), Seat("open", ""))
    assert not notifications_for("m", None, before)
    after, said = done(before, 1, Join(player="bob", name="Bob"))
    assert [(n.player, n.kind) for n in said.notifications] == [("ann", "turn")]
    assert after.to_act(after.latest) == (0,)


def test_turn_is_notified_when_it_begins_and_settled_when_played() -> None:
    timeline, said = until_turn_of(opened(*people("ann", "bob")), 1)
    assert [(n.player, n.kind) for n in said.notifications] == [("bob", "turn")]
    assert said.withdrawals == (Withdrawal("ann", "m", ("turn", "reminder", "plan"), True),)
    timeline, said = until_turn_of(timeline, 0)
    assert [(n.player, n.kind) for n in said.notifications] == [("ann", "turn")]
    assert said.withdrawals == (Withdrawal("bob", "m", ("turn", "reminder", "plan"), True),)


def test_turn_repeated_after_an_undo_is_the_same_notification() -> None:
    start = opened(*people("ann", "bob"))
    before, said = until_turn_of(start, 1)
    back, taken = done(before, 0, Undo(start.version))
    assert taken.withdrawals == (Withdrawal("bob", "m", ("turn", "reminder", "plan"), False),)
    _, again = until_turn_of(back, 1)
    assert [n.turn for n in again.notifications] == [n.turn for n in said.notifications]
    later, _ = until_turn_of(before, 0)
    _, other = until_turn_of(later, 1)
    assert [n.turn for n in other.notifications] != [n.turn for n in said.notifications]


def test_player_among_bots_gets_no_notifications() -> None:
    timeline = opened(Seat("human", "Ann", "ann"), Seat("bot", "Bot"))
    for _ in range(12):
        timeline, said = step(timeline)
        assert not said


def test_player_with_both_seats_gets_no_notifications() -> None:
    timeline = opened(*people("ann", "ann"), Seat("human", "Bob", "bob"))
    while timeline.to_act(timeline.latest) != (2,):
        timeline, said = step(timeline)
        assert "ann" not in {n.player for n in said.notifications}


def test_private_message_is_notified_to_its_recipient_without_text() -> None:
    timeline = opened(*people("ann", "bob", "cid"))
    _, said = done(timeline, 0, Say("the password is swordfish", 1))
    assert [(n.player, n.kind) for n in said.notifications] == [("bob", "word")]
    assert "swordfish" not in repr(said)
    _, said = done(timeline, 0, Say("hello"))
    assert {(n.player, n.kind) for n in said.notifications} == {("bob", "word"), ("cid", "word")}


def test_two_messages_in_one_turn_are_one_notification() -> None:
    timeline = opened(*people("ann", "bob"))
    timeline, first = done(timeline, 0, Say("hello"))
    _, second = done(timeline, 0, Say("are you there?"))
    assert first.notifications[0].turn == second.notifications[0].turn


def test_undo_proposal_is_notified_and_settled_by_the_answer() -> None:
    start = opened(*people("ann", "bob"))
    timeline, _ = until_turn_of(start, 1)
    timeline, _ = step(timeline)
    asked, said = done(timeline, 0, Undo(start.version))
    assert Notification("bob", "m", "proposal", asked.version, asked.version) in said.notifications
    _, answered = done(asked, 1, AnswerUndo(False))
    assert "bob" in {s.player for s in answered.withdrawals if s.kinds == ("proposal",)}


def test_end_is_notified_to_all_but_the_last_mover() -> None:
    timeline = opened(*people("ann", "bob", "cid"))
    said = NotificationBatch()
    actor = 0
    while timeline.latest.status != "finished":
        actor = timeline.to_act(timeline.latest)[0]
        timeline, said = step(timeline)
    over = {n.player for n in said.notifications if n.kind == "over"}
    assert over == {"ann", "bob", "cid"} - {timeline.latest.seats[actor].player}
    assert not {n.kind for n in said.notifications} & {"turn"}


def test_vote_is_notified_and_settled_by_the_move() -> None:
    timeline = opened(*people("ann", "bob", "cid"), pace=Pace("days", days=2, on_end="vote"))
    late = timeline.branch()
    late.play(None, [], 1000 + 4 * DAY_MS, draws_from_seed)
    said = notifications_for("m", timeline, late)
    asked = [(n.player, n.kind) for n in said.notifications if n.kind != "time"]
    assert asked == [("bob", "proposal"), ("cid", "proposal")]
    voted = late.branch()
    voted.play(1, [Vote(0, bot=True)], 1001 + 4 * DAY_MS, draws_from_seed)
    said = notifications_for("m", late, voted)
    assert said == NotificationBatch((), (Withdrawal("bob", "m", ("proposal",), True),))
    moved = voted.branch()
    choice = moved.rules.choices(moved.latest.state, 0)[0]
    moved.play(0, [choice], 1002 + 4 * DAY_MS, draws_from_seed)
    assert (
        Withdrawal("cid", "m", ("proposal",), True)
        in notifications_for("m", voted, moved).withdrawals
    )


def test_the_others_are_asked_about_a_seat_that_was_left_free() -> None:
    """All of them at once, until one gives it to a bot or a player takes it; not for a held
    seat."""
    before = opened(*people("ann", "bob", "cid"))
    after, said = done(before, 0, Leave(free=True))
    asked = {(each.player, each.kind) for each in said.notifications}
    assert asked == {("bob", "proposal"), ("cid", "proposal")}
    _, given = done(after, 1, Vote(0, bot=True))
    _, taken = done(after, 0, Join(player="dan", name="Dan"))
    for later in (given, taken):
        settled = {(each.player, each.kinds) for each in later.withdrawals}
        assert {("bob", ("proposal",)), ("cid", ("proposal",))} <= settled
    _, left = done(before, 0, Leave())
    assert not [each for each in left.notifications if each.kind == "proposal"]


def test_last_remaining_player_is_asked_and_the_answer_settles_it() -> None:
    timeline, _ = until_turn_of(opened(*people("ann", "bob")), 1)
    after, said = done(timeline, 0, Leave(free=True))
    assert [(each.player, each.kind) for each in said.notifications] == [("bob", "proposal")]
    _, given = done(after, 1, Vote(0, bot=True))
    assert given == NotificationBatch((), (Withdrawal("bob", "m", ("proposal",), True),))
    _, taken = done(after, 0, Join(player="dan", name="Dan"))
    assert Withdrawal("bob", "m", ("proposal",), True) in taken.withdrawals
    _, left = done(timeline, 0, Leave())
    assert not left.notifications
