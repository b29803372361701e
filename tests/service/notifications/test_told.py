"""Who is told what of one commit: a pure function of the match before and after."""

from typing import Any

from domain.match import AnswerUndo, Join, Leave, Open, Say, Seat, Timeline, Undo, Vote
from domain.match.time_control import DAY_MS, Pace
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
    """A new hex game that seat 0 begins."""
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
    """The match after commands of a seat, and what they tell."""
    twin = timeline.branch()
    twin.play(seat, commands, 2000, draws_from_seed)
    return twin, notifications_for("m", timeline, twin)


def step(timeline: Timeline) -> tuple[Timeline, NotificationBatch]:
    seat = timeline.to_act(timeline.latest)[0]
    return done(timeline, seat, timeline.rules.choices(timeline.latest.state, seat)[0])


def until_turn_of(timeline: Timeline, seat: int) -> tuple[Timeline, NotificationBatch]:
    """Steps until it is a seat's turn; what the last of them told."""
    said = NotificationBatch()
    while timeline.to_act(timeline.latest) != (seat,):
        assert not [n for n in said.notifications if n.kind == "turn"], (
            "nobody is told within a turn"
        )
        timeline, said = step(timeline)
    return timeline, said


def test_a_new_match_tells_who_is_to_begin_unless_they_opened_it() -> None:
    before = opened(Seat("human", "Ann", "ann"), Seat("open", ""))
    assert not notifications_for("m", None, before)
    after, said = done(before, 1, Join(player="bob", name="Bob"))
    assert [(n.player, n.kind) for n in said.notifications] == [("ann", "turn")]
    assert after.to_act(after.latest) == (0,)


def test_a_turn_is_told_when_it_comes_and_settled_when_it_is_played() -> None:
    timeline, said = until_turn_of(opened(*people("ann", "bob")), 1)
    assert [(n.player, n.kind) for n in said.notifications] == [("bob", "turn")]
    assert said.withdrawals == (Withdrawal("ann", "m", ("turn", "reminder", "plan"), True),)
    timeline, said = until_turn_of(timeline, 0)
    assert [(n.player, n.kind) for n in said.notifications] == [("ann", "turn")]
    assert said.withdrawals == (Withdrawal("bob", "m", ("turn", "reminder", "plan"), True),)


def test_the_same_turn_that_comes_again_after_a_take_back_is_the_same_notice() -> None:
    start = opened(*people("ann", "bob"))
    before, said = until_turn_of(start, 1)
    back, taken = done(before, 0, Undo(start.version))
    assert taken.withdrawals == (Withdrawal("bob", "m", ("turn", "reminder", "plan"), False),)
    _, again = until_turn_of(back, 1)
    assert [n.turn for n in again.notifications] == [n.turn for n in said.notifications]
    later, _ = until_turn_of(before, 0)
    _, other = until_turn_of(later, 1)
    assert [n.turn for n in other.notifications] != [n.turn for n in said.notifications]


def test_who_plays_with_bots_only_is_told_nothing() -> None:
    timeline = opened(Seat("human", "Ann", "ann"), Seat("bot", "Bot"))
    for _ in range(12):
        timeline, said = step(timeline)
        assert not said


def test_who_holds_both_seats_is_told_nothing_of_their_own_moves() -> None:
    timeline = opened(*people("ann", "ann"), Seat("human", "Bob", "bob"))
    while timeline.to_act(timeline.latest) != (2,):
        timeline, said = step(timeline)
        assert "ann" not in {n.player for n in said.notifications}


def test_a_private_word_is_told_to_its_hearer_only_and_nothing_of_it() -> None:
    timeline = opened(*people("ann", "bob", "cid"))
    _, said = done(timeline, 0, Say("the password is swordfish", 1))
    assert [(n.player, n.kind) for n in said.notifications] == [("bob", "word")]
    assert "swordfish" not in repr(said)
    _, said = done(timeline, 0, Say("hello"))
    assert {(n.player, n.kind) for n in said.notifications} == {("bob", "word"), ("cid", "word")}


def test_two_words_in_one_turn_are_one_notice() -> None:
    timeline = opened(*people("ann", "bob"))
    timeline, first = done(timeline, 0, Say("hello"))
    _, second = done(timeline, 0, Say("are you there?"))
    assert first.notifications[0].turn == second.notifications[0].turn


def test_a_take_back_is_asked_of_the_others_and_settled_by_the_answer() -> None:
    start = opened(*people("ann", "bob"))
    timeline, _ = until_turn_of(start, 1)
    timeline, _ = step(timeline)
    asked, said = done(timeline, 0, Undo(start.version))
    assert Notification("bob", "m", "proposal", asked.version, asked.version) in said.notifications
    _, answered = done(asked, 1, AnswerUndo(False))
    assert "bob" in {s.player for s in answered.withdrawals if s.kinds == ("proposal",)}


def test_the_end_is_told_to_all_but_who_made_the_last_move() -> None:
    timeline = opened(*people("ann", "bob", "cid"))
    said = NotificationBatch()
    actor = 0
    while timeline.latest.status != "finished":
        actor = timeline.to_act(timeline.latest)[0]
        timeline, said = step(timeline)
    over = {n.player for n in said.notifications if n.kind == "over"}
    assert over == {"ann", "bob", "cid"} - {timeline.latest.seats[actor].player}
    assert not {n.kind for n in said.notifications} & {"turn"}


def test_a_vote_is_asked_of_the_others_and_settled_by_the_move_it_was_about() -> None:
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
    """All of them at once, until one gives it to a bot or somebody sits down; not a seat that is
    held for somebody."""
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


def test_who_is_left_alone_is_asked_too_and_their_answer_settles_it() -> None:
    timeline, _ = until_turn_of(opened(*people("ann", "bob")), 1)
    after, said = done(timeline, 0, Leave(free=True))
    assert [(each.player, each.kind) for each in said.notifications] == [("bob", "proposal")]
    _, given = done(after, 1, Vote(0, bot=True))
    assert given == NotificationBatch((), (Withdrawal("bob", "m", ("proposal",), True),))
    _, taken = done(after, 0, Join(player="dan", name="Dan"))
    assert Withdrawal("bob", "m", ("proposal",), True) in taken.withdrawals
    _, left = done(timeline, 0, Leave())
    assert not left.notifications
