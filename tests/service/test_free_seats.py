"""Leaving a running match with the seat left free: the others decide who gets it.

Requirement (people): leaving a table (a bot or nobody takes the seat; the others are asked).
"""

from typing import Any

import pytest

from tests.service.people import Person
from tests.service.test_pace import DAYS, House, house, seen, told, until
from tests.service.test_rematch import ended, over

__all__ = ["house"]


def left_free(house: House, *names: str, **more: Any) -> tuple[list[Person], Any]:
    """Return the players of a running hex game whose first player has left the seat free, and the
    match as the second sees it."""
    people = [Person(house.client, name) for name in names]
    match = people[0].open("me", *["open"] * (len(people) - 1), **more)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    answer = people[0].post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    assert answer.status_code == 200, answer.text
    return people, seen(people[1], match)


def kinds(match: Any) -> list[str]:
    return [seat["kind"] for seat in match["seats"]]


def test_match_waits_for_a_new_player(house: House) -> None:
    (ann, bob), match = left_free(house, "Ann", "Bob")
    assert (match["status"], kinds(match)) == ("playing", ["open", "human"])
    assert match["to_act"] == [0]
    assert ann.play(match, 0, {"type": "Done"}).json()["code"] == "not_your_seat"
    cid = Person(house.client, "Cid")
    joined = cid.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    assert cid.step(joined.json())["status"] == "playing"
    assert "invite" not in seen(bob, match)


def test_another_player_gives_the_seat_to_a_bot(house: House) -> None:
    (_ann, bob, cid), match = left_free(house, "Ann", "Bob", "Cid")
    path = f"/matches/{match['id']}/vote"
    wait = bob.post(path, {"seat": 1, "about": 0, "bot": False})
    assert (wait.status_code, wait.json()["code"]) == (409, "no_vote")
    answer = cid.post(path, {"seat": 2, "about": 0, "bot": True})
    assert kinds(answer.json()) == ["bot", "human", "human"]
    until(lambda: seen(bob, match)["to_act"] == [1], house)
    events = bob.get(f"/matches/{match['id']}/events").json()["events"]
    assert "A bot took the open seat." in [event["text"] for event in events]
    late = bob.post(path, {"seat": 1, "about": 0, "bot": True})
    assert late.json()["code"] == "no_vote"


def test_the_clock_of_a_free_seat_runs_on(house: House) -> None:
    (ann, bob), match = left_free(house, "Ann", "Bob", pace=DAYS)
    first = match["clock"]["seats"][0]
    assert (first["runs"], first["ends"]) == (True, "2026-02-11T00:00:00.000Z")
    house.pass_by(9 * 86_400_000)
    now = seen(bob, match)
    assert now["clock"]["seats"][0]["out"]
    assert [kind for kind, _, _ in told(bob, match)] == ["SeatLeft", "TimeRanOut"]
    back = sit(ann, match, match["invite"])
    assert back["clock"]["seats"][0]["out"], "leaving gains no time"
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    cid = Person(house.client, "Cid")
    joined = sit(cid, match, match["invite"])
    assert joined["clock"]["seats"][0]["left"] == 2 * 86_400_000
    assert joined["clock"]["seats"][0]["runs"]


def test_a_bot_moves_for_a_free_seat_and_takes_it(house: House) -> None:
    """The others can go on without deciding anything."""
    (_ann, bob), match = left_free(house, "Ann", "Bob", pace={**DAYS, "on_end": "bot_moves"})
    house.pass_by(2 * 86_400_000)
    until(lambda: seen(bob, match)["to_act"] == [1], house)
    assert kinds(seen(bob, match)) == ["open", "human"]
    (_cid, dan), match = left_free(house, "Cid", "Dan", pace={**DAYS, "on_end": "bot_takes"})
    house.pass_by(2 * 86_400_000)
    until(lambda: seen(dan, match)["to_act"] == [1], house)
    assert kinds(seen(dan, match)) == ["bot", "human"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["caravane", "courtyard"])
def test_bot_takes_the_seat_in_games_with_secrets(house: House, game: str) -> None:
    """A new holder would see what the seat sees, and could be one of the others."""
    people = [Person(house.client, name) for name in ("Ann", "Bob", "Cid")]
    match = people[0].open("me", "open", "open", game=game)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    path = f"/matches/{match['id']}/leave"
    refused = people[0].post(path, {"stand_in": "nobody"})
    assert (refused.status_code, refused.json()["code"]) == (409, "keeps_secrets")
    assert kinds(people[0].post(path, {}).json())[0] == "bot"


def test_last_player_cannot_leave_the_seat_free(house: House) -> None:
    ann = Person(house.client, "Ann")
    match = ann.open("me", "bot")
    refused = ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    assert (refused.status_code, refused.json()["code"]) == (409, "last_person")


def sit(person: Person, match: Any, invite: str, seat: int = 0) -> Any:
    answer = person.post(f"/matches/{match['id']}/join", {"invite": invite, "seat": seat})
    assert answer.status_code == 200, answer.text
    return answer.json()


def say(person: Person, match: Any, seat: int, text: str, to: int | None = None) -> None:
    body = {"seat": seat, "text": text, "to": to}
    assert person.post(f"/matches/{match['id']}/say", body).status_code == 200


def texts(person: Person, match: Any, **query: Any) -> list[str]:
    events = person.get(f"/matches/{match['id']}/events", **query).json()["events"]
    return [event["text"] for event in events]


