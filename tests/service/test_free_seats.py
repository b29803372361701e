"""Leaving a running match so that nobody has the seat: the others are asked who is to have it.

Requirement (people): leaving a table (a bot or nobody takes the seat; the others are asked).
"""

from typing import Any

import pytest

from tests.service.people import Person
from tests.service.test_pace import DAYS, House, house, seen, told, until

__all__ = ["house"]


def left_free(house: House, *names: str, **more: Any) -> tuple[list[Person], Any]:
    """People at a running hex game whose first person has left the seat free; the match as the
    second sees it."""
    people = [Person(house.client, name) for name in names]
    match = people[0].open("me", *["open"] * (len(people) - 1), **more)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    answer = people[0].post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    assert answer.status_code == 200, answer.text
    return people, seen(people[1], match)


def kinds(match: Any) -> list[str]:
    return [seat["kind"] for seat in match["seats"]]


def test_the_match_waits_for_whoever_sits_down(house: House) -> None:
    (ann, bob), match = left_free(house, "Ann", "Bob")
    assert (match["status"], kinds(match)) == ("playing", ["open", "human"])
    assert match["to_act"] == [0]
    assert ann.play(match, 0, {"type": "Done"}).json()["code"] == "not_your_seat"
    cid = Person(house.client, "Cid")
    joined = cid.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    assert cid.step(joined.json())["status"] == "playing"
    assert "invite" not in seen(bob, match)


def test_one_of_the_others_gives_it_to_a_bot(house: House) -> None:
    (_ann, bob, cid), match = left_free(house, "Ann", "Bob", "Cid")
    path = f"/matches/{match['id']}/vote"
    wait = bob.post(path, {"seat": 1, "about": 0, "bot": False})
    assert (wait.status_code, wait.json()["code"]) == (409, "no_vote")
    answer = cid.post(path, {"seat": 2, "about": 0, "bot": True})
    assert kinds(answer.json()) == ["bot", "human", "human"]
    until(lambda: seen(bob, match)["to_act"] == [1], house)
    events = bob.get(f"/matches/{match['id']}/events").json()["events"]
    assert "A bot takes the free seat." in [event["text"] for event in events]
    late = bob.post(path, {"seat": 1, "about": 0, "bot": True})
    assert late.json()["code"] == "no_vote"


def test_nobodys_clock_runs_and_whoever_comes_has_a_whole_turn(house: House) -> None:
    (_ann, bob), match = left_free(house, "Ann", "Bob", pace=DAYS)
    house.pass_by(9 * 86_400_000)
    now = seen(bob, match)
    assert not any(clock["runs"] or clock["out"] for clock in now["clock"]["seats"])
    assert [kind for kind, _, _ in told(bob, match)] == ["SeatLeft"]
    cid = Person(house.client, "Cid")
    joined = cid.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}).json()
    assert joined["clock"]["seats"][0]["left"] == 2 * 86_400_000
    assert joined["clock"]["seats"][0]["runs"]


@pytest.mark.parametrize("game", ["caravane", "courtyard"])
def test_where_there_are_secrets_a_bot_takes_it(house: House, game: str) -> None:
    """Whoever sits down sees what the seat sees: it could be one of the others."""
    people = [Person(house.client, name) for name in ("Ann", "Bob", "Cid")]
    match = people[0].open("me", "open", "open", game=game)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    path = f"/matches/{match['id']}/leave"
    refused = people[0].post(path, {"stand_in": "nobody"})
    assert (refused.status_code, refused.json()["code"]) == (409, "keeps_secrets")
    assert kinds(people[0].post(path, {}).json())[0] == "bot"


def test_the_last_person_cannot_leave_it_to_nobody(house: House) -> None:
    ann = Person(house.client, "Ann")
    match = ann.open("me", "bot")
    refused = ann.post(f"/matches/{match['id']}/leave", {"stand_in": "nobody"})
    assert (refused.status_code, refused.json()["code"]) == (409, "last_person")
