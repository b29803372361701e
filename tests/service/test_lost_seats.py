"""Players who lost a seat to time or a vote: what they may still read, and how they come back, over
HTTP.

Requirement: read access stays (the seat's secrets up to the loss, then a spectator's view), writes
are rejected with a code, the match stays in their list; leaving voluntarily ends access as before.
"""

from typing import Any

import pytest

from domain.match.time_control import DAY_MS
from tests.service.people import Person
from tests.service.test_pace import House, at_a_table, house, seen, until  # noqa: F401


def path_of(match: Any) -> str:
    return f"/matches/{match['id']}"


def lost(house: House, on_end: str = "bot_takes", **more: Any) -> tuple[Any, Any, Any]:  # noqa: F811
    """Return Ann, who has lost her seat, Bob, and the match as Ann saw it before."""
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end=on_end, **more)
    house.pass_by(2 * DAY_MS)
    if on_end == "vote":
        answer = bob.post(f"{path_of(match)}/vote", {"seat": 1, "about": 0, "bot": True})
        assert answer.status_code == 200, answer.text
    return ann, bob, match


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
@pytest.mark.parametrize("on_end", ["bot_takes", "vote"])
def test_every_read_stays_open_after_a_loss(house: House, on_end: str) -> None:  # noqa: F811
    ann, _bob, match = lost(house, on_end)
    now = seen(ann, match)
    assert not any(seat["you"] for seat in now["seats"])
    (own,) = now["lost"]
    assert (own["seat"], own["back"]) == (0, "free")
    paths = ("", "/events", "/export", "/review", "/layout", "/board.svg", "/picture.png")
    for path in (*paths, "/feed.atom", f"?at={own['version']}"):
        assert ann.get(path_of(match) + path).status_code == 200, path
    (item,) = ann.get("/matches").json()["items"]
    assert (item["id"], item["lost"], item["your_turn"]) == (match["id"], [0], False)
    stranger = Person(house.client, "Eve")
    assert stranger.get(path_of(match)).status_code == 404


@pytest.mark.slow
def test_every_write_is_refused_with_a_code(house: House) -> None:  # noqa: F811
    ann, _bob, match = lost(house)
    path, now = path_of(match), seen(ann, match)
    version = {"seat": 0, "expected_version": now["version"]}
    posts: list[tuple[str, Any]] = [
        ("/commands", {**version, "commands": [{"type": "EndTurn"}]}),
        ("/undo", version),
        ("/redo", version),
        ("/undo/answer", {"seat": 0, "accept": True}),
        ("/vote", {"seat": 0, "about": 1, "bot": True}),
        ("/say", {"seat": 0, "text": "Hello?"}),
        ("/leave", {"seat": 0}),
        ("/reclaim/answer", {"seat": 0, "about": 0, "accept": True}),
    ]
    for call, body in posts:
        assert code(ann.post(path + call, body)) == (403, "seat_lost"), call
    assert code(ann.get(path + "/choices", seat=0)) == (403, "seat_lost")
    assert code(ann.get(path + "/plan", seat=0)) == (403, "seat_lost")
    assert seen(ann, match)["version"] == now["version"] or seen(ann, match)["to_act"]


def test_a_seat_is_taken_back_once_and_everybody_sees_it(house: House) -> None:  # noqa: F811
    ann, bob, match = lost(house)
    path = path_of(match)
    assert code(bob.post(path + "/reclaim", {})) == (409, "no_lost_seat")
    answer = ann.post(path + "/reclaim", {"seat": 0}, key="once")
    assert answer.status_code == 200, answer.text
    assert [seat["you"] for seat in answer.json()["seats"]] == [True, False]
    assert "lost" not in answer.json()
    again = ann.post(path + "/reclaim", {"seat": 0}, key="once")
    assert again.status_code == 200
    events = bob.get(path + "/events").json()["events"]
    (back,) = [event for event in events if event["type"] == "SeatReclaimed"]
    assert back["text"] == "Ann took the seat back from the bot."
    (left,) = [event for event in events if event["type"] == "SeatLeft"]
    assert left["text"] == "A bot took over from Ann."  # she has not left
    assert "player" not in back["data"]


def test_after_a_second_loss_the_others_decide(house: House) -> None:  # noqa: F811
    ann, bob, match = lost(house)
    path = path_of(match)
    until(lambda: seen(bob, match)["to_act"] == [1], house)
    assert ann.post(path + "/reclaim", {}).status_code == 200
    now = seen(bob, match)
    while now["to_act"] == [1]:
        now = bob.step(now)
    house.pass_by(3 * DAY_MS)
    assert seen(ann, match)["lost"][0]["back"] == "ask"
    assert ann.post(path + "/reclaim", {}).json()["lost"][0]["back"] == "asked"
    assert seen(bob, match)["returns"] == [{"seat": 0, "waiting": [1]}]
    agreed = bob.post(path + "/reclaim/answer", {"seat": 1, "about": 0, "accept": True})
    assert agreed.status_code == 200, agreed.text
    assert seen(ann, match)["seats"][0]["you"]


def test_player_who_left_finds_the_match_only_in_the_history(
    house: House,  # noqa: F811
) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end="bot_takes")
    assert bob.post(path_of(match) + "/leave", {}).status_code == 200
    assert bob.get(path_of(match)).status_code == 404
    assert bob.get("/matches").json()["items"] == []
    (left,) = bob.get("/players/me/history").json()["left"]
    assert left["game"] == "caravanserai"
    assert "match" not in left
    assert "left" not in ann.get("/players/me/history").json()
    assert code(bob.post(path_of(match) + "/reclaim", {})) == (404, "no_such_match")


def test_a_plan_of_a_lost_seat_is_gone(house: House) -> None:  # noqa: F811
    """A bot does not play its player's plan, and nobody can read it."""
    ann, bob, match = lost(house)
    assert code(ann.get(path_of(match) + "/plan", seat=0)) == (403, "seat_lost")
    assert code(bob.get(path_of(match) + "/plan", seat=0)) == (403, "not_your_seat")


def test_player_who_lost_the_seat_cannot_offer_a_rematch(house: House) -> None:  # noqa: F811
    ann, _bob, match = lost(house)
    assert code(ann.post(path_of(match) + "/rematch")) == (403, "not_your_seat")
