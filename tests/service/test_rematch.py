"""Rematch: same players, another seat starts, one request each, never two matches."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from domain.match.rematch import rematch_seats
from domain.match.seats import Seat
from tests.service.people import Client, Person


def over(client: Client, *names: str, **more: Any) -> tuple[list[Person], Any]:
    """Return the players of a short match that has ended."""
    people = [Person(client, name) for name in names]
    kinds = ["me", *("open" for _ in names[1:])]
    match = people[0].open(*kinds, game="conquest", options=LANE, **more)
    for person in people[1:]:
        match = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}).json()
    return people, ended(people, match["id"])


LANE = {"map": "custom", "custom": {"rows": ["BSSF", "SSSS"]}, "patience": 10}
IDLE = ("Stop", "Done", "Stay", "Decline", "Ignore")


def ended(people: list[Person], match_id: str) -> Any:
    match = people[0].get(f"/matches/{match_id}").json()
    while match["status"] == "playing":
        person = people[match["to_act"][0]]
        choices = person.choices(match, match["to_act"][0])
        commands = [choice["command"] for choice in choices]
        idle = [each for each in commands if each["type"] in IDLE]
        chosen = idle[0] if idle else min(commands, key=lambda m: sum(m.get("to", (9, 9))))
        match = person.play(match, match["to_act"][0], chosen).json()["match"]
    assert match["status"] == "finished"
    return match


def test_others_join_with_one_request_and_the_next_seat_starts(any_client: Client) -> None:
    (ann, bob), match = over(any_client, "Ann", "Bob", pace={"kind": "days", "days": 2})
    path = f"/matches/{match['id']}"
    assert "rematch" not in bob.get(path).json()
    made = ann.post(f"{path}/rematch")
    assert made.status_code == 201, made.text
    again = made.json()
    assert (again["game"], again["options"]) == (match["game"], match["options"])
    assert [seat["name"] for seat in again["seats"]] == ["Bob", "Ann"]
    assert again["clock"]["pace"] == match["clock"]["pace"]
    assert again["status"] == "open"
    told = bob.get(path).json()["rematch"]
    assert told == {"match": again["id"], "by": 0, "offered": True}
    assert bob.get("/matches", scope="invited").json()["items"][0]["id"] == again["id"]
    sat = bob.post(f"{path}/rematch")
    assert sat.status_code == 200
    assert sat.json()["id"] == again["id"]
    assert sat.json()["status"] == "playing"
    assert bob.get(path).json()["rematch"] == {"match": again["id"], "by": 0, "offered": False}
    assert ann.post(f"{path}/rematch").json()["id"] == again["id"]


def test_concurrent_offers_create_one_match(any_client: Client) -> None:
    people, match = over(any_client, "Ann", "Bob", "Cid")
    with ThreadPoolExecutor(3) as at_once:
        path = f"/matches/{match['id']}/rematch"
        answers = list(at_once.map(lambda person: person.post(path), people))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    (again,) = [m for m in people[1].get("/matches").json()["items"] if m["status"] == "playing"]
    assert [seat["name"] for seat in again["seats"]] == ["Bob", "Cid", "Ann"]


@pytest.mark.slow
def test_only_players_offer_and_see_a_rematch(client: Client) -> None:
    (ann, _), match = over(client, "Ann", "Bob", visibility="public")
    eve = Person(client, "Eve")
    path = f"/matches/{match['id']}"
    assert eve.post(f"{path}/rematch").json()["code"] == "not_your_seat"
    again = ann.post(f"{path}/rematch").json()
    assert "rematch" not in eve.get(path).json()
    assert "rematch" not in client.get(f"/api{path}").json()
    assert eve.post(f"/matches/{again['id']}/join", {}).json()["code"] == "no_open_seat"


def test_running_match_has_no_rematch(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "bot")
    assert ann.post(f"/matches/{match['id']}/rematch").json()["code"] == "not_over"


def test_rematch_on_a_shared_device_or_with_bots_starts_at_once(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "me", "bot", game="conquest", options=LANE)
    while match["status"] == "playing":
        match = ended([ann] * 3, match["id"])
    again = ann.post(f"/matches/{match['id']}/rematch").json()
    assert again["status"] == "playing"
    assert [seat["kind"] for seat in again["seats"]] == ["human", "bot", "human"]
    assert [seat["you"] for seat in again["seats"]] == [True, False, True]


def test_declined_rematch_is_reported_and_the_file_verifies(client: Client) -> None:
    (ann, bob), match = over(client, "Ann", "Bob")
    path = f"/matches/{match['id']}"
    again = ann.post(f"{path}/rematch").json()
    assert bob.post(f"/matches/{again['id']}/leave", {}).status_code == 200
    assert "rematch" not in bob.get(path).json()
    assert bob.post(f"{path}/rematch").json()["code"] == "without_you"
    file = ann.get(f"{path}/export").json()
    copy = bob.post("/matches/import", file)
    assert copy.status_code == 201
    assert bob.post(f"/matches/{copy.json()['id']}/rematch").json()["code"] == "imported"


def test_seats_rotate() -> None:
    seats = (
        Seat("human", "Ann", "a"),
        Seat("bot", "Bot 1", None, "easy"),
        Seat("human", "Bo", "b"),
    )
    assert rematch_seats(seats, "b") == (seats[1], seats[2], Seat("open", "Ann", "a"))
