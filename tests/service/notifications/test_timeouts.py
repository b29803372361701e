"""Notifications of timeouts, and of seats that pass to a bot or back to their player.

Requirement: everybody in the match is told what the time control promises: a nudge notifies all, a
bot move notifies the player it was made for, and a player who loses their seat is told as well.
"""

from typing import Any

import pytest

from domain.match.commands import AnswerReturn, Reclaim, Vote
from domain.match.time_control import DAY_MS, Pace
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed
from service.notifications.channels import Preferences, _encode_preferences, _read_preferences
from service.notifications.triggers import ADDED_LATER, notifications_for
from tests.service.notifications.receivers import Receiver, eventually, wait_until_sent
from tests.service.notifications.test_reminders import Pass, at_a_table, passes  # noqa: F401
from tests.service.notifications.test_sending import put, told_by, until_turn_of
from tests.service.notifications.test_triggers import opened, people
from tests.service.people import Client, Person

NAMES = ("ann", "bob", "cem")


def table(on_end: Any, *names: str) -> tuple[Timeline, int]:
    """Return a match and the instant at which the time of seat 0 runs out."""
    timeline = opened(*people(*(names or NAMES)), pace=Pace("days", days=2, on_end=on_end))
    return timeline, 1000 + 2 * DAY_MS


def commit(
    timeline: Timeline, seat: int | None, *commands: Any, at: int, by_bot: bool = False
) -> tuple[Timeline, set[tuple[str, str]]]:
    """Apply commands; return the match after them and the recipients of timeout notifications."""
    twin = timeline.branch()
    twin.play(seat, commands, at, draws_from_seed)
    said = notifications_for("m", timeline, twin, by_bot=by_bot)
    return twin, {(n.player, n.args["what"]) for n in said.notifications if n.kind == "time"}


@pytest.mark.parametrize("on_end", ["nudge", "bot_moves", "bot_takes"])
def test_timeout_is_notified_to_everybody(on_end: str) -> None:
    timeline, at = table(on_end)
    _, heard = commit(timeline, None, at=at)
    assert heard == {(name, on_end) for name in NAMES}


def test_vote_is_notified_to_voters_and_to_the_player_concerned() -> None:
    timeline, at = table("vote")
    timeline, heard = commit(timeline, None, at=at)
    assert heard == {("ann", "vote")}
    timeline, heard = commit(timeline, 1, Vote(0, True), at=at)
    assert heard == set()
    timeline, heard = commit(timeline, 2, Vote(0, True), at=at)
    assert heard == {("ann", "voted"), ("bob", "voted")}


def test_only_players_a_bot_moved_for_are_notified() -> None:
    timeline, at = table("bot_moves")
    timeline, _ = commit(timeline, None, at=at)
    command = timeline.rules.choices(timeline.latest.state, 0)[0]
    assert commit(timeline, 0, command, at=at, by_bot=True)[1] == {("ann", "moved")}
    assert commit(timeline, 0, command, at=at)[1] == set()


def test_returned_seat_is_notified_to_the_others() -> None:
    timeline, at = table("bot_takes")
    timeline, _ = commit(timeline, None, at=at)
    timeline, heard = commit(timeline, 0, Reclaim("ann"), at=at)
    assert heard == {("bob", "back"), ("cem", "back")}


def test_seat_request_and_its_answer_are_notified() -> None:
    timeline, at = table("bot_takes")
    for again in (1, 2):
        timeline, _ = commit(timeline, None, at=at)
        if again == 1:
            timeline, _ = commit(timeline, 0, Reclaim("ann"), at=at)
            at += 2 * DAY_MS
    twin = timeline.branch()
    twin.play(0, [Reclaim("ann")], at, draws_from_seed)
    asked = notifications_for("m", timeline, twin)
    assert {(n.player, n.kind) for n in asked.notifications} == {
        ("bob", "proposal"),
        ("cem", "proposal"),
    }
    declined, heard = commit(twin, 1, AnswerReturn(0, False), at=at)
    assert heard == {("ann", "declined")}
    assert {s.player for s in notifications_for("m", twin, declined).withdrawals} == {"bob", "cem"}
    agreed, _ = commit(twin, 1, AnswerReturn(0, True), at=at)
    _, heard = commit(agreed, 2, AnswerReturn(0, True), at=at)
    assert heard == {("ann", "back"), ("bob", "back")}