def test_private_messages_are_for_the_holder_at_the_time(house: House) -> None:
    """Not for a later holder of the seat, who could be one of the others."""
    ann, bob, cid = (Person(house.client, name) for name in ("Ann", "Bob", "Cid"))
    match = ann.open("me", "open", "open")
    for person in (bob, cid):
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    say(ann, match, 0, "Let us trade", 1)
    say(bob, match, 1, "Gladly", 0)
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    sit(cid, match, match["invite"])
    for seat in (0, 2):
        assert not {"Gladly", "Let us trade"} & {
            text.split(": ")[-1] for text in texts(cid, match, seat=seat)
        }
    assert "Gladly" not in cid.get(f"/matches/{match['id']}/export").text
    assert {"Ann: Let us trade", "Bob: Gladly"} <= set(texts(bob, match))
    assert "Gladly" in bob.get(f"/matches/{match['id']}/export").text
    cid.post(f"/matches/{match['id']}/leave", {"seat": 0, "stand_in": "nobody"})
    sit(ann, match, match["invite"])
    assert {"Ann: Let us trade", "Bob: Gladly"} <= set(texts(ann, match))


def test_nor_before_the_match_begins(house: House) -> None:
    ann, bob, cid = (Person(house.client, name) for name in ("Ann", "Bob", "Cid"))
    match = ann.open("me", "open", "open")
    sit(bob, match, match["invite"], 1)
    say(ann, match, 0, "Let us trade", 1)
    bob.post(f"/matches/{match['id']}/leave", {})
    sit(cid, match, match["invite"], 1)
    assert not [text for text in texts(cid, match) if "trade" in text]


@pytest.mark.slow
def test_new_holder_does_not_get_earlier_private_messages(house: House) -> None:
    ann, bob, cid = (Person(house.client, name) for name in ("Ann", "Bob", "Cid"))
    match = ann.open("me", "open")
    sit(bob, match, match["invite"], 1)
    say(ann, match, 0, "I give up")
    person = next(p for p in bob.get("/players/me/people").json()["items"] if p["name"] == "Ann")
    answer = bob.client.put(
        f"/api/players/me/people/{person['id']}",
        json={"muted": True, "blocked": False},
        headers=bob.headers,
    )
    assert answer.status_code == 200, answer.text
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    sit(cid, match, match["invite"])
    say(cid, match, 0, "I play on")
    assert {"Ann joined.", "Cid joined."} & {*texts(cid, match)} == {"Cid joined."}
    assert "Ann: I give up" in texts(cid, match)
    heard = texts(bob, match)
    assert "Cid: I play on" in heard
    assert not [text for text in heard if "I give up" in text]


def test_clock_continues_while_a_player_is_gone(house: House) -> None:
    """Leaving for a moment gains no time."""
    pace = {"kind": "live", "bank": 300, "increment": 5, "on_end": "nudge"}
    ann, bob = Person(house.client, "Ann"), Person(house.client, "Bob")
    match = ann.open("me", "open", pace=pace)
    sit(bob, match, match["invite"], 1)
    house.pass_by(200_000)
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    house.pass_by(50_000)
    first = sit(ann, match, match["invite"])["clock"]["seats"][0]
    assert (first["ends"], first["runs"]) == ("2026-02-09T00:05:05.000Z", True)
    house.pass_by(60_000)
    assert seen(bob, match)["clock"]["seats"][0]["out"]
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    assert seen(bob, match)["clock"]["seats"][0]["out"]
    assert sit(ann, match, match["invite"])["clock"]["seats"][0]["out"]
    ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    cid = Person(house.client, "Cid")
    assert sit(cid, match, match["invite"])["clock"]["seats"][0]["left"] == 305_000


def test_the_bot_has_a_name_as_all_bots_do(house: House) -> None:
    people, match = left_free(house, "Ann", "Bob", "Cid", "Dan")
    people[1].post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    path = f"/matches/{match['id']}/vote"
    people[3].post(path, {"seat": 3, "about": 1, "bot": True})
    seats = people[3].post(path, {"seat": 3, "about": 0, "bot": True}).json()["seats"]
    assert [seat["name"] for seat in seats] == ["Bot 2", "Bot 1", "Cid", "Dan"]
    assert "Dan voted to replace Seat 2 with a bot." in texts(people[3], match)


def test_invite_is_void_after_the_end(house: House) -> None:
    """The seed, from which the invite is derived, is published at the end."""
    people, match = over(house.client, "Ann", "Bob")
    events = people[0].get(f"/matches/{match['id']}/events").json()["events"]
    before = next(e for e in events if e["decision"] == events[-1]["decision"])["version"] - 1
    seat = people[0].get(f"/matches/{match['id']}", at=before).json()["to_act"][0]
    last, other = people[seat], people[1 - seat]
    seats = [{"kind": "same"}] * 2
    fork = other.post(f"/matches/{match['id']}/fork", {"at": before, "seats": seats}).json()
    path = f"/matches/{fork['id']}"
    assert last.post(f"{path}/join", {}).status_code == 200
    other.post(f"{path}/leave", {"stand_in": "nobody"})
    invite = last.get(path).json()["invite"]
    cid = Person(house.client, "Cid")
    assert cid.get(path, invite=invite).status_code == 200
    over_now = ended([last, last], fork["id"])
    assert kinds(over_now)[1 - seat] == "open"
    assert "invite" not in over_now
    assert cid.get(path, invite=invite).status_code == 404
    assert cid.post(f"{path}/join", {"invite": invite}).status_code == 404
    assert cid.get(path, invite=over_now["share"]).status_code == 200