def test_remaining_player_of_two_is_notified_of_the_request() -> None:
    timeline, at = table("bot_takes", "ann", "bob")
    timeline, heard = commit(timeline, None, at=at)
    assert heard == {("ann", "bot_takes"), ("bob", "bot_takes")}
    timeline, heard = commit(timeline, 0, Reclaim("ann"), at=at)
    assert heard == {("bob", "back")}


def test_older_preferences_include_these_notifications() -> None:
    assert set(ADDED_LATER) <= set(_read_preferences('{"kinds":["turn"],"quiet":null}').kinds)
    only = Preferences(("turn",))
    assert _read_preferences(_encode_preferences(only)) == only
    both = Preferences(("turn", "time"))
    assert _read_preferences(_encode_preferences(both)) == both


def texts(client: Client, taking: Receiver, count: int) -> dict[str, list[str]]:
    """Return the received timeout notifications by recipient, once there are ``count``.

    Other notifications may arrive before them.
    """
    eventually(lambda: sum(got.json["type"] == "time" for got in taking.got) >= count)
    wait_until_sent(client)
    found: dict[str, list[str]] = {}
    for got in taking.got:
        if got.json["type"] == "time":
            found.setdefault(got.path[1:], []).append(got.json["text"])
    return found


def with_bobs_turn(client: Client, taking: Receiver, **pace: Any) -> tuple[Person, Person, Any]:
    ann, bob, match = at_a_table(client, **pace)
    match = until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    for person in (ann, bob):
        told_by(person, taking)
    return ann, bob, match


def test_a_nudge_is_sent_to_all(client: Client, taking: Receiver, passes: Pass) -> None:  # noqa: F811
    with_bobs_turn(client, taking, on_end="nudge")
    passes(4 * DAY_MS)
    assert texts(client, taking, 2) == {
        "Bob": ["You ran out of time. The others are waiting for you."],
        "Ann": ["Bob ran out of time."],
    }
    passes(DAY_MS)
    assert sum(map(len, texts(client, taking, 2).values())) == 2, "once"


def test_seat_loss_is_notified_to_its_player_and_the_return_to_the_others(
    client: Client,
    taking: Receiver,
    passes: Pass,  # noqa: F811
) -> None:
    _ann, bob, match = with_bobs_turn(client, taking, on_end="bot_takes")
    passes(4 * DAY_MS)
    assert texts(client, taking, 2) == {
        "Bob": ["You ran out of time. A bot has your seat; you can take it back."],
        "Ann": ["Bob ran out of time. A bot takes over."],
    }
    (got,) = [got for got in taking.got if got.path == "/Bob"]
    assert got.json["title"].endswith("with Ann"), got.json["title"]
    taking.got.clear()
    answer = bob.post(f"/matches/{match['id']}/reclaim", {})
    assert answer.status_code == 200, answer.text
    assert texts(client, taking, 1)["Ann"] == ["Bob took the seat back from the bot."]


def test_bot_move_is_notified_in_the_language_of_the_player(
    client: Client,
    taking: Receiver,
    passes: Pass,  # noqa: F811
) -> None:
    _ann, bob, _match = with_bobs_turn(client, taking, on_end="bot_moves")
    put(bob, "/notices", {"kinds": ["time"], "language": "fr"})
    passes(4 * DAY_MS)
    told = texts(client, taking, 2)
    # The text is made when it is sent, which may be before or after the bot has moved.
    assert told["Bob"][-1] in (
        "Votre temps est écoulé\N{NO-BREAK SPACE}: un bot joue cette fois pour vous.",
        "Votre temps était écoulé\N{NO-BREAK SPACE}: un bot a joué pour vous.",
    )
    assert told["Ann"] == ["Bob ran out of time. A bot plays this move."]


@pytest.mark.slow
def test_disabled_kind_is_not_sent(
    client: Client,
    taking: Receiver,
    passes: Pass,  # noqa: F811
) -> None:
    ann, _bob, _match = with_bobs_turn(client, taking, on_end="nudge")
    put(ann, "/notices", {"kinds": ["turn", "reminder"]})
    passes(4 * DAY_MS)
    assert set(texts(client, taking, 1)) == {"Bob"}
